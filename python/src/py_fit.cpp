// The rigid fit and its derivatives, for many clouds at once: math/procrustes.h and glue/binding.h in double precision.

#include "py_world.h"

#include "pliant/base/check.h"
#include "pliant/glue/binding.h"

namespace pliant::python {

namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using V = Vector3<double>;

std::span<const V> points_of(const Numbers& array, py::ssize_t cloud, py::ssize_t count)
{
    static_assert(sizeof(V) == 3 * sizeof(double));
    return {reinterpret_cast<const V*>(array.data()) + cloud * count, static_cast<std::size_t>(count)};
}

/// Row by row, as NumPy has matrices.
void put_matrix(const Mat3d& m, double* out)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) *out++ = m(i, j);
}
Mat3d matrix_at(const double* in)
{
    Mat3d m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m(i, j) = *in++;
    return m;
}

/// The clouds of a batch: `clouds` by `count` points.
struct Clouds {
    py::ssize_t clouds, count;
};

void require_shape(const Numbers& array, std::initializer_list<py::ssize_t> shape, const char* what)
{
    bool same = array.ndim() == static_cast<py::ssize_t>(shape.size());
    std::string text;
    py::ssize_t k = 0;
    for (const py::ssize_t size : shape) {
        same = same && array.shape(k++) == size;
        text += (text.empty() ? "" : ", ") + std::to_string(size);
    }
    if (!same) throw InputError(std::string(what) + ": the array must have the shape (" + text + ")");
}

/// rest, x: (B, n, 3); weights: (B, n); previous: (B, 3, 3).
py::dict fit(const Numbers& rest, const Numbers& x, const Numbers& weights, const Numbers& previous)
{
    if (x.ndim() != 3) throw InputError("fit: x must have the shape (clouds, points, 3)");
    const Clouds c{x.shape(0), x.shape(1)};
    require_shape(x, {c.clouds, c.count, 3}, "x");
    require_shape(rest, {c.clouds, c.count, 3}, "rest");
    require_shape(weights, {c.clouds, c.count}, "weights");
    require_shape(previous, {c.clouds, 3, 3}, "previous");
    Numbers rotation({c.clouds, py::ssize_t(3), py::ssize_t(3)}), k_inverse({c.clouds, py::ssize_t(3), py::ssize_t(3)});
    Numbers center({c.clouds, py::ssize_t(3)}), rest_center({c.clouds, py::ssize_t(3)}),
        stretches({c.clouds, py::ssize_t(3)});
    for (py::ssize_t b = 0; b < c.clouds; ++b) {
        const std::span<const double> w(weights.data() + b * c.count, static_cast<std::size_t>(c.count));
        for (const double weight : w)
            if (!(weight > 0)) throw InputError("fit: weights must be above 0");
        const RigidFit<double> f = fit_rigid<double>(points_of(rest, b, c.count), points_of(x, b, c.count), w,
                                                     matrix_at(previous.data() + 9 * b));
        put_matrix(f.fit.rotation, rotation.mutable_data() + 9 * b);
        put_matrix(inverse_k(f.fit), k_inverse.mutable_data() + 9 * b);
        for (int i = 0; i < 3; ++i) {
            center.mutable_data()[3 * b + i] = f.center[i];
            rest_center.mutable_data()[3 * b + i] = f.rest_center[i];
            stretches.mutable_data()[3 * b + i] = f.fit.s[i];
        }
    }
    py::dict result;
    result["rotation"] = rotation;
    result["k_inverse"] = k_inverse;
    result["center"] = center;
    result["rest_center"] = rest_center;
    result["stretches"] = stretches;
    return result;
}

/// A fitted batch with a bound point for each cloud.
struct Bound {
    const Numbers &rest, &weights, &rotation, &k_inverse, &center, &rest_center, &at;
    Clouds c{rest.shape(0), rest.shape(1)};

    V center_at_rest(py::ssize_t b) const { return points_of(rest_center, b, 1)[0]; }
    BoundFrame<double> frame(py::ssize_t b) const
    {
        const Mat3d r = matrix_at(rotation.data() + 9 * b);
        return {points_of(center, b, 1)[0], r, matrix_at(k_inverse.data() + 9 * b),
                r * (points_of(at, b, 1)[0] - center_at_rest(b))};
    }
    /// Weights of sum one.
    std::vector<double> shares(py::ssize_t b) const
    {
        std::vector<double> w(weights.data() + b * c.count, weights.data() + (b + 1) * c.count);
        double sum = 0;
        for (const double weight : w) sum += weight;
        for (double& weight : w) weight /= sum;
        return w;
    }
    std::vector<V> offsets(py::ssize_t b) const
    {
        std::vector<V> v;
        for (const V& r : points_of(rest, b, c.count)) v.push_back(r - center_at_rest(b));
        return v;
    }
};

Numbers jacobians(const Bound& bound)
{
    Numbers out({bound.c.clouds, bound.c.count, py::ssize_t(3), py::ssize_t(3)});
    for (py::ssize_t b = 0; b < bound.c.clouds; ++b) {
        const BoundFrame<double> frame = bound.frame(b);
        const std::vector<double> w = bound.shares(b);
        const std::vector<V> v = bound.offsets(b);
        for (std::size_t i = 0; i < v.size(); ++i)
            put_matrix(jacobian(frame, w[i], v[i]),
                       out.mutable_data() + 9 * (b * bound.c.count + static_cast<py::ssize_t>(i)));
    }
    return out;
}

Numbers forces_on_points(const Bound& bound, const Numbers& force)
{
    require_shape(force, {bound.c.clouds, 3}, "force");
    Numbers out({bound.c.clouds, bound.c.count, py::ssize_t(3)});
    for (py::ssize_t b = 0; b < bound.c.clouds; ++b) {
        std::vector<V> forces(static_cast<std::size_t>(bound.c.count));
        const std::vector<double> w = bound.shares(b);
        const std::vector<V> v = bound.offsets(b);
        pass_on<double>(bound.frame(b), points_of(force, b, 1)[0], w, v, forces);
        std::copy_n(&forces[0].x, 3 * bound.c.count, out.mutable_data() + 3 * b * bound.c.count);
    }
    return out;
}

py::tuple velocity_of_point(const Bound& bound, const Numbers& velocities)
{
    require_shape(velocities, {bound.c.clouds, bound.c.count, 3}, "velocities");
    Numbers velocity({bound.c.clouds, py::ssize_t(3)}), spin({bound.c.clouds, py::ssize_t(3)});
    for (py::ssize_t b = 0; b < bound.c.clouds; ++b) {
        const BoundFrame<double> frame = bound.frame(b);
        const std::vector<double> w = bound.shares(b);
        const std::vector<V> v = bound.offsets(b);
        const std::span<const V> moving = points_of(velocities, b, bound.c.count);
        const V vb = bound_velocity<double>(frame, w, v, moving), wb = angular_velocity<double>(frame, w, v, moving);
        for (int i = 0; i < 3; ++i) {
            velocity.mutable_data()[3 * b + i] = vb[i];
            spin.mutable_data()[3 * b + i] = wb[i];
        }
    }
    return py::make_tuple(velocity, spin);
}

}  // namespace

void bind_fit(py::module_& module)
{
    using N = const Numbers&;
    module.def("fit", fit);
    module.def("fit_jacobian", [](N rest, N weights, N rotation, N k, N center, N rest_center, N at) {
        require_shape(at, {rest.shape(0), 3}, "at");
        return jacobians({rest, weights, rotation, k, center, rest_center, at});
    });
    module.def("fit_forces", [](N rest, N weights, N rotation, N k, N center, N rest_center, N at, N force) {
        require_shape(at, {rest.shape(0), 3}, "at");
        return forces_on_points({rest, weights, rotation, k, center, rest_center, at}, force);
    });
    module.def("fit_velocity", [](N rest, N weights, N rotation, N k, N center, N rest_center, N at, N velocities) {
        require_shape(at, {rest.shape(0), 3}, "at");
        return velocity_of_point({rest, weights, rotation, k, center, rest_center, at}, velocities);
    });
}

}  // namespace pliant::python
