#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pliant {

namespace {

/// Builds the two anchors of a glue.
class AnchorBuilder {
  public:
    AnchorBuilder(const GlueEntry& entry, const std::string& path, const SceneSource& source, const World& world)
        : entry_(entry), path_(path), source_(source), world_(world)
    {}

    Anchor build(const GlueSideEntry& side, const GlueSideEntry& other, const char* key) const
    {
        const std::string path = fmt::format("{}/{}", path_, key);
        check_keys(side, path);
        const Vec3d at = point_of(side, other, path);
        const std::vector<int> particles = names_particles(side) ? particles_of(side, path) : std::vector<int>();
        Anchor anchor;
        source_.guard(path, [&] {
            if (!side.weights.empty()) {
                anchor = anchor_on_mean(world_.particles, particles, side.weights);
            } else if (!particles.empty()) {
                anchor = anchor_on_particles(world_.particles, particles, at);
            } else if (side.body.empty()) {
                anchor = anchor_on_motion(at, side.motion.value_or(Motion{}));
            } else {
                anchor = anchor_on_body(side.body, at);
            }
        });
        return anchor;
    }

  private:
    template <class Body>
    static int index_of(const std::string& name, const BodyList<Body>& bodies)
    {
        const auto found = std::ranges::find(bodies, name, &Body::name);
        return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
    }

    [[noreturn]] void fail_unknown(const std::string& name, const std::string& path) const
    {
        std::vector<std::string> names;
        const auto list = [&](const auto& bodies) {
            for (const auto& body : bodies) names.push_back(body.name);
        };
        list(world_.solids);
        list(world_.cloths);
        list(world_.rods);
        list(world_.rigids);
        source_.fail(path + "/body", fmt::format("there is no solid, cloth, rod or rigid body \"{}\"{}", name,
                                                 suggest_name(name, names)));
    }

    bool is_known(const std::string& name) const
    {
        return index_of(name, world_.solids) >= 0 || index_of(name, world_.cloths) >= 0 ||
               index_of(name, world_.rods) >= 0 || index_of(name, world_.rigids) >= 0;
    }

    void check_keys(const GlueSideEntry& side, const std::string& path) const
    {
        if (!side.body.empty() && !is_known(side.body)) fail_unknown(side.body, path);
        if (side.motion && !side.body.empty())
            source_.fail(path + "/motion", fmt::format("carries a point of the world, but \"{}\" carries this one; "
                                                       "remove motion or body",
                                                       side.body));
        if (side.motion) check_motion(*side.motion, source_.place(path + "/motion").c_str());
        if (names_particles(side) && side.body.empty())
            source_.fail(path + (side.group.empty() ? "/particles" : "/group"), "of which body? give body too");
        if (!side.group.empty() && !side.particles.empty())
            source_.fail(path + "/group", "is given beside particles; keep one of them");
        if (!side.weights.empty() && side.particles.empty())
            source_.fail(path + "/weights", "of which particles? give particles too");
        if (!side.weights.empty() && side.at)
            source_.fail(path + "/at", "the weights say where the point is; remove at or weights");
    }

    static bool names_particles(const GlueSideEntry& side) { return !side.particles.empty() || !side.group.empty(); }

    /// The points of a rod without its ghosts.
    std::vector<int> rod_points(const Rod& rod) const
    {
        std::vector<int> points;
        for (int p = 0; p < rod.particles.count; ++p)
            if (!world_.particles->is_ghost(rod.particles.first + p)) points.push_back(p);
        return points;
    }

    std::vector<int> particles_of(const GlueSideEntry& side, const std::string& path) const
    {
        const std::string& name = side.body;
        const auto find = [&](const char* kind, Range range, const std::vector<int>& points,
                              const PolygonFaces* faces) {
            return find_points(side.particles, side.group, {kind, range, points, {}, faces}, path, source_);
        };
        if (const int i = index_of(name, world_.solids); i >= 0) {
            const Solid& solid = world_.solids[static_cast<std::size_t>(i)];
            return find("solid", solid.particles, counted_points(solid), counted_faces(solid));
        }
        if (const int i = index_of(name, world_.cloths); i >= 0) {
            const Cloth& cloth = world_.cloths[static_cast<std::size_t>(i)];
            return find("cloth", cloth.particles, counted_points(cloth), counted_faces(cloth));
        }
        if (const int i = index_of(name, world_.rods); i >= 0) {
            const Rod& rod = world_.rods[static_cast<std::size_t>(i)];
            return find("rod", rod.particles, rod_points(rod), nullptr);
        }
        source_.fail(path + (side.group.empty() ? "/particles" : "/group"),
                     fmt::format("\"{}\" is rigid and has none; use at", name));
    }

    Vec3d middle_of(const GlueSideEntry& side, const std::string& path) const
    {
        Vec3d sum;
        const std::vector<int> particles = particles_of(side, path);
        const double share = 1 / static_cast<double>(particles.size());
        for (std::size_t i = 0; i < particles.size(); ++i)
            sum +=
                (i < side.weights.size() ? side.weights[i] : share) * world_.particles->x[particles[i]].cast<double>();
        return sum;
    }

    /// Said here, by the whole glue, by the particles, or by the other side.
    Vec3d point_of(const GlueSideEntry& side, const GlueSideEntry& other, const std::string& path) const
    {
        if (side.at) return *side.at;
        if (!side.weights.empty()) return middle_of(side, path);
        if (entry_.at) return *entry_.at;
        if (names_particles(side)) return middle_of(side, path);
        if (other.at) return *other.at;
        if (names_particles(other)) return middle_of(other, path);
        source_.fail(path_, "does not say where; give at, such as [0, 1, 0], or particles or a group of a side");
    }

    Anchor anchor_on_body(const std::string& name, const Vec3d& at) const
    {
        if (const int i = index_of(name, world_.solids); i >= 0)
            return anchor_on(world_, world_.solids.id_at(i), at, entry_.kind);
        if (const int i = index_of(name, world_.cloths); i >= 0) return anchor_on(world_, world_.cloths.id_at(i), at);
        if (const int i = index_of(name, world_.rods); i >= 0)
            return anchor_on(world_, world_.rods.id_at(i), at, entry_.kind);
        return anchor_on(world_, world_.rigids.id_at(index_of(name, world_.rigids)), at);
    }

    const GlueEntry& entry_;
    const std::string& path_;
    const SceneSource& source_;
    const World& world_;
};

}  // namespace

void add_glue(const GlueEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
              World& world)
{
    const AnchorBuilder builder(entry, path, source, world);
    Anchor a = builder.build(entry.a, entry.b, "a");
    Anchor b = builder.build(entry.b, entry.a, "b");
    source.guard(path,
                 [&] { add_glue(world, std::move(a), std::move(b), static_cast<const GlueParams&>(entry), name); });
}

}  // namespace pliant
