#include "pliant/files/mesh_files.h"
#include "pliant/files/strand_files.h"
#include "pliant/geometry/courses.h"
#include "pliant/rods/frame.h"
#include "pliant/scene/shape_in_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

namespace {

using RodShapeRef = const RodShapeEntry&;

std::vector<Strand> one(RodShapeRef e, Course course, bool closed = false)
{
    Strand strand;
    strand.points = std::move(course);
    strand.closed = closed;
    strand.twist = e.twist;
    return {strand};
}

std::vector<Strand> strands_of(std::vector<Course> courses)
{
    std::vector<Strand> strands;
    for (Course& course : courses) strands.emplace_back().points = std::move(course);
    return strands;
}

std::vector<Strand> hair(RodShapeRef e) { return strands_of(make_hair(e.radius, e.length, e.curl, e.count, e.edges)); }

std::vector<Strand> tree(RodShapeRef e)
{
    std::vector<Strand> strands;
    for (Branch& branch : make_tree(e.length, e.edges, e.levels, e.branches, e.spread)) {
        Strand& strand = strands.emplace_back();
        strand.points = std::move(branch.course);
        strand.parent = branch.parent;
        strand.parent_point = branch.point;
        strand.thickness = branch.thickness;
    }
    return strands;
}

/// At most, for a tree.
double count_particles(RodShapeRef e)
{
    const double each = 2.0 * e.edges + 1;
    if (e.kind == RodShapeKind::hair || e.kind == RodShapeKind::bundle) return each * e.count;
    if (e.kind != RodShapeKind::tree) return each;
    double strands = 1, level = 1;
    for (int l = 0; l < e.levels; ++l) strands += level *= e.branches;
    return each * strands;
}

/// What each kind of course reads of its entry.
struct RodRule {
    RodShapeKind kind;
    std::array<const char*, 6> keys;           // beside kind
    std::vector<Strand> (*make)(RodShapeRef);  // null: the points come from elsewhere

    bool reads(const std::string& key) const
    {
        return std::any_of(keys.begin(), keys.end(), [&](const char* k) { return key == k; });
    }
    /// The key to look at when points are wrong.
    const char* points_key() const { return make != nullptr ? "" : reads("file") ? "file" : "points"; }
};

constexpr RodRule kRodKinds[] = {
    {RodShapeKind::line,
     {"from", "to", "edges", "twist", "", ""},
     [](RodShapeRef e) { return one(e, make_line(e.from, e.to, e.edges)); }},
    {RodShapeKind::helix,
     {"radius", "pitch", "turns", "edges", "twist", ""},
     [](RodShapeRef e) { return one(e, make_helix(e.radius, e.pitch, e.turns, e.edges)); }},
    {RodShapeKind::ring,
     {"radius", "edges", "twist", "", "", ""},
     [](RodShapeRef e) { return one(e, make_ring(e.radius, e.edges), true); }},
    {RodShapeKind::spiral,
     {"inner_radius", "radius", "turns", "edges", "twist", ""},
     [](RodShapeRef e) { return one(e, make_spiral(e.inner_radius, e.radius, e.turns, e.edges)); }},
    {RodShapeKind::points, {"points", "", "", "", "", ""}, nullptr},
    {RodShapeKind::polyline, {"file", "", "", "", "", ""}, nullptr},
    {RodShapeKind::hair, {"radius", "count", "edges", "length", "curl", "file"}, hair},
    {RodShapeKind::bundle,
     {"radius", "count", "edges", "length", "flare", ""},
     [](RodShapeRef e) { return strands_of(make_bundle(e.radius, e.length, e.count, e.edges, e.flare)); }},
    {RodShapeKind::tree, {"length", "edges", "levels", "branches", "spread", ""}, tree},
};

const RodRule& rule_of(RodShapeKind kind) { return *std::ranges::find(kRodKinds, kind, &RodRule::kind); }

/// With a ghost an edge.
double count_particles(const std::vector<Strand>& strands)
{
    double count = 0;
    for (const Strand& s : strands)
        count += 2.0 * static_cast<double>(s.points.size()) - (s.closed ? 0 : 1) - (s.parent >= 0 ? 1 : 0);
    return count;
}

std::vector<Strand> make_course(RodShapeRef shape, const RodRule& rule, const ShapeInFile& file)
{
    std::vector<Strand> strands;
    if (rule.make != nullptr) {
        const bool one_fits = 2.0 * shape.edges + 1 <= file.most();
        const char* many = shape.kind == RodShapeKind::tree ? "branches" : "count";
        const double count = count_particles(shape);
        file.check_count(one_fits && count > 2.0 * shape.edges + 1 ? many : "edges", count, "; ask for fewer");
        if (shape.file.empty()) {
            strands = file.located("", [&] { return rule.make(shape); });
        } else {
            const SurfaceMesh surface =
                file.read(shape.file, name_of(shape.kind), [](const std::string& path) { return read_surface(path); });
            strands = file.located("file", [&] {
                return strands_of(make_hair(surface, shape.length, shape.curl, shape.count, shape.edges));
            });
        }
    } else if (shape.kind == RodShapeKind::polyline) {
        strands =
            file.read(shape.file, name_of(shape.kind), [](const std::string& path) { return read_strands(path); });
    } else {
        if (shape.points.size() < 2)
            file.fail("points", fmt::format("are {}; a rod needs two or more", shape.points.size()));
        strands = {strand_of(shape.points)};
    }
    file.check_count(rule.points_key(), count_particles(strands), "");
    return strands;
}

void check_section(const RodParams& p, const std::string& path, const SceneSource& source)
{
    if ((p.width > 0) == (p.thickness > 0)) return;
    const bool wide = p.width > 0;
    source.fail(path + (wide ? "/width" : "/thickness"),
                fmt::format("is {:.4g} without {}; a rectangular section needs both, a round one only radius",
                            wide ? p.width : p.thickness, wide ? "thickness" : "width"));
}

/// Mass at unit density.
double volume_of(const std::vector<Strand>& strands, RodParams params)
{
    params.density = 1;
    const Rod rod = make_rod(strands, params);
    return std::accumulate(rod.mass.begin(), rod.mass.end(), 0.0);
}

/// Far from the origin or flattened by stretch, points of an edge may come to lie in one place.
void check_edges(const Rod& rod, const std::string& path, const SceneSource& source, const World& world)
{
    const auto at = [&](int p) { return world.particles->x[rod.particles.first + p].cast<double>(); };
    for (int s = 0; s < rod.strands(); ++s) {
        for (int e = rod.first_edge[s]; e < rod.first_edge[s + 1]; ++e) {
            const Rod::Edge& edge = rod.edges[e];
            const EdgeFrame<double> frame = frame_of(at(edge.p0), at(edge.p1), at(edge.ghost));
            const double least = 1e-3 * static_cast<double>(edge.length);
            if (frame.length > least && frame.height > least) continue;
            source.fail(path, fmt::format("edge {} of strand {} is {:.3g} m long at rest and has no direction where it "
                                          "starts; change position, scale or stretch, or ask for fewer edges",
                                          e - rod.first_edge[s], s, edge.length));
        }
    }
}

std::vector<int> points_of(const Rod& rod, const World& world)
{
    std::vector<int> points;
    for (int k = 0; k < rod.particles.count; ++k)
        if (!world.particles->is_ghost(rod.particles.first + k)) points.push_back(k);
    return points;
}

/// Hair stands: its first edge does not turn.
void hold_roots(const Rod& rod, World& world)
{
    std::vector<int> roots;
    for (int s = 0; s < rod.strands(); ++s) {
        const Rod::Edge& edge = rod.edges[rod.first_edge[s]];
        for (const int p : {edge.p0, edge.p1, edge.ghost}) roots.push_back(rod.particles.first + p);
    }
    pin_particles(world, roots);
}

void add_clamps(const RodEntry& entry, const std::string& path, RodId id, const SceneSource& source, World& world)
{
    const Rod& rod = world.rods.back();
    for (std::size_t i = 0; i < entry.clamps.size(); ++i) {
        const ClampEntry& clamp = entry.clamps[i];
        const std::string where = fmt::format("{}/clamps/{}", path, i);
        check_motion(clamp.motion, source.place(where + "/motion").c_str());
        if (clamp.strand >= rod.strands())
            source.fail(where + "/strand", fmt::format("there is no strand {}; the rod has {}, counted from 0",
                                                       clamp.strand, rod.strands()));
        if (rod.closed[static_cast<std::size_t>(clamp.strand)] != 0)
            source.fail(where, fmt::format("strand {} is a ring and has no {}; pin points of it instead", clamp.strand,
                                           name_of(clamp.end)));
        for (std::size_t k = 0; k < i; ++k)
            if (entry.clamps[k].strand == clamp.strand && entry.clamps[k].end == clamp.end)
                source.fail(where, fmt::format("the {} of strand {} is clamped by {}/clamps/{} already; remove one",
                                               name_of(clamp.end), clamp.strand, path, k));
        if (!is_weld(clamp)) source.guard(where, [&] { clamp_rod(world, id, clamp.strand, clamp.end, clamp.motion); });
    }
}

}  // namespace

std::vector<Strand> make_strands(const RodEntry& entry, const std::string& path, const SceneSource& source, double most)
{
    const ShapeInFile file(path, source, most);
    const RodRule& rule = rule_of(entry.shape.kind);
    file.check_keys("rod", name_of(entry.shape.kind), [&](const std::string& key) { return rule.reads(key); });

    std::vector<Strand> strands = make_course(entry.shape, rule, file);
    for (Strand& strand : strands)
        for (Vec3d& point : strand.points) point *= entry.scale;
    return strands;
}

void add_rods(const RodEntry& entry, const std::string& path, const std::string& name, const Placement& placement,
              const Vec3d& offset, const SceneSource& source, World& world)
{
    const std::vector<Strand> strands = make_strands(entry, path, source, kMostParticles - world.particles->size());
    RodParams params = static_cast<const RodParams&>(entry);
    check_section(params, path, source);
    const std::string key = rule_of(entry.shape.kind).points_key();
    const std::string where = path + "/shape" + (key.empty() ? "" : "/" + key);
    if (entry.mass) {
        double volume = 0;
        source.guard(where, [&] { volume = volume_of(strands, params); });
        params.density = spread_mass(*entry.mass, volume, "m^3", path, source);
    }
    RodId id;
    source.guard(where, [&] { id = add_rod(world, strands, params, name); });
    source.guard(path, [&] { place_rod(world, id, placement); });

    const Rod& rod = world.rods.back();
    check_numbers(rod.particles, path, source, world);
    check_masses(rod.particles, "particle", "mass, density, radius or the size of the shape", path, source, world);
    check_edges(rod, path, source, world);
    const std::vector<int> points = points_of(rod, world);
    if (entry.shape.kind == RodShapeKind::hair && entry.roots.empty()) hold_roots(rod, world);
    add_pins(entry, path, {"rod", rod.particles, points, offset}, source, world);
    add_clamps(entry, path, id, source, world);
}

}  // namespace pliant
