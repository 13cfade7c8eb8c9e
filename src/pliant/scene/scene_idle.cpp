// Warnings about keys that have no effect or are surely a mistake, with file, line and key.

#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pliant {

namespace {

std::string path_of(const char* list, std::size_t i) { return fmt::format("{}/{}", list, i); }

void check_solids(const SceneFile& file, const SceneSource& source)
{
    if (iterations_of(file.settings) > 0) return;
    for (std::size_t i = 0; i < file.solids.size(); ++i) {
        for (const char* key : {"gamma", "omega", "limiter"}) {
            const std::string path = path_of("solids", i) + "/" + key;
            if (source.says(path))
                source.warn(path, fmt::format("has no effect while settings/iterations is 0; set that to 1 or more, or "
                                              "remove {}",
                                              key));
        }
    }
}

/// Calls visit(number of the entry, body); the first copy of an array stands for all.
template <class Entry, class Body, class Visit>
void for_each_entry(const std::vector<Entry>& entries, const BodyList<Body>& bodies, const Visit& visit)
{
    std::size_t body = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        visit(i, bodies[body]);
        body += entries[i].array ? copy_offsets(*entries[i].array).size() : 1;
    }
}

void check_cloths(const SceneFile& file, const SceneSource& source, const World& world)
{
    for_each_entry(file.cloths, world.cloths, [&](std::size_t i, const Cloth& cloth) {
        const auto thickness = static_cast<double>(thickness_of(cloth));
        const double mean = cloth.mean_edge;
        if (thickness > mean)
            source.warn(path_of("cloths", i) + "/thickness",
                        fmt::format("{:.3g} m is more than the mean edge length of {:.3g} m; make the cloth thinner or "
                                    "its mesh coarser",
                                    thickness, mean));
    });
}

void check_rods(const SceneFile& file, const SceneSource& source)
{
    for (std::size_t i = 0; i < file.rods.size(); ++i) {
        for (const char* key : {"bend", "twist"}) {
            const std::string path = path_of("rods", i) + "/" + key;
            if (file.rods[i].youngs_modulus.value_or(0) > 0 && source.says(path))
                source.warn(path, "has no effect beside youngs_modulus, which takes its place; remove one of them");
        }
    }
}

/// How many pins hold each particle.
std::vector<int> count_pins(const World& world)
{
    std::vector<int> pins(static_cast<std::size_t>(world.particles->size()));
    for (const PinnedSet& set : world.drivers->pins)
        for (const int i : std::set<int>(set.particles.begin(), set.particles.end())) ++pins[i];
    return pins;
}

void check_pins(const std::vector<int>& pins, const char* list, std::size_t i, Range body, const SceneSource& source)
{
    const auto twice = std::find_if(pins.begin() + body.first, pins.begin() + body.end(), [](int n) { return n > 1; });
    if (twice == pins.begin() + body.end()) return;
    const std::string path = path_of(list, i);
    const auto count = std::count_if(twice, pins.begin() + body.end(), [](int n) { return n > 1; });
    source.warn(path + (source.says(path + "/pins") ? "/pins" : ""),
                fmt::format("{} particle{} held more than once (by pins, clamps or as roots of hair), the first at "
                            "number {}: the last one carries it, and the first release lets go; leave it to one",
                            count, count == 1 ? " is" : "s are", twice - pins.begin() - body.first));
}

void check_pins(const SceneFile& file, const SceneSource& source, const World& world)
{
    const std::vector<int> pins = count_pins(world);
    const auto check_all = [&](const auto& entries, const char* list, const auto& bodies) {
        for_each_entry(entries, bodies,
                       [&](std::size_t i, const auto& body) { check_pins(pins, list, i, body.particles, source); });
    };
    check_all(file.cloths, "cloths", world.cloths);
    check_all(file.rods, "rods", world.rods);
    check_all(file.solids, "solids", world.solids);
}

/// Whether a side of a glue cannot move.
bool is_held(const Anchor& anchor, const World& world)
{
    if (anchor.kind == AnchorKind::motion) return true;
    if (anchor.kind == AnchorKind::rigid)
        return std::ranges::any_of(world.drivers->held,
                                   [&](const HeldRigid& held) { return held.body == anchor.body && held.release < 0; });
    return std::ranges::all_of(anchor.parents, [&](int parent) {
        return world.particles->inv_mass[parent] == 0 &&
               std::ranges::any_of(world.drivers->pins, [&](const PinnedSet& set) {
                   return set.release < 0 && std::ranges::find(set.particles, parent) != set.particles.end();
               });
    });
}

void check_glue(const SceneFile& file, const SceneSource& source, const World& world, std::span<const Range> glues)
{
    for (std::size_t i = 0; i < file.glue.size(); ++i) {
        const std::string path = path_of("glue", i);
        for (const char* side : {"a", "b"}) {
            if (!source.says(path + "/" + side))
                source.warn(path + "/" + side,
                            fmt::format("is missing, so that the other side is glued to the still world; name a body, "
                                        "or write \"{}\": {{}} if the world is meant",
                                        side));
        }
        const auto is_idle = [&](const Glue& glue) { return is_held(glue.a, world) && is_held(glue.b, world); };
        if (std::ranges::any_of(world.glues.begin() + glues[i].first, world.glues.begin() + glues[i].end(), is_idle))
            source.warn(path, "has no effect: both sides are held or carried; let one of them move");
    }
}

/// The strand of a rod that an anchor holds; -1 if it is on another body.
int strand_of(const Anchor& anchor, const Rod& rod)
{
    if (anchor.parents.empty() || !rod.particles.contains(anchor.parents.front())) return -1;
    const int particle = anchor.parents.front() - rod.particles.first;
    const auto edge = std::ranges::find_if(
        rod.edges, [&](const Rod::Edge& e) { return e.p0 == particle || e.p1 == particle || e.ghost == particle; });
    const auto number = static_cast<int>(edge - rod.edges.begin());
    return static_cast<int>(std::ranges::upper_bound(rod.first_edge, number) - rod.first_edge.begin()) - 1;
}

/// A weld holds one edge. In a hair body that is one strand of many; the others stay free.
void check_welds(const Rod& rod, const SceneFile& file, const SceneSource& source, const World& world,
                 std::span<const Range> glues)
{
    if (rod.strands() < 2 || rod.branches) return;
    std::set<int> welded;  // strands
    std::size_t last = file.glue.size();
    for (std::size_t i = 0; i < file.glue.size(); ++i) {
        for (int g = glues[i].first; g < glues[i].end(); ++g) {
            const Glue& glue = world.glues[g];
            for (const Anchor* anchor : {&glue.a, &glue.b}) {
                const int strand = glue.params.kind == GlueKind::weld ? strand_of(*anchor, rod) : -1;
                if (strand < 0) continue;
                welded.insert(strand);
                last = i;
            }
        }
    }
    if (welded.size() == 1)
        source.warn(path_of("glue", last),
                    fmt::format("the weld holds strand {} of \"{}\" alone and leaves the other {} free; weld each of "
                                "them (\"roots\" of the rod does), or pin or clamp them",
                                *welded.begin(), rod.name, rod.strands() - 1));
}

}  // namespace

void warn_about_idle(const SceneFile& file, const SceneSource& source, const World& world, std::span<const Range> glues)
{
    check_solids(file, source);
    check_cloths(file, source, world);
    check_rods(file, source);
    check_pins(file, source, world);
    check_glue(file, source, world, glues);
    for (const Rod& rod : world.rods) check_welds(rod, file, source, world, glues);
}

}  // namespace pliant
