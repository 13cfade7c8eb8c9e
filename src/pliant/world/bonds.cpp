#include "pliant/world/bonds.h"

#include "pliant/contact/pairs/feature_contacts.h"
#include "pliant/contact/pairs/pair_rules.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/geometry/crossing.h"
#include "pliant/state/writable.h"
#include "pliant/world/assemblies.h"
#include "pliant/world/contact_surface.h"

#include <algorithm>
#include <map>
#include <set>

namespace pliant {

namespace {

Box box_of_points(std::span<const int> points, std::span<const Vec3> x, std::span<const Real> radius)
{
    Box box{x[points[0]], x[points[0]]};
    Real grown = 0;
    for (const int p : points) {
        box = join(box, {x[p], x[p]});
        grown = std::max(grown, radius[p]);
    }
    const Vec3 by{grown, grown, grown};
    return {box.low - by, box.high + by};
}

class OverlapFinder {
  public:
    OverlapFinder(const World& world, const BodyTable& bodies)
        : bodies_(bodies),
          surface_(make_contact_surface(world)),
          x_(places_of_points(surface_, world.particles, world.rigid_bodies)),
          radius_(overlap_radii(surface_, world.particles)),
          sets_(connect(world, bodies)),
          fresh_(static_cast<std::size_t>(bodies.size()), 0)
    {
        for (const Glue& glue : world.glues) {
            if (!glue.on || glue.bonded) continue;
            for (const int body : {bodies.of(glue.a), bodies.of(glue.b)})
                if (body >= 0) fresh_[body] = 1;
        }
    }

    std::vector<Bond> find()
    {
        const auto ends = [&](int e) { return std::array{surface_.edges[e].a, surface_.edges[e].b}; };
        BoxTree edges(static_cast<int>(surface_.edges.size())), triangles(static_cast<int>(surface_.triangles.size()));
        edges.refit([&](int e) { return box_of_points(ends(e), x_, radius_); });
        triangles.refit([&](int t) { return box_of_points(surface_.triangles[t].point, x_, radius_); });
        for (int e = 0; e < edges.size(); ++e) {
            const int body = surface_.edges[e].body;
            const std::array<int, 2> p = ends(e);
            edges.find(edges.box(e), e + 1, [&](int f) {
                if (may_bond(body, surface_.edges[f].body) && meet(p, ends(f)))
                    note(body, p, surface_.edges[f].body, ends(f));
            });
            triangles.find(edges.box(e), 0, [&](int t) {
                const auto& [q, other] = surface_.triangles[t];
                if (may_bond(body, other) && meet(p, q)) note(body, p, other, q);
            });
        }
        return take();
    }

  private:
    bool may_bond(int a, int b)
    {
        return a != b && (fresh_[a] != 0 || fresh_[b] != 0) && sets_.find(a) == sets_.find(b) &&
               surface_.pairing(a, b).on;
    }
    Real nearest(std::span<const int> p, std::span<const int> q) const
    {
        const auto largest = [&](std::span<const int> points) {
            return radius_[*std::ranges::max_element(points, {}, [&](int i) { return radius_[i]; })];
        };
        return kRestShare * (largest(p) + largest(q));
    }
    bool meet(const std::array<int, 2>& p, const std::array<int, 2>& q) const
    {
        const Vec3 x[4] = {x_[p[0]], x_[p[1]], x_[q[0]], x_[q[1]]};
        return closest_edges(x).gap < nearest(p, q);
    }
    bool meet(const std::array<int, 2>& p, const std::array<int, 3>& q) const
    {
        const auto end_is_near = [&](int i) {
            const Vec3 x[4] = {x_[i], x_[q[0]], x_[q[1]], x_[q[2]]};
            return closest_vertex_triangle(x).gap < nearest(p, q);
        };
        return end_is_near(p[0]) || end_is_near(p[1]) || crosses(x_[p[0]], x_[p[1]], x_[q[0]], x_[q[1]], x_[q[2]]);
    }

    int place_in(int body, int point) const { return body >= bodies_.rigids ? -1 : point - bodies_.first[body]; }
    void note(int a, std::span<const int> of_a, int b, std::span<const int> of_b)
    {
        if (a > b) return note(b, of_b, a, of_a);
        auto& points = found_[{a, b}];
        for (const int p : of_a)
            for (const int q : of_b) points.insert({place_in(a, p), place_in(b, q)});
    }
    std::vector<Bond> take() const
    {
        std::vector<Bond> bonds;
        for (const auto& [pair, points] : found_)
            bonds.push_back({bodies_.refs[pair.first], bodies_.refs[pair.second], {points.begin(), points.end()}});
        return bonds;
    }

    const BodyTable& bodies_;
    ContactSurface surface_;
    std::vector<Vec3> x_;
    std::vector<Real> radius_;
    DisjointSets sets_;
    std::vector<char> fresh_;  // per body: a side of glue that has just attached
    std::map<std::pair<int, int>, std::set<std::array<int, 2>>> found_;
};

}  // namespace

bool bonds_are_known(const World& world)
{
    return std::ranges::all_of(world.glues, [](const Glue& g) { return g.on == g.bonded; });
}

void update_bonds(World& world)
{
    if (bonds_are_known(world)) return;
    const bool some_let_go = std::ranges::any_of(world.glues, [](const Glue& g) { return g.bonded && !g.on; });
    if (!world.contact->on) {  // what hangs together does not touch
        writable(world.revisions).contact.bump();
        if (some_let_go) writable(world.tangled) = true;
    }
    if (some_let_go) prune_bonds(world);
    const BodyTable bodies(world);
    std::vector<Bond> found = OverlapFinder(world, bodies).find();
    for (Glue& glue : writable(world.glues)) glue.bonded = glue.on;
    if (found.empty()) return;
    std::ranges::move(found, std::back_inserter(writable(world.bonds)));
    writable(world.revisions).contact.bump();
}

void prune_bonds(World& world)
{
    if (world.bonds->empty()) return;
    const BodyTable bodies(world);
    DisjointSets sets = connect(world, bodies);
    const auto number = [&](const BodyRef& ref) {
        return static_cast<int>(std::ranges::find(bodies.refs, ref) - bodies.refs.begin());
    };
    const auto pruned = std::erase_if(writable(world.bonds), [&](const Bond& bond) {
        const int a = number(bond.a), b = number(bond.b);
        return a == bodies.size() || b == bodies.size() || sets.find(a) != sets.find(b);
    });
    if (pruned == 0) return;
    writable(world.revisions).contact.bump();
    writable(world.tangled) = true;
}

}  // namespace pliant
