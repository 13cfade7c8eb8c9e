// Bodies by id: their state, and what can be done to them.

#include "py_world.h"

#include "pliant/base/check.h"
#include "pliant/world/current_surface.h"

#include <pybind11/stl.h>

namespace pliant::python {

namespace {

template <class Visit>
auto visit_with_particles(const PyRef& ref, const char* what, Visit&& visit)
{
    using Result = decltype(visit(SolidId{}));
    return std::visit(
        [&](auto id) -> Result {
            if constexpr (requires { get(ref.owner->world, id).particles; }) return visit(id);
            else throw InputError(std::string(what) + ": only solids, cloths and rods have particles");
        },
        ref.id);
}

Range range_of(const PyRef& ref, const char* what)
{
    return visit_with_particles(ref, what, [&](auto id) { return get(ref.owner->world, id).particles; });
}

py::array look_at_particles(const PyRef& ref, const std::string& what)
{
    const Range range = range_of(ref, what.c_str());
    const Particles& p = *ref.owner->world.particles;
    const auto rows = static_cast<std::size_t>(range.count);
    const auto vectors = [&](const std::vector<Vec3>& all) { return ref.owner->look_at(&all[range.first].x, rows, 3); };
    const auto numbers = [&](const std::vector<Real>& all) { return ref.owner->look_at(&all[range.first], rows, 1); };
    if (what == "positions") return vectors(p.x);
    if (what == "velocities") return vectors(p.v);
    if (what == "masses") return numbers(p.mass);
    throw InputError("there is no array \"" + what + "\"");
}

using Points = py::array_t<double, py::array::c_style | py::array::forcecast>;

Vec3 row_of(const Points& rows, py::ssize_t i)
{
    return Vec3d{rows.data()[3 * i], rows.data()[3 * i + 1], rows.data()[3 * i + 2]}.cast<Real>();
}

/// All particles of a body at once, with the checks of set_position and set_velocity.
template <class Set>
void set_rows(const PyRef& ref, const Points& rows, const char* what, const Set& set)
{
    const PyWorld::InUse in_use(*ref.owner);
    const Range range = range_of(ref, what);
    if (rows.ndim() != 2 || rows.shape(0) != range.count || rows.shape(1) != 3)
        throw InputError(std::string(what) + ": the array must have the shape (" + std::to_string(range.count) +
                         ", 3)");
    visit_with_particles(ref, what, [&](auto id) {
        for (int i = 0; i < range.count; ++i) set(ref.owner->world, id, i, row_of(rows, i));
    });
}

/// An animated cloth, handed over frame by frame.
void move_to(const PyRef& ref, const Points& rows, std::optional<double> arrival)
{
    const PyWorld::InUse in_use(*ref.owner);
    const auto* id = std::get_if<ClothId>(&ref.id);
    if (id == nullptr) throw InputError("move_to: only a cloth can be moved vertex by vertex");
    if (rows.ndim() != 2 || rows.shape(1) != 3) throw InputError("move_to: the array must have the shape (n, 3)");
    World& world = ref.owner->world;
    std::vector<Vec3d> positions;
    for (py::ssize_t i = 0; i < rows.shape(0); ++i)
        positions.push_back({rows.data()[3 * i], rows.data()[3 * i + 1], rows.data()[3 * i + 2]});
    move_cloth(world, *id, positions, arrival.value_or(world.time + static_cast<double>(world.settings->dt)));
}

template <class T, std::size_t N>
py::array_t<int> indices_of(const std::vector<std::array<T, N>>& list)
{
    py::array_t<int> array({static_cast<py::ssize_t>(list.size()), static_cast<py::ssize_t>(N)});
    int* out = array.mutable_data();
    for (const auto& item : list)
        for (const T index : item) *out++ = index;
    return array;
}

/// Vertices and triangles as they are now.
py::tuple surface_of(const PyRef& ref)
{
    const World& world = ref.owner->world;
    const CurrentSurface surface = std::visit(
        [&](auto id) -> CurrentSurface {
            if constexpr (std::is_constructible_v<BodyRef, decltype(id)> && !std::is_same_v<decltype(id), ColliderId>)
                return current_surface(world, get(world, id));
            else throw InputError("surface: only bodies have one");
        },
        ref.id);
    py::array_t<double> points({static_cast<py::ssize_t>(surface.points.size()), py::ssize_t(3)});
    double* out = points.mutable_data();
    for (const Vec3& p : surface.points)
        for (int i = 0; i < 3; ++i) *out++ = static_cast<double>(p[i]);
    return py::make_tuple(points, indices_of(surface.triangles));
}

const char* kind_of(const PyRef& ref)
{
    return std::visit([]<class Body>(Id<Body>) { return Body::kKind; }, ref.id);
}

std::string name_of_ref(const PyRef& ref)
{
    return std::visit(
        [&](auto id) -> std::string {
            if constexpr (requires { get(ref.owner->world, id).name; }) return get(ref.owner->world, id).name;
            else return {};
        },
        ref.id);
}

bool is_there(const PyRef& ref)
{
    return std::visit([&](auto id) { return list_of(ref.owner->world, id).index(id) >= 0; }, ref.id);
}

void remove_ref(const PyRef& ref)
{
    const PyWorld::InUse in_use(*ref.owner);
    ref.owner->require_no_arrays();
    World& world = ref.owner->world;
    std::visit(
        [&](auto id) {
            if constexpr (std::is_same_v<decltype(id), SolidId>) remove_solid(world, id);
            else if constexpr (std::is_same_v<decltype(id), ClothId>) remove_cloth(world, id);
            else if constexpr (std::is_same_v<decltype(id), RodId>) remove_rod(world, id);
            else if constexpr (std::is_same_v<decltype(id), RigidId>) remove_rigid(world, id);
            else if constexpr (std::is_same_v<decltype(id), ColliderId>) remove_collider(world, id);
            else if constexpr (std::is_same_v<decltype(id), GlueId>) remove_glue(world, id);
            else remove_grab(world, id);
        },
        ref.id);
}

RigidId rigid_of(const PyRef& ref, const char* what)
{
    const auto* id = std::get_if<RigidId>(&ref.id);
    if (id == nullptr) throw InputError(std::string(what) + ": this is no rigid body");
    return *id;
}

py::tuple pose_of_rigid(const PyRef& ref)
{
    const World& world = ref.owner->world;
    const RigidId id = rigid_of(ref, "pose");
    const Pose& at = pose(world, id);
    py::array_t<double> q(4);
    q.mutable_data()[0] = static_cast<double>(at.q.w);
    for (int i = 0; i < 3; ++i) q.mutable_data()[i + 1] = static_cast<double>(at.q.v[i]);
    return py::make_tuple(array_of(exact_position(at)), q, array_of(velocity(world, id).cast<double>()),
                          array_of(angular_velocity(world, id).cast<double>()));
}

void push(const PyRef& ref, const py::handle& by, const py::object& at, bool impulse)
{
    const PyWorld::InUse in_use(*ref.owner);
    World& world = ref.owner->world;
    const char* what = impulse ? "impulse" : "force";
    const Vec3 v = vec3_of(by, what).cast<Real>();
    if (const auto* id = std::get_if<RigidId>(&ref.id)) {
        const Vec3 point = at.is_none() ? pose(world, *id).x : vec3_of(at, "at").cast<Real>();
        return impulse ? add_impulse(world, *id, v, point) : add_force(world, *id, v, point);
    }
    if (!at.is_none())
        throw InputError(std::string(what) + ": a point is for rigid bodies; others are pushed as a whole");
    visit_with_particles(ref, what, [&](auto id) { impulse ? add_impulse(world, id, v) : add_force(world, id, v); });
}

void move_ref(const PyRef& ref, const py::handle& position, const py::handle& rotation, double within)
{
    const PyWorld::InUse in_use(*ref.owner);
    const Vec3d to = vec3_of(position, "position");
    const Mat3d turned = rotation_of(vec3_of(rotation, "rotation"));
    if (const auto* collider = std::get_if<ColliderId>(&ref.id))
        return move_collider(ref.owner->world, *collider, to, turned, within);
    move_rigid(ref.owner->world, rigid_of(ref, "move"), to, turned, within);
}

py::dict glue_state(const PyRef& ref)
{
    const auto* id = std::get_if<GlueId>(&ref.id);
    if (id == nullptr) throw InputError("state: this is no glue");
    const Glue& g = glue(ref.owner->world, *id);
    py::dict state;
    state["on"] = g.on;
    state["broken"] = g.broken;
    state["force"] = static_cast<double>(g.force);
    state["torque"] = static_cast<double>(g.torque);
    state["gap"] = glue_gap(ref.owner->world, g);
    state["work"] = g.work;
    return state;
}

void move_hand(const PyRef& ref, const py::handle& target)
{
    const auto* id = std::get_if<GrabId>(&ref.id);
    if (id == nullptr) throw InputError("target: this is no grab");
    move_grab(ref.owner->world, *id, vec3_of(target, "target").cast<Real>());
}

py::array_t<bool> ghosts_of(const PyRef& ref)
{
    const Range range = range_of(ref, "ghosts");
    py::array_t<bool> ghosts(range.count);
    for (int i = 0; i < range.count; ++i)
        ghosts.mutable_data()[i] = ref.owner->world.particles->is_ghost(range.first + i);
    return ghosts;
}

py::tuple strain_of_ref(const PyRef& ref)
{
    const Strain strain = visit_with_particles(
        ref, "strain", [&](auto id) { return measure_strain(ref.owner->world, get(ref.owner->world, id)); });
    return py::make_tuple(strain.max, strain.p99);
}

}  // namespace

void bind_bodies(py::module_& module)
{
    py::class_<PyRef>(module, "Ref")
        .def_property_readonly("kind", kind_of)
        .def_property_readonly("name", name_of_ref)
        .def_property_readonly("exists", is_there)
        .def_property_readonly("id",
                               [](const PyRef& ref) {
                                   return std::visit(
                                       [&](auto id) { return py::make_tuple(ref.id.index(), id.slot, id.generation); },
                                       ref.id);
                               })
        .def("array", look_at_particles)
        .def("set_positions",
             [](const PyRef& ref, const Points& x) {
                 set_rows(ref, x, "set_positions",
                          [](World& w, auto id, int i, const Vec3& v) { set_position(w, id, i, v); });
             })
        .def("move_to", move_to)
        .def("set_velocities",
             [](const PyRef& ref, const Points& v) {
                 set_rows(ref, v, "set_velocities",
                          [](World& w, auto id, int i, const Vec3& a) { set_velocity(w, id, i, a); });
             })
        .def("surface", surface_of)
        .def("ghosts", ghosts_of)
        .def("strain", strain_of_ref)
        .def("remove", remove_ref)
        .def("pose", pose_of_rigid)
        .def("set_velocity",
             [](const PyRef& ref, const py::handle& v, const py::handle& w) {
                 set_velocity(ref.owner->world, rigid_of(ref, "set_velocity"), vec3_of(v, "velocity").cast<Real>(),
                              vec3_of(w, "angular_velocity").cast<Real>());
             })
        .def("push", push)
        .def("move", move_ref)
        .def("glue_state", glue_state)
        .def("move_grab", move_hand);
}

}  // namespace pliant::python
