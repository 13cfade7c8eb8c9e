#pragma once
// The parts of finding touches (touch.h): points, lines and rims of one shape against the other.

#include "pliant/geometry/touch.h"

namespace pliant {

/// A body and an obstacle, which does not give way.
class TouchProbes {
  public:
    TouchProbes(const Shape& body, const ShapePose& pose, const Shape& obstacle, const ShapePose& at, Real margin,
                Touches& touches)
        : body_(body), pose_(pose), obstacle_(obstacle), at_(at), margin_(margin), touches_(touches)
    {}

  protected:
    void add(const Touch& touch)
    {
        if (touch.depth > -margin_) touches_.add(touch);
    }
    /// A ball at p, in the body's frame, against the obstacle.
    Touch touch_of_ball(const Vec3& p, Real radius) const;
    /// The same; of a mesh from its triangles, not from its field.
    Touch exact_touch_of_ball(const Vec3& p, Real radius) const;
    void add_ball(const Vec3& p, Real radius) { add(exact_touch_of_ball(p, radius)); }
    /// A ball of the obstacle at `center`, in the world, against the body.
    void probe_body(const Vec3& center, Real radius);

    // of the body, against the obstacle:
    void probe_ends();       // ends, corners or rims
    void probe_vertices();   // of a mesh
    void probe_rims();       // four points of each rim of a cylinder, one of them the lowest as seen from the obstacle
    void probe_rim(Real y);  // the deepest point of a rim: the deepest of eight, moved between its neighbours
    void probe_line(const Vec3& low, const Vec3& high, Real radius);  // the deepest points of its quarters
    void probe_side();                                                // the line of a cylinder that is nearest
    void probe_box_edges();  // the deepest point of each edge, where that is neither of its ends

    // of the obstacle, against the body:
    void probe_obstacle_line(const Vec3& low, const Vec3& high, Real radius);  // its deepest point, ends in the world
    void probe_obstacle_box_edges();                                           // the deepest point of each
    void probe_obstacle_cylinder();  // four points of each rim, and the line that is nearest
    void probe_obstacle_vertices();  // those in the body that face the side through which they came in

    const Shape& body_;
    const ShapePose& pose_;
    const Shape& obstacle_;
    const ShapePose& at_;
    Real margin_;
    Touches& touches_;
};

}  // namespace pliant
