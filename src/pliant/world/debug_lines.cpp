#include "pliant/world/debug_lines.h"

#include "pliant/world/current_surface.h"

#include <algorithm>
#include <set>
#include <utility>

namespace pliant {

namespace {

class LineMaker {
  public:
    explicit LineMaker(const World& world) : world_(world), x_(world.particles->x) {}

    std::vector<DebugLine> make()
    {
        for_each_body(world_, [&](const auto& body) { add_edges(current_surface(world_, body)); });
        for (const Rod& rod : world_.rods) add_frames(rod);
        for (const Glue& glue : world_.glues)
            if (glue.on) add_glue(glue);
        for (const PinnedSet& set : world_.drivers->pins)
            if (!set.released) add_pins(set);
        add_velocities();
        return std::move(lines_);
    }

  private:
    void add(const Vec3& a, const Vec3& b, LineKind kind) { lines_.push_back({a, b, kind}); }

    void add_edges(const CurrentSurface& surface)
    {
        std::set<std::pair<int, int>> edges;  // each once, although two triangles share it
        for (const auto& t : surface.triangles)
            for (int k = 0; k < 3; ++k) edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
        for (const auto& [a, b] : surface.tubes)
            if (a != b) edges.insert({a, b});
        for (const auto& [a, b] : edges) add(surface.points[a], surface.points[b], LineKind::edge);
    }
    void add_frames(const Rod& rod)
    {
        const int first = rod.particles.first;
        for (const Rod::Edge& e : rod.edges)
            add(Real(0.5) * (x_[first + e.p0] + x_[first + e.p1]), x_[first + e.ghost], LineKind::rod_frame);
    }
    void add_glue(const Glue& glue)
    {
        const auto place = [&](const Anchor& anchor) {
            return place_of(anchor, world_.time, world_.particles, world_.rigid_bodies).cast<Real>();
        };
        const Vec3 a = place(glue.a), b = place(glue.b);
        add(a, b, LineKind::glue);
        for (const int i : glue.a.parents) add(a, x_[i], LineKind::glue);
        for (const int i : glue.b.parents) add(b, x_[i], LineKind::glue);
    }
    void add_pins(const PinnedSet& set)
    {
        for (const int i : set.particles) {
            const Real arm = std::max(world_.particles->radius[i], Real(0.005));
            for (int axis = 0; axis < 3; ++axis) {
                Vec3 d{};
                d[axis] = arm;
                add(x_[i] - d, x_[i] + d, LineKind::pin);
            }
        }
    }
    void add_velocities()
    {
        constexpr Real kTime = Real(0.01);  // [s]
        for (int i = 0; i < world_.particles->size(); ++i)
            if (!world_.particles->is_ghost(i)) add(x_[i], x_[i] + kTime * world_.particles->v[i], LineKind::velocity);
        for (int b = 0; b < world_.rigid_bodies->size(); ++b) {
            const Vec3& x = world_.rigid_bodies->pose[b].x;
            add(x, x + kTime * world_.rigid_bodies->v[b], LineKind::velocity);
        }
    }

    const World& world_;
    const std::vector<Vec3>& x_;
    std::vector<DebugLine> lines_;
};

}  // namespace

std::vector<DebugLine> debug_lines(const World& world) { return LineMaker(world).make(); }

}  // namespace pliant
