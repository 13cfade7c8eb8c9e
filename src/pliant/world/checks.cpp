#include "pliant/base/check_fields.h"
#include "pliant/base/message.h"
#include "pliant/world/internal.h"

#include <cmath>

namespace pliant {

namespace {

bool is_real(const Vec3d& v)
{
    const Vec3 r = v.cast<Real>();
    return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.z);
}

}  // namespace

void check_vector(const Vec3d& v, const char* what)
{
    if (is_real(v)) return;
    const bool finite = std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    throw InputError(
        message("{}: [{}, {}, {}] is {}", what, v.x, v.y, v.z, finite ? "too large to compute with" : "not finite"));
}

void check_positions(std::span<const Vec3d> positions, const std::string& what)
{
    for (const Vec3d& x : positions)
        if (!is_real(x))
            throw InputError(message("{}: a particle at [{}, {}, {}] is out of range", what, x.x, x.y, x.z));
}

void check_placement(const Placement& placement, std::span<const Vec3> particles, const char* what)
{
    for (const Vec3d& column : placement.linear.c) check_vector(column, what);
    for (const Vec3d& v : {placement.position, placement.velocity, placement.angular_velocity}) check_vector(v, what);
    for (const Vec3& x : particles) check_vector(placement.linear * x.cast<double>() + placement.position, what);
}

void check_hold(const Motion& motion, double release, const char* what)
{
    check_fields(motion, what);
    check_motion(motion, what);
    if (!std::isfinite(release)) throw InputError(message("{}: release must be a time, is {}", what, release));
}

void check_indices(const SolidShape& shape, const std::string& what)
{
    const auto check = [&](const auto& elements, const char* name, std::size_t count) {
        for (std::size_t e = 0; e < elements.size(); ++e)
            for (const int i : elements[e])
                if (i < 0 || static_cast<std::size_t>(i) >= count)
                    throw InputError(message("{}: {} {} uses number {}, but there are {}", what, name, e, i, count));
    };
    check(shape.tetrahedra, "tetrahedron", shape.points.size());
    check(shape.surface.triangles, "triangle", shape.surface.vertices.size());
    check(std::span(&shape.surface_points, 1), "the list of surface points,", shape.points.size());
}

}  // namespace pliant
