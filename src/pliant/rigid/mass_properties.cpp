#include "pliant/rigid/mass_properties.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace pliant {

namespace {

constexpr double kPi = std::numbers::pi;

void check_positive(double value, const char* what)
{
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(std::string(what) + " is " + std::to_string(value) + "; it must be positive");
}

/// One rotation of Jacobi's method: makes the entry (p, q) of a symmetric matrix vanish.
void diagonalize_pair(int p, int q, Mat3d& a, Mat3d& axes)
{
    if (a(p, q) == 0) return;
    const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
    const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    Mat3d turn = Mat3d::identity();
    turn(p, p) = turn(q, q) = c;
    turn(p, q) = s;
    turn(q, p) = -s;
    a = turn.transposed() * a * turn;
    a(p, q) = a(q, p) = 0;
    axes = axes * turn;
}

/// Integrals over a body of unit density: volume, first moments, second moments.
struct Moments {
    double volume = 0;
    Vec3d first;
    Mat3d second;  // of x x^T
};

/// Sums signed tetrahedra from the origin to each triangle. For one with corners a, b, c and volume V, with s their
/// sum:  the integral of x is V s/4, that of x x^T is V (s s^T + a a^T + b b^T + c c^T)/20.
Moments sum_tetrahedra(const SurfaceMesh& mesh, const Vec3d& origin)
{
    Moments m;
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3d a = mesh.vertices[i] - origin, b = mesh.vertices[j] - origin, c = mesh.vertices[k] - origin;
        const double v = a.dot(b.cross(c)) / 6;
        const Vec3d s = a + b + c;
        m.volume += v;
        m.first += (v / 4) * s;
        m.second += (v / 20) * (Mat3d::outer(s, s) + Mat3d::outer(a, a) + Mat3d::outer(b, b) + Mat3d::outer(c, c));
    }
    return m;
}

}  // namespace

MassProperties sphere_mass(double radius, double density)
{
    check_positive(radius, "radius");
    const double mass = density * 4 / 3 * kPi * radius * radius * radius;
    const double moment = 0.4 * mass * radius * radius;
    return {.mass = mass, .center = {}, .moments = {moment, moment, moment}};
}

MassProperties box_mass(const Vec3d& size, double density)
{
    for (int axis = 0; axis < 3; ++axis) check_positive(size[axis], "size");
    const double mass = density * size.x * size.y * size.z;
    const Vec3d s{size.x * size.x, size.y * size.y, size.z * size.z};
    return {.mass = mass, .center = {}, .moments = mass / 12 * Vec3d{s.y + s.z, s.x + s.z, s.x + s.y}};
}

MassProperties cylinder_mass(double radius, double height, double density)
{
    check_positive(radius, "radius");
    check_positive(height, "height");
    const double r2 = radius * radius, mass = density * kPi * r2 * height;
    const double across = mass * (3 * r2 + height * height) / 12;
    return {.mass = mass, .center = {}, .moments = {across, mass * r2 / 2, across}};
}

MassProperties capsule_mass(double radius, double height, double density)
{
    check_positive(radius, "radius");
    if (!(height >= 0)) check_positive(height, "height");
    const double r2 = radius * radius;
    const double middle = density * kPi * r2 * height, ball = density * 4 / 3 * kPi * r2 * radius;
    // A half sphere's centre is 3/8 radius from its base; its moment across about that base is 2/5 m r^2.
    const double caps = ball * (0.4 * r2 + height * height / 4 + 0.375 * radius * height);
    const double across = middle * (3 * r2 + height * height) / 12 + caps;
    return {.mass = middle + ball, .center = {}, .moments = {across, middle * r2 / 2 + 0.4 * ball * r2, across}};
}

MassProperties mesh_mass(const SurfaceMesh& mesh, double density)
{
    check_solid(mesh);
    const Vec3d middle = bounding_box(mesh.vertices).center();  // near it, no digits cancel
    const Moments m = sum_tetrahedra(mesh, middle);
    const Vec3d center = (1 / m.volume) * m.first;
    const Mat3d second = m.second - m.volume * Mat3d::outer(center, center);
    return given_mass(density * m.volume, middle + center, density * (second.trace() * Mat3d::identity() - second));
}

MassProperties given_mass(double mass, const Vec3d& center, const Mat3d& inertia)
{
    check_positive(mass, "mass");
    Mat3d a = inertia, axes = Mat3d::identity();
    for (int sweep = 0; sweep < 12; ++sweep) {
        diagonalize_pair(0, 1, a, axes);
        diagonalize_pair(0, 2, a, axes);
        diagonalize_pair(1, 2, a, axes);
    }
    const Vec3d moments{a(0, 0), a(1, 1), a(2, 2)};
    const double sum = moments.x + moments.y + moments.z, most = std::max({moments.x, moments.y, moments.z});
    const double least = std::min({moments.x, moments.y, moments.z});
    if (!std::isfinite(sum) || !(least > 0) || most > (sum - most) * (1 + 1e-9))
        throw InputError("no body has the principal moments of inertia " + std::to_string(moments.x) + ", " +
                         std::to_string(moments.y) + ", " + std::to_string(moments.z) +
                         ": all are positive, and none is larger than the other two together");
    return {.mass = mass, .center = center, .moments = moments, .axes = axes};
}

MassProperties with_mass(const MassProperties& properties, double mass)
{
    check_positive(mass, "mass");
    MassProperties scaled = properties;
    scaled.moments = (mass / properties.mass) * properties.moments;
    scaled.mass = mass;
    return scaled;
}

}  // namespace pliant
