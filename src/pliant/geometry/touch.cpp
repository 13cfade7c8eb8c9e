#include "pliant/geometry/touch.h"

#include "pliant/geometry/box_box.h"
#include "pliant/geometry/touch_probes.h"

#include <algorithm>

namespace pliant {

namespace {

class TouchFinder : private TouchProbes {
  public:
    using TouchProbes::TouchProbes;

    void find()
    {
        const SurfacePoint center = nearest_surface(obstacle_, at_, pose_.position);
        const Real off = obstacle_.kind == Shape::Kind::mesh ? obstacle_.mesh->field.voxel : 0;
        if (center.distance > body_.extent + margin_ + off) return;
        if (obstacle_.kind == Shape::Kind::mesh && center.distance < 0 && is_deep_inside())
            return add({pose_.position, center.normal, margin_ - center.distance});
        if (body_.kind == Shape::Kind::mesh) return probe_vertices();
        switch (obstacle_.kind) {
            case Shape::Kind::plane: return probe_ends();
            case Shape::Kind::sphere: return probe_body(at_.position, obstacle_.radius);
            case Shape::Kind::box: return meet_box();
            case Shape::Kind::capsule: return meet_capsule();
            case Shape::Kind::cylinder: return meet_cylinder();
            case Shape::Kind::mesh: return meet_mesh();
        }
    }

  private:
    /// For a body whose centre is inside the obstacle. Its points would leave in all directions; so the centre is moved
    /// out first, and the body with it. A ring around a peg is not deep inside.
    bool is_deep_inside() const
    {
        if (body_.kind != Shape::Kind::mesh) return true;
        const std::vector<Vec3>& points = body_.mesh->points;
        const auto inside = std::ranges::count_if(
            points, [&](const Vec3& p) { return nearest_surface(obstacle_, at_, pose_.to_world(p)).distance < 0; });
        return 2 * inside > std::ssize(points);
    }

    void meet_capsule()
    {
        const Vec3 up{0, obstacle_.half_height, 0}, low = at_.to_world(-up), high = at_.to_world(up);
        probe_body(low, obstacle_.radius);
        probe_body(high, obstacle_.radius);
        probe_obstacle_line(low, high, obstacle_.radius);
        if (body_.kind != Shape::Kind::sphere) probe_ends();
    }

    void probe_axis()
    {
        const Vec3 up{0, body_.half_height, 0};
        probe_line(-up, up, body_.radius);
    }
    void probe_both_rims()
    {
        probe_rim(-body_.half_height);
        probe_rim(body_.half_height);
    }

    void meet_box()
    {
        const Vec3& half = obstacle_.half;
        if (body_.kind == Shape::Kind::box) {
            find_box_touches({pose_.position, pose_.rotation, body_.half}, {at_.position, at_.rotation, half}, margin_,
                             touches_);
            if (touches_.begin() != touches_.end()) return;
        }
        probe_ends();  // of boxes that meet beside their faces too
        if (body_.kind == Shape::Kind::box)
            for (int i = 0; i < 8; ++i) probe_body(at_.to_world(corner_of_box(half, i)), 0);
        if (body_.kind == Shape::Kind::capsule) probe_axis();
        if (body_.kind == Shape::Kind::cylinder) {
            probe_side();
            probe_both_rims();
            probe_obstacle_box_edges();
        }
    }

    void meet_cylinder()
    {
        probe_ends();
        if (body_.kind == Shape::Kind::sphere) return;
        if (body_.kind == Shape::Kind::capsule) probe_axis();
        if (body_.kind == Shape::Kind::box) probe_box_edges();
        if (body_.kind == Shape::Kind::cylinder) {
            probe_side();
            probe_both_rims();
        }
        probe_obstacle_cylinder();
    }

    void meet_mesh()
    {
        probe_ends();
        if (body_.kind == Shape::Kind::capsule) probe_axis();
        if (body_.kind == Shape::Kind::cylinder) probe_both_rims();
        probe_obstacle_vertices();
        if (body_.kind == Shape::Kind::box) probe_box_edges();
    }
};

}  // namespace

void find_touches(const Shape& body, const ShapePose& pose, const Shape& obstacle, const ShapePose& at, Real margin,
                  Touches& touches)
{
    TouchFinder(body, pose, obstacle, at, margin, touches).find();
}

}  // namespace pliant
