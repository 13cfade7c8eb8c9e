#include "pliant/world/contact_surface.h"

#include "pliant/geometry/box_tree.h"
#include "pliant/world/bodies.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pliant {

namespace {

constexpr double kDetailOfRigidEdge = 0.2;  // size of details, of the mean edge, where all bodies are rigid

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
        else if (all_.count > 0) out_.edge_length = kDetailOfRigidEdge * all_.mean();
        out_.bodies = static_cast<int>(out_.names.size());
        set_pairings();
        for (int b = out_.bodies - static_cast<int>(world_.rigids.size()); b < out_.bodies; ++b)
            out_.pairings[static_cast<std::size_t>(b) * out_.bodies + b].on = false;
        out_.all_touch = std::ranges::all_of(out_.pairings, &ContactSurface::Pairing::on);
        leave_out_glued();
        return std::move(out_);
    }

  private:
    int next_body(const std::string& name)
    {
        out_.names.push_back(name);
        return static_cast<int>(out_.names.size()) - 1;
    }

    Vec3d place(int point) const
    {
        return out_.is_carried(point) ? out_.carrier(point).place.cast<double>() : out_.rest[point].cast<double>();
    }

    /// Points, edges and triangles of one body, each in an order along which neighbours are near.
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
            const double length = a == b ? static_cast<double>(world_.particles->radius[a]) : (place(a) - place(b)).norm();
            all_.add(length);
            if (!out_.is_carried(a)) soft_.add(length);
        }
        for (const int i : ordered(triangles.size(), [&](std::size_t k) {
                 return place(triangles[k][0]) + place(triangles[k][1]) + place(triangles[k][2]);
             }))
            out_.triangles.push_back({triangles[i], body});
    }

    /// A mesh of the points from number `first` on.
    void add(int body, int first, std::vector<int> points, const std::vector<MeshEdge>& edges,
             const std::vector<std::array<int, 3>>& triangles)
    {
        std::vector<std::array<int, 2>> edges_of_points;
        for (const MeshEdge& edge : edges) edges_of_points.push_back({first + edge.a, first + edge.b});
        std::vector<std::array<int, 3>> triangles_of_points;
        for (const auto& [a, b, c] : triangles) triangles_of_points.push_back({first + a, first + b, first + c});
        add(body, std::move(points), edges_of_points, triangles_of_points);
    }

    static std::vector<int> numbers(int first, int count)
    {
        std::vector<int> points(static_cast<std::size_t>(count));
        std::iota(points.begin(), points.end(), first);
        return points;
    }

    /// By its skin if that is made of particles, else by a ball at every particle.
    void add(const Solid& solid)
    {
        const int first = solid.particles.first, count = solid.particles.count;
        for (int i = 0; i < count; ++i) out_.rest[first + i] = solid.rest[i].cast<Real>();
        const std::vector<int>& particle = solid.skin.particle;
        if (particle.empty()) {
            std::vector<std::array<int, 2>> balls;
            for (int i = first; i < first + count; ++i) balls.push_back({i, i});
            return add(next_body(solid.name), numbers(first, count), balls, {});
        }
        SurfaceMesh surface{std::vector<Vec3d>(count), *solid.skin.triangles};
        std::vector<char> outside(count, 0);
        for (std::array<int, 3>& t : surface.triangles)
            for (int& i : t) outside[i = particle[i]] = 1;
        std::erase_if(surface.triangles, [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
        std::vector<int> points = numbers(first, count);
        std::erase_if(points, [&](int i) { return outside[i - first] == 0; });
        add(next_body(solid.name), first, std::move(points), find_edges(surface).edges, surface.triangles);
    }
    void add(const Cloth& cloth)
    {
        const int first = cloth.particles.first, count = cloth.particles.count;
        for (int i = 0; i < count; ++i) out_.rest[first + i] = cloth.rest.vertices[i].cast<Real>();
        add(next_body(cloth.name), first, numbers(first, count), cloth.mesh_edges.edges, cloth.rest.triangles);
    }
    void add(const Rod& rod)
    {
        const int first = rod.particles.first;
        std::vector<int> points;
        for (int i = first; i < rod.particles.end(); ++i)
            if (!world_.particles->is_ghost(i)) points.push_back(i);
        for (int i = 0; i < rod.particles.count; ++i) out_.rest[first + i] = rod.rest[i].cast<Real>();
        std::vector<std::array<int, 2>> edges;
        for (const Rod::Edge& edge : rod.edges) edges.push_back({first + edge.p0, first + edge.p1});
        add(next_body(rod.name), std::move(points), edges, {});
    }

    void add(const Rigid& rigid)
    {
        const int first = next_carried_, count = static_cast<int>(rigid.points.size());
        const SurfaceMesh mesh{std::vector<Vec3d>(rigid.points.size()), *rigid.triangles};
        add(next_body(rigid.name), first, numbers(first, count), find_edges(mesh).edges, mesh.triangles);
        next_carried_ += count;
    }

    void set_pairings()
    {
        const ContactParams& params = *world_.contact;
        const auto sliding = [](Real friction, Real other) { return other < 0 ? friction : other; };
        const std::size_t bodies = out_.names.size();
        out_.pairings.assign(bodies * bodies,
                             {true, params.friction, sliding(params.friction, params.sliding_friction)});
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

    static std::vector<int> names_of(const Anchor& anchor)
    {
        if (anchor.kind == AnchorKind::rigid) return {ContactSurface::name_of_rigid(anchor.body)};
        return anchor.kind == AnchorKind::cloud ? anchor.parents : std::vector<int>();
    }
    void leave_out_glued()
    {
        for (const Glue& glue : world_.glues) {
            for (const int a : names_of(glue.a))
                for (const int b : names_of(glue.b)) out_.glue.emplace_back(std::min(a, b), std::max(a, b));
        }
        std::ranges::sort(out_.glue);
        leave_out_chains();
        std::vector<int> names;
        for (const auto& [a, b] : out_.glue) names.insert(names.end(), {a, b});
        std::ranges::sort(names);
        for (int p = 0; p < out_.points(); ++p)
            out_.glued[p] = std::ranges::binary_search(names, out_.glue_name(p)) ? 1 : 0;
    }

    /// Where the borders of several bodies meet, what is glued to the same particle is in one place, too.
    void leave_out_chains()
    {
        std::vector<int> body_of(static_cast<std::size_t>(out_.particles), -1);
        for (const auto& [point, body] : out_.vertices)
            if (!out_.is_carried(point)) body_of[point] = body;
        std::map<int, std::vector<int>> glued_to;
        for (const auto& [a, b] : out_.glue) {
            if (a < 0 || b < 0) continue;  // what is glued to a rigid body may be anywhere on it
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
    int next_carried_;   // the first point of the next rigid body
    MeanLength all_, soft_;
};

}  // namespace

bool is_meant(std::string_view name, std::string_view body)
{
    return name == body || (name.ends_with('*') && body.starts_with(name.substr(0, name.size() - 1)));
}

ContactSurface make_contact_surface(const World& world) { return SurfaceMaker(world).make(); }

std::vector<Crossing> find_crossings(const World& world)
{
    if (!world.contact->on) return {};
    const ContactSurface surface = make_contact_surface(world);
    return find_crossings(surface, places_of_points(surface, world.particles, world.rigid_bodies));
}

}  // namespace pliant
