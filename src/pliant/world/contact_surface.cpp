#include "pliant/world/contact_surface.h"

#include "pliant/base/check.h"
#include "pliant/geometry/box_tree.h"

#include <algorithm>
#include <map>

namespace pliant {

namespace {

class SurfaceMaker {
  public:
    explicit SurfaceMaker(const World& world) : world_(world)
    {
        out_.rest.resize(world.particles.x.size() + 1);
        out_.glued.resize(world.particles.x.size() + 1);
    }

    ContactSurface make()
    {
        for (const Solid& solid : world_.solids) add(solid);
        for (const Cloth& cloth : world_.cloths) add(cloth);
        for (const Rod& rod : world_.rods) add(rod);
        set_pairings();
        leave_out_glued();
        out_.bodies = static_cast<int>(names_.size());
        out_.edge_length = lengths_ > 0 ? length_ / lengths_ : 0;
        out_.stale = false;
        return std::move(out_);
    }

  private:
    int next_body(const std::string& name)
    {
        names_.push_back(name);
        return static_cast<int>(names_.size()) - 1;
    }

    Vec3d place(int particle) const { return world_.particles.x[particle].cast<double>(); }

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
            length_ += edges[i][0] == edges[i][1] ? static_cast<double>(world_.particles.radius[edges[i][0]])
                                                  : (place(edges[i][0]) - place(edges[i][1])).norm();
            ++lengths_;
        }
        for (const int i : ordered(triangles.size(), [&](std::size_t k) {
                 return place(triangles[k][0]) + place(triangles[k][1]) + place(triangles[k][2]);
             }))
            out_.triangles.push_back({triangles[i], body});
    }

    void add(const Solid& solid)
    {
        std::vector<int> points;
        std::vector<std::array<int, 2>> balls;
        for (int i = solid.particles.first; i < solid.particles.end(); ++i) {
            points.push_back(i);
            balls.push_back({i, i});
            out_.rest[i] =
                lane(solid.clusters.rest[(i - solid.particles.first) / kLanes], (i - solid.particles.first) % kLanes);
        }
        add(next_body(solid.name), std::move(points), balls, {});
    }
    void add(const Cloth& cloth)
    {
        const int first = cloth.particles.first;
        std::vector<int> points;
        for (int i = first; i < cloth.particles.end(); ++i) {
            points.push_back(i);
            out_.rest[i] = cloth.rest.vertices[i - first].cast<Real>();
        }
        std::vector<std::array<int, 2>> edges;
        for (const MeshEdge& edge : cloth.mesh_edges.edges) edges.push_back({first + edge.a, first + edge.b});
        std::vector<std::array<int, 3>> triangles;
        for (const auto& t : cloth.rest.triangles) triangles.push_back({first + t[0], first + t[1], first + t[2]});
        add(next_body(cloth.name), std::move(points), edges, triangles);
    }
    void add(const Rod& rod)
    {
        const int first = rod.particles.first;
        std::vector<int> points;
        for (int i = first; i < rod.particles.end(); ++i)
            if (!world_.particles.is_ghost(i)) points.push_back(i);
        for (const int i : points) out_.rest[i] = world_.particles.x[i];
        std::vector<std::array<int, 2>> edges;
        for (const Rod::Edge& edge : rod.edges) edges.push_back({first + edge.p0, first + edge.p1});
        add(next_body(rod.name), std::move(points), edges, {});
    }

    void set_pairings()
    {
        const ContactParams& params = world_.contact;
        const auto sliding = [](Real friction, Real other) { return other < 0 ? friction : other; };
        const std::size_t bodies = names_.size();
        out_.pairings.assign(bodies * bodies,
                             {true, params.friction, sliding(params.friction, params.sliding_friction)});
        for (const ContactRule& rule : params.rules) {
            bool used[2] = {false, false};
            for (std::size_t a = 0; a < bodies; ++a) {
                for (std::size_t b = 0; b < bodies; ++b) {
                    used[0] |= names_[a] == rule.between[0];
                    used[1] |= names_[a] == rule.between[1];
                    if (names_[a] != rule.between[0] || names_[b] != rule.between[1]) continue;
                    out_.pairings[a * bodies + b] = out_.pairings[b * bodies + a] = {
                        rule.on, rule.friction, sliding(rule.friction, rule.sliding_friction)};
                }
            }
            for (int k = 0; k < 2; ++k) {
                if (!used[k])
                    throw InputError("contact rule: there is no body \"" + rule.between[static_cast<std::size_t>(k)] +
                                     "\"; give the name of a solid, cloth or rod");
            }
        }
    }

    void leave_out_glued()
    {
        for (const Glue& glue : world_.glues) {
            for (const int a : glue.a.parents) {
                for (const int b : glue.b.parents) {
                    out_.glue.emplace_back(std::min(a, b), std::max(a, b));
                    out_.glued[a] = out_.glued[b] = 1;
                }
            }
        }
        std::ranges::sort(out_.glue);
    }

    const World& world_;
    ContactSurface out_;
    std::vector<std::string> names_;
    double length_ = 0;
    int lengths_ = 0;
};

}  // namespace

ContactSurface make_contact_surface(const World& world) { return SurfaceMaker(world).make(); }

}  // namespace pliant
