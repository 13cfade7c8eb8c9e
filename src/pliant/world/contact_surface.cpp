#include "pliant/world/contact_surface.h"

#include "pliant/contact/colliders/collider_crossings.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/world/assemblies.h"
#include "pliant/world/bodies.h"
#include "pliant/world/bonds.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pliant {

namespace {

constexpr double kRigidDetail = 0.2;  // size of details, relative to the mean edge, if all bodies are rigid

struct MeanLength {
    double sum = 0;
    int count = 0;

    void add(double length)
    {
        sum += length;
        ++count;
    }
    double mean() const { return sum / count; }
};

class SurfaceMaker {
  public:
    explicit SurfaceMaker(const World& world) : world_(world), next_carried_(world.particles->size())
    {
        out_.particles = world.particles->size();
        for (const Rigid& rigid : world.rigids) {
            const int body = static_cast<int>(&rigid - world.rigids.data());
            for (const Vec3& p : rigid.points) out_.carried.push_back({body, p});
        }
        out_.rest.resize(out_.points() + 1);
        out_.glued.resize(out_.points() + 1);
    }

    ContactSurface make()
    {
        for_each_body(world_, [&](const auto& body) { add(body); });
        if (soft_.count > 0) out_.edge_length = soft_.mean();
        else if (all_.count > 0) out_.edge_length = kRigidDetail * all_.mean();
        out_.bodies = static_cast<int>(out_.names.size());
        set_pairings();
        apply_filters();
        for (int b = out_.bodies - static_cast<int>(world_.rigids.size()); b < out_.bodies; ++b)
            out_.pairings[static_cast<std::size_t>(b) * out_.bodies + b].on = false;
        out_.touching = may_touch(world_) && std::ranges::any_of(out_.pairings, &ContactSurface::Pairing::on);
        out_.all_touch = std::ranges::all_of(out_.pairings, &ContactSurface::Pairing::on);
        leave_out_glued();
        note_let_go();
        return std::move(out_);
    }

  private:
    void note_let_go()
    {
        const BodyTable bodies(world_);
        for (const Glue& glue : world_.glues) {
            const int a = bodies.of(glue.a), b = bodies.of(glue.b);
            if (!glue.on && a >= 0 && b >= 0) out_.let_go.push_back({std::min(a, b), std::max(a, b)});
        }
    }

    Vec3d place(int point) const
    {
        return out_.is_carried(point) ? out_.carrier(point).place.cast<double>() : out_.rest[point].cast<double>();
    }

    /// Adds points, edges and triangles of one body, each in an order in which neighbours are near each other.
    void add(int body, std::vector<int> points, const std::vector<std::array<int, 2>>& edges,
             const std::vector<std::array<int, 3>>& triangles)
    {
        const auto ordered = [&](std::size_t count, const auto& center) {
            std::vector<Vec3d> centers(count);
            for (std::size_t i = 0; i < count; ++i) centers[i] = center(i);
            return order_along_curve(centers);
        };
        for (const int i : ordered(points.size(), [&](std::size_t k) { return place(points[k]); }))
            out_.vertices.push_back({points[i], body});
        for (const int i :
             ordered(edges.size(), [&](std::size_t k) { return 0.5 * (place(edges[k][0]) + place(edges[k][1])); })) {
            out_.edges.push_back({edges[i][0], edges[i][1], body});
            const auto [a, b] = edges[i];
            const double length =
                a == b ? static_cast<double>(world_.particles->radius[a]) : (place(a) - place(b)).norm();
            all_.add(length);
            if (!out_.is_carried(a)) soft_.add(length);
        }
        for (const int i : ordered(triangles.size(), [&](std::size_t k) {
                 return place(triangles[k][0]) + place(triangles[k][1]) + place(triangles[k][2]);
             }))
            out_.triangles.push_back({triangles[i], body});
    }

    /// Adds a body whose points are consecutive from `first` on: its particles, or the points of a rigid body.
    void add(const std::string& name, int first, const RestSurface& surface)
    {
        std::vector<int> points = surface.points;
        for (int& i : points) i += first;
        std::vector<std::array<int, 2>> edges = surface.edges;
        for (auto& edge : edges)
            for (int& i : edge) i += first;
        std::vector<std::array<int, 3>> triangles = surface.triangles;
        for (auto& triangle : triangles)
            for (int& i : triangle) i += first;
        out_.names.push_back(name);
        add(static_cast<int>(out_.names.size()) - 1, std::move(points), edges, triangles);
    }

    /// All particles of a mesh, also those inside; of other bodies those that touch, and what is between them.
    static Range range_of(Range body, const RestSurface& surface)
    {
        if (!surface.triangles.empty() || surface.points.empty()) return surface.points.empty() ? Range{} : body;
        const auto [low, high] = std::ranges::minmax(surface.points);
        return {body.first + low, high - low + 1};
    }

    template <class Body>
    void add(const Body& body)
    {
        const RestSurface surface = rest_surface(body);
        for (int i = 0; i < body.particles.count; ++i)
            out_.rest[body.particles.first + i] = surface.rest[i].cast<Real>();
        out_.ranges.push_back(range_of(body.particles, surface));
        add(body.name, body.particles.first, surface);
    }
    void add(const Rigid& rigid)
    {
        out_.ranges.emplace_back();
        add(rigid.name, next_carried_, rest_surface(rigid));
        next_carried_ += static_cast<int>(rigid.points.size());
    }

    void set_pairings()
    {
        const ContactParams& params = *world_.contact;
        const auto sliding = [](Real friction, Real other) { return other < 0 ? friction : other; };
        const std::size_t bodies = out_.names.size();
        out_.pairings.assign(bodies * bodies,
                             {true, params.friction, sliding(params.friction, params.sliding_friction)});
        if (!params.on) {
            const std::vector<char> touching = usual_touching(world_, BodyTable(world_));
            for (std::size_t i = 0; i < touching.size(); ++i) out_.pairings[i].on = touching[i] != 0;
        }
        for (const ContactRule& rule : params.rules) {
            for (std::size_t a = 0; a < bodies; ++a) {
                for (std::size_t b = 0; b < bodies; ++b) {
                    if (!is_meant(rule.between[0], out_.names[a]) || !is_meant(rule.between[1], out_.names[b]))
                        continue;
                    out_.pairings[a * bodies + b] = out_.pairings[b * bodies + a] = {
                        rule.on, rule.friction, sliding(rule.friction, rule.sliding_friction)};
                }
            }
        }
    }

    /// Bodies are in the order of for_each_body.
    int body_of(const BodyRef& ref) const
    {
        const auto number = [](int before, int index) { return index < 0 ? -1 : before + index; };
        const int solids = static_cast<int>(world_.solids.size()), cloths = static_cast<int>(world_.cloths.size());
        const int rods = static_cast<int>(world_.rods.size());
        if (const auto* s = std::get_if<SolidId>(&ref)) return number(0, world_.solids.index(*s));
        if (const auto* c = std::get_if<ClothId>(&ref)) return number(solids, world_.cloths.index(*c));
        if (const auto* r = std::get_if<RodId>(&ref)) return number(solids + cloths, world_.rods.index(*r));
        if (const auto* r = std::get_if<RigidId>(&ref)) return number(solids + cloths + rods, world_.rigids.index(*r));
        return -1;
    }
    void apply_filters()
    {
        for (const ContactFilter& filter : *world_.contact_filters) {
            const int a = body_of(filter.a), b = body_of(filter.b);
            if (a < 0 || b < 0) continue;
            const auto n = static_cast<std::size_t>(out_.bodies);
            out_.pairings[static_cast<std::size_t>(a) * n + b].on = filter.touch;
            out_.pairings[static_cast<std::size_t>(b) * n + a].on = filter.touch;
        }
    }

    static std::vector<int> names_of(const Anchor& anchor)
    {
        if (anchor.kind == AnchorKind::rigid) return {ContactSurface::name_of_rigid(anchor.body)};
        return anchor.kind == AnchorKind::cloud ? anchor.parents : std::vector<int>();
    }
    void leave_out_glued()
    {
        const bool usual = !world_.contact->on;
        for (const Glue& glue : world_.glues) {
            if (usual && !glue.on && !glue.bonded) continue;  // what glue has let go of touches again
            for (const int a : names_of(glue.a))
                for (const int b : names_of(glue.b)) out_.glue.emplace_back(std::min(a, b), std::max(a, b));
        }
        std::ranges::sort(out_.glue);
        leave_out_chains();
        leave_out_bonds();
        std::vector<int> names;
        for (const auto& [a, b] : out_.glue) names.insert(names.end(), {a, b});
        std::ranges::sort(names);
        for (int p = 0; p < out_.points(); ++p)
            out_.glued[p] = std::ranges::binary_search(names, out_.glue_name(p)) ? 1 : 0;
    }

    /// For glue: the name of a body's first particle, or of a rigid body.
    std::vector<int> first_names() const
    {
        std::vector<int> names;
        for_each_body(world_, [&](const auto& body) { names.push_back(particles_of(body).first); });
        const int soft = out_.bodies - static_cast<int>(world_.rigids.size());
        for (int b = soft; b < out_.bodies; ++b) names[b] = ContactSurface::name_of_rigid(b - soft);
        return names;
    }
    void leave_out_bonds()
    {
        const std::vector<int> first = first_names();
        for (const Bond& bond : *world_.bonds) {
            const int a = body_of(bond.a), b = body_of(bond.b);
            if (a < 0 || b < 0) continue;
            for (const auto& [p, q] : bond.points)
                out_.glue.emplace_back(std::minmax({first[a] + std::max(p, 0), first[b] + std::max(q, 0)}));
        }
        std::ranges::sort(out_.glue);
    }

    /// Where the boundaries of several bodies meet, points that are glued to the same particle count as glued to each
    /// other.
    void leave_out_chains()
    {
        std::vector<int> body_of(static_cast<std::size_t>(out_.particles), -1);
        for (const auto& [point, body] : out_.vertices)
            if (!out_.is_carried(point)) body_of[point] = body;
        std::map<int, std::vector<int>> glued_to;
        for (const auto& [a, b] : out_.glue) {
            if (a < 0 || b < 0) continue;  // points glued to a rigid body may be far apart
            glued_to[a].push_back(b);
            glued_to[b].push_back(a);
        }
        for (const auto& [middle, ends] : glued_to)
            for (const int a : ends)
                for (const int b : ends)
                    if (a < b && body_of[a] != body_of[b]) out_.glue.emplace_back(a, b);
        std::ranges::sort(out_.glue);
    }

    const World& world_;
    ContactSurface out_;
    int next_carried_;  // the first point of the next rigid body
    MeanLength all_, soft_;
};

}  // namespace

bool is_meant(std::string_view name, std::string_view body)
{
    return name == body || (name.ends_with('*') && body.starts_with(name.substr(0, name.size() - 1)));
}

bool may_touch(const World& world)
{
    const ContactParams& params = *world.contact;
    const auto touches_all_the_same = [](const auto& rule) {
        if constexpr (requires { rule.touch; }) return rule.touch;
        else return rule.on;
    };
    std::size_t bodies = 0;
    for_each_body(world, [&](const auto&) { ++bodies; });
    return params.on.value_or(bodies > 1 || world.cloths.size() > 0 ||
                              std::ranges::any_of(params.rules, touches_all_the_same) ||
                              std::ranges::any_of(*world.contact_filters, touches_all_the_same));
}

ContactSurface make_contact_surface(const World& world) { return SurfaceMaker(world).make(); }

namespace {

/// Calls measure(world) with the bonds that the next step will find.
template <class Measure>
auto with_bonds(const World& world, const Measure& measure)
{
    if (!may_touch(world) || bonds_are_known(world)) return measure(world);
    World bonded = world;
    update_bonds(bonded);
    return measure(bonded);
}

}  // namespace

std::vector<ColliderCrossing> find_collider_crossings(const World& world)
{
    if (world.colliders.empty()) return {};
    const ContactSurface surface = make_contact_surface(world);
    std::vector<PlacedCollider> placed;
    place_colliders(world.colliders, world.time, 0, placed);
    return find_collider_crossings(make_collider_features(surface, world.rigid_bodies), placed, surface,
                                   world.particles, world.rigid_bodies);
}

std::size_t count_intersections(const World& world)
{
    return find_crossings(world).size() + find_collider_crossings(world).size();
}

std::vector<Crossing> find_crossings(const World& world)
{
    if (!may_touch(world)) return {};
    return with_bonds(world, [](const World& bonded) {
        const ContactSurface surface = make_contact_surface(bonded);
        return find_crossings(surface, places_of_points(surface, bonded.particles, bonded.rigid_bodies));
    });
}

}  // namespace pliant
