#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_parts.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace pliant {

namespace {

/// Builds the two anchors of a glue.
class AnchorBuilder {
  public:
    AnchorBuilder(const GlueEntry& entry, const std::string& path, const SceneSource& source, const World& world)
        : entry_(entry), path_(path), source_(source), world_(world)
    {
        check_keys(entry.a, path + "/a");
        check_keys(entry.b, path + "/b");
    }

    Anchor build(const GlueSideEntry& side, const GlueSideEntry& other, const char* key) const
    {
        const std::string path = fmt::format("{}/{}", path_, key);
        const Vec3d at = point_of(side, other, path);
        const std::vector<int> particles = names_particles(side) ? particles_of(side, path) : std::vector<int>();
        Anchor anchor;
        source_.guard(path, [&] {
            if (!side.weights.empty()) anchor = anchor_on_mean(world_.particles, particles, side.weights);
            else if (!particles.empty()) anchor = anchor_on_particles(world_.particles, particles, at);
            else anchor = anchor_of(side, at, path);
        });
        return anchor;
    }

    /// The particles that side a names, for one glue each.
    std::vector<int> particles_of_a() const
    {
        if (!names_particles(entry_.a))
            source_.fail(path_ + "/each", "of which particles? give a particles, a group, or low and high");
        if (entry_.at || entry_.a.at || entry_.b.at || !entry_.a.weights.empty() || !entry_.b.weights.empty())
            source_.fail(path_ + "/each", "each particle is glued at its own place; remove at and weights, or each");
        return particles_of(entry_.a, path_ + "/a");
    }

    /// Side a at one of its particles: the particle alone, or the body around it where an orientation is to be held.
    Anchor build_at(int particle) const
    {
        const Vec3d at = world_.particles->x[particle].cast<double>();
        Anchor anchor;
        source_.guard(path_ + "/a", [&] {
            anchor = holds_turn(entry_.kind) ? anchor_of(entry_.a, at, path_)
                                             : anchor_on_particles(world_.particles, std::vector{particle}, at);
        });
        return anchor;
    }
    /// Side b at that place.
    Anchor build_opposite(int particle) const
    {
        const Vec3d at = world_.particles->x[particle].cast<double>();
        if (names_particles(entry_.b)) {
            GlueSideEntry side = entry_.b;
            side.at = at;
            return build(side, entry_.a, "b");
        }
        Anchor anchor;
        source_.guard(path_ + "/b", [&] { anchor = anchor_of(entry_.b, at, path_); });
        return anchor;
    }

  private:
    void check_keys(const GlueSideEntry& side, const std::string& path) const
    {
        const bool boxed = side.low || side.high;
        const char* which = !side.group.empty() ? "/group" : boxed ? "/low" : "/particles";
        if (side.motion && !side.body.empty())
            source_.fail(path + "/motion", fmt::format("carries a point of the world, but \"{}\" carries this one; "
                                                       "remove motion or body",
                                                       side.body));
        if (side.motion) check_motion(*side.motion, source_.place(path + "/motion").c_str());
        if (names_particles(side) && side.body.empty()) source_.fail(path + which, "of which body? give body too");
        if (int{boxed} + int{!side.group.empty()} + int{!side.particles.empty()} > 1)
            source_.fail(path + which, fmt::format("is given beside {}; keep one of them",
                                                   side.particles.empty() ? "a box" : "particles"));
        if (boxed && !(side.low && side.high)) source_.fail(path, "needs both low and high");
        if (!side.weights.empty() && side.particles.empty())
            source_.fail(path + "/weights", "of which particles? give particles too");
        if (!side.weights.empty() && side.at)
            source_.fail(path + "/at", "the weights say where the point is; remove at or weights");
    }

    static bool names_particles(const GlueSideEntry& side)
    {
        return !side.particles.empty() || !side.group.empty() || side.low || side.high;
    }

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
        std::vector<int> found;
        const auto choose = [&](const char* kind, Range range, const std::vector<int>& points,
                                const PolygonFaces* faces) {
            const AddedBody body{kind, range, points, {}, faces};
            if (side.low) found = find_in_box(*side.low, *side.high, body, path, source_, world_);
            else found = find_points(side.particles, side.group, body, path, source_);
        };
        const auto visit = [&](auto id) {
            const auto& body = get(world_, id);
            using Body = std::remove_cvref_t<decltype(body)>;
            if constexpr (std::is_same_v<Body, Rod>) choose("rod", body.particles, rod_points(body), nullptr);
            else if constexpr (requires { counted_points(body); })
                choose(Body::kKind, body.particles, counted_points(body), counted_faces(body));
            else
                source_.fail(path + (side.group.empty() ? side.low ? "/low" : "/particles" : "/group"),
                             fmt::format("\"{}\" is rigid and has none; use at", side.body));
        };
        std::visit(visit, body_of(side, path));
        return found;
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

    /// Said here, by the whole glue, by the particles, or by the other side; otherwise where the bodies are nearest.
    Vec3d point_of(const GlueSideEntry& side, const GlueSideEntry& other, const std::string& path) const
    {
        if (side.at) return *side.at;
        if (!side.weights.empty()) return middle_of(side, path);
        if (entry_.at) return *entry_.at;
        if (names_particles(side)) return middle_of(side, path);
        if (other.at) return *other.at;
        if (names_particles(other)) return middle_of(other, path);
        if (side.body.empty() || other.body.empty())
            source_.fail(path_, "does not say where; give at, such as [0, 1, 0], or particles or a group of a side");
        return nearest_to(side, other, path);
    }

    /// A distance leads from one body to the other; all else is glued in the middle of the gap, which stays.
    Vec3d nearest_to(const GlueSideEntry& side, const GlueSideEntry& other, const std::string& path) const
    {
        ClosestPoints near;
        source_.guard(path_, [&] { near = closest_points(world_, body_of(side, path), body_of(other, path)); });
        return entry_.kind == GlueKind::distance ? near.a : 0.5 * (near.a + near.b);
    }

    BodyRef body_of(const GlueSideEntry& side, const std::string& path) const
    {
        return find_body(side.body, path + "/body", source_, world_);
    }

    Anchor anchor_of(const GlueSideEntry& side, const Vec3d& at, const std::string& path) const
    {
        if (side.body.empty()) return anchor_on_motion(at, side.motion.value_or(Motion{}));
        return anchor_at(body_of(side, path), at, entry_.kind, world_);
    }

    const GlueEntry& entry_;
    const std::string& path_;
    const SceneSource& source_;
    const World& world_;
};

/// The names of the bodies that a side means, in the order of the world; one empty name for the world itself.
std::vector<std::string> bodies_of(const GlueSideEntry& side, const std::string& path, const SceneSource& source,
                                   const World& world)
{
    if (side.body.empty()) return {""};
    std::vector<std::string> names = body_names(world);
    std::erase_if(names, [&](const std::string& name) { return !is_meant(side.body, name); });
    if (names.empty()) find_body(side.body, path + "/body", source, world);  // says what is wrong
    return names;
}

/// Where a body is: its first particle, or its centre if it is rigid.
Vec3d origin_of(const BodyRef& body, const World& world)
{
    const auto read = [&](auto id) -> Vec3d {
        if constexpr (requires { get(world, id).particles; })
            return world.particles->x[get(world, id).particles.first].template cast<double>();
        else if constexpr (std::is_same_v<decltype(id), RigidId>)
            return world.rigid_bodies->pose[world.rigids.index(id)].x.template cast<double>();
        else return {};
    };
    return std::visit(read, body);
}

/// Moves what the entry places in the world along with a copy.
void move_places(const Vec3d& offset, GlueEntry& entry)
{
    for (std::optional<Vec3d>* place :
         {&entry.at, &entry.a.at, &entry.a.low, &entry.a.high, &entry.b.at, &entry.b.low, &entry.b.high})
        if (*place) **place += offset;
}

/// The entry with the names of two bodies, whose places have moved with the one that is a copy.
GlueEntry between(const GlueEntry& entry, const std::string& a, const std::string& b, const Vec3d& offset)
{
    GlueEntry copy = entry;
    copy.a.body = a;
    copy.b.body = b;
    move_places(offset, copy);
    return copy;
}

/// One entry for each pair of bodies that the entry means.
std::vector<GlueEntry> pair_up(const GlueEntry& entry, const std::string& path, const SceneSource& source,
                               const World& world)
{
    const std::vector<std::string> a = bodies_of(entry.a, path + "/a", source, world),
                                   b = bodies_of(entry.b, path + "/b", source, world);
    const bool many_a = entry.a.body.ends_with('*'), many_b = entry.b.body.ends_with('*');
    const bool neighbours = many_a && entry.a.body == entry.b.body;
    if (neighbours && a.size() < 2)
        source.fail(path + "/a/body",
                    fmt::format("\"{}\" is one body alone; two are needed to glue them", entry.a.body));
    if (many_a && many_b && a.size() != b.size())
        source.fail(path + "/b/body", fmt::format("\"{}\" means {} bodies, but \"{}\" {}; they are paired one by one",
                                                  entry.b.body, b.size(), entry.a.body, a.size()));
    std::vector<GlueEntry> entries;
    const std::vector<std::string>& copies = many_a ? a : b;
    const auto place = [&](std::size_t i) { return origin_of(find_body(copies[i], path, source, world), world); };
    for (std::size_t i = 0; i + (neighbours ? 1 : 0) < copies.size(); ++i) {
        const Vec3d offset = i == 0 ? Vec3d{} : place(i) - place(0);
        entries.push_back(between(entry, many_a ? a[i] : a[0], neighbours ? a[i + 1] : many_b ? b[i] : b[0], offset));
    }
    return entries;
}

}  // namespace

int add_glue(const GlueEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
             World& world)
{
    const std::vector<GlueEntry> pairs = pair_up(entry, path, source, world);
    const bool many = entry.each || entry.a.body.ends_with('*') || entry.b.body.ends_with('*');
    int count = 0;
    const auto add = [&](Anchor a, Anchor b) {
        source.guard(path, [&] {
            add_glue(world, std::move(a), std::move(b), static_cast<const GlueParams&>(entry),
                     many ? fmt::format("{}-{}", name, count) : name);
        });
        ++count;
    };
    for (const GlueEntry& pair : pairs) {
        const AnchorBuilder builder(pair, path, source, world);
        if (!entry.each) {
            Anchor a = builder.build(pair.a, pair.b, "a");
            add(std::move(a), builder.build(pair.b, pair.a, "b"));
            continue;
        }
        for (const int particle : builder.particles_of_a())
            add(builder.build_at(particle), builder.build_opposite(particle));
    }
    return count;
}

}  // namespace pliant
