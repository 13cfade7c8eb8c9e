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
        const std::vector<int> particles = side.particles.empty() ? std::vector<int>() : particles_of(side, path);
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
        if (!side.particles.empty() && side.body.empty())
            source_.fail(path + "/particles", "of which body? give body too");
        if (!side.weights.empty() && side.particles.empty())
            source_.fail(path + "/weights", "of which particles? give particles too");
        if (!side.weights.empty() && side.at)
            source_.fail(path + "/at", "the weights say where the point is; remove at or weights");
    }

    /// The particles that a user can count: those of a solid in the order of its points, those of a rod without ghosts.
    std::vector<int> countable(const std::string& name, const std::string& path) const
    {
        std::vector<int> all;
        const auto list = [&](Range range) {
            for (int i = range.first; i < range.end(); ++i)
                if (!world_.particles->is_ghost(i)) all.push_back(i);
        };
        if (const int i = index_of(name, world_.solids); i >= 0) {
            for (const int p : world_.solids[i].particle_of_point) all.push_back(world_.solids[i].particles.first + p);
        } else if (const int c = index_of(name, world_.cloths); c >= 0) {
            list(world_.cloths[c].particles);
        } else if (const int r = index_of(name, world_.rods); r >= 0) {
            list(world_.rods[r].particles);
        } else {
            source_.fail(path + "/particles", fmt::format("\"{}\" is rigid and has none; use at", name));
        }
        return all;
    }

    std::vector<int> particles_of(const GlueSideEntry& side, const std::string& path) const
    {
        const std::vector<int> all = countable(side.body, path);
        std::vector<int> chosen;
        for (const int i : side.particles) {
            if (i >= static_cast<int>(all.size()))
                source_.fail(path + "/particles",
                             fmt::format("there is no particle {}; \"{}\" has {}", i, side.body, all.size()));
            chosen.push_back(all[i]);
        }
        return chosen;
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
        if (!side.particles.empty()) return middle_of(side, path);
        if (other.at) return *other.at;
        if (!other.particles.empty()) return middle_of(other, path);
        source_.fail(path_, "does not say where; give at, such as [0, 1, 0], or particles of a side");
    }

    Anchor anchor_on_body(const std::string& name, const Vec3d& at) const
    {
        if (const int i = index_of(name, world_.solids); i >= 0)
            return anchor_on(world_, world_.solids.id_at(i), at);
        if (const int i = index_of(name, world_.cloths); i >= 0)
            return anchor_on(world_, world_.cloths.id_at(i), at);
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
