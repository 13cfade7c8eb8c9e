#include "pliant/rigid/rigid.h"

#include "pliant/base/check.h"
#include "pliant/geometry/hull_faces.h"

#include <algorithm>
#include <string>

namespace pliant {

namespace {

MassProperties properties_of_form(const RigidForm& form, double density)
{
    switch (form.kind) {
        case RigidKind::plane: throw InputError("a rigid body cannot be a plane; use a box, or a collider");
        case RigidKind::sphere: return sphere_mass(form.radius, density);
        case RigidKind::box: return box_mass(form.size, density);
        case RigidKind::capsule: return capsule_mass(form.radius, form.height, density);
        case RigidKind::cylinder: return cylinder_mass(form.radius, form.height, density);
        case RigidKind::mesh: return mesh_mass(form.mesh, density);
    }
    fail_assertion("a kind of rigid body", __FILE__, __LINE__);
}

MassProperties properties_of(const RigidForm& form, const RigidParams& params)
{
    MassProperties p = properties_of_form(form, static_cast<double>(params.density));
    if (params.mass) p = with_mass(p, static_cast<double>(*params.mass));
    if (params.inertia) p = given_mass(p.mass, p.center, Mat3d::diagonal(params.inertia->cast<double>()));
    return p;
}

/// Without the vertices that no triangle uses: they are not part of the body.
SurfaceMesh used_part(const SurfaceMesh& mesh)
{
    SurfaceMesh used;
    std::vector<int> number(mesh.vertices.size(), -1);
    for (std::array<int, 3> triangle : mesh.triangles) {
        for (int& i : triangle) {
            if (number[i] < 0) {
                number[i] = static_cast<int>(used.vertices.size());
                used.vertices.push_back(mesh.vertices[i]);
            }
            i = number[i];
        }
        used.triangles.push_back(triangle);
    }
    return used;
}

SurfaceMesh surface_of(const RigidForm& form)
{
    return form.kind == RigidKind::mesh ? used_part(form.mesh)
                                        : make_surface(form.kind, form.size, form.radius, form.height);
}

/// The smallest extent along its own axes [m].
Real narrow_of(const Shape& shape, const std::vector<Vec3>& points)
{
    switch (shape.kind) {
        case RigidKind::plane: return 0;
        case RigidKind::sphere:
        case RigidKind::capsule: return 2 * shape.radius;
        case RigidKind::box: return 2 * std::min({shape.half.x, shape.half.y, shape.half.z});
        case RigidKind::cylinder: return 2 * std::min(shape.radius, shape.half_height);
        case RigidKind::mesh: break;
    }
    Vec3 low = points.front(), high = low;
    for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    const Vec3 size = high - low;
    return std::min({size.x, size.y, size.z});
}

}  // namespace

Pose Rigid::pose_of(const Mat3d& rotation, const Vec3d& origin) const
{
    return pliant::pose_of(rotation * properties.center + origin, rotation * properties.axes);
}

Rigid make_rigid(const RigidForm& form, const RigidParams& params)
{
    Rigid rigid;
    rigid.form = form;
    rigid.params = params;
    rigid.properties = properties_of(form, params);
    const Vec3 least = rigid.properties.moments.cast<Real>();
    const Vec3 inverse{1 / least.x, 1 / least.y, 1 / least.z};
    const Real mass = static_cast<Real>(rigid.properties.mass);
    if (!(mass > 0) ||
        !std::isfinite(mass + 1 / mass + inverse.x + inverse.y + inverse.z + least.x + least.y + least.z))
        throw InputError("a mass of " + std::to_string(rigid.properties.mass) +
                         " kg or its inertia is too small or too large to compute with; change mass, density or size");
    const SurfaceMesh surface = surface_of(form);
    const Mat3d to_body = rigid.properties.axes.transposed();
    for (const Vec3d& p : surface.vertices)
        rigid.points.push_back((to_body * (p - rigid.properties.center)).cast<Real>());
    rigid.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(surface.triangles);
    return rigid;
}

RestSurface rest_surface(const Rigid& rigid)
{
    std::vector<Vec3d> rest;
    for (const Vec3& p : rigid.points) rest.push_back(p.cast<double>());
    return rest_surface_of(std::move(rest), *rigid.triangles);
}

namespace {

ShapeMesh make_shape_mesh(const Rigid& rigid)
{
    SurfaceMesh mesh{.triangles = *rigid.triangles};
    for (const Vec3& p : rigid.points) mesh.vertices.push_back(p.cast<double>());
    return {.points = rigid.points, .faces = find_hull_faces(mesh)};
}

}  // namespace

Shape make_rigid_shape(const RigidForm& form, const Rigid& rigid)
{
    const bool is_mesh = form.kind == RigidKind::mesh;
    Shape shape{.kind = form.kind,
                .half = (0.5 * form.size).cast<Real>(),
                .radius = is_mesh ? rigid.params.margin : static_cast<Real>(form.radius),
                .half_height = static_cast<Real>(form.height / 2)};
    if (is_mesh) shape.mesh = std::make_shared<const ShapeMesh>(make_shape_mesh(rigid));
    for (const Vec3& p : rigid.points) shape.extent = std::max(shape.extent, p.norm());
    shape.extent += rigid.params.margin;
    shape.narrow = narrow_of(shape, rigid.points);
    return shape;
}

void set_numbers(const Rigid& rigid, int body, RigidBodies& bodies)
{
    bodies.mass[body] = static_cast<Real>(rigid.properties.mass);
    bodies.inertia[body] = rigid.properties.moments.cast<Real>();
    bodies.shape[body] = make_rigid_shape(rigid.form, rigid);
    bodies.friction[body] = rigid.params.friction.value_or(Real(-1));
    bodies.restitution[body] = rigid.params.restitution.value_or(Real(-1));
}

}  // namespace pliant
