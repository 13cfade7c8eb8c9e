#include "py_world.h"

#include "pliant/base/check.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/files/file_table.h"
#include "pliant/report/expect.h"
#include "pliant/report/stats.h"
#include "pliant/session/parameters.h"

#include <pybind11/stl.h>

#include <cmath>

namespace pliant::python {

namespace {

WorldPtr make_world(Scene scene)
{
    const auto made = std::make_shared<PyWorld>();
    made->warnings = find_warnings(scene);
    made->name = scene.name;
    made->about = scene.about;
    made->frames = scene.frames;
    made->expect = std::move(scene.expect);
    made->animations = std::move(scene.animations);
    made->looks = std::move(scene.looks);
    made->camera = std::move(scene.camera);
    made->world = std::move(scene.world);
    made->solver.report_contacts = true;
    return made;
}

WorldPtr read_from_text(const std::string& text, const std::string& source, const std::vector<std::string>& sets,
                        const FileTable& files, const std::string& folder)
{
    const UseFiles scope(files);
    return make_world(read_scene_text(text, source, folder, sets));
}

WorldPtr copy_world(PyWorld& from)
{
    const PyWorld::InUse in_use(from);
    auto copy = std::make_shared<PyWorld>();
    copy->world = from.world;
    copy->frame = from.frame;
    copy->trouble = from.trouble;
    copy->name = from.name;
    copy->about = from.about;
    copy->frames = from.frames;
    copy->expect = from.expect;
    copy->animations = from.animations;
    copy->looks = from.looks;
    copy->camera = from.camera;
    copy->warnings = from.warnings;
    copy->solver.report_contacts = true;
    return copy;
}

/// Adds what a piece of a scene says. Returns what is new, in the order of the lists.
std::vector<PyRef> extend(const WorldPtr& self, const std::string& text, const std::string& source,
                          const FileTable& files, const std::string& folder)
{
    const PyWorld::InUse in_use(*self);
    self->require_no_arrays();
    World& world = self->world;
    std::vector<std::size_t> before;
    std::apply([&](auto... list) { (before.push_back((world.*list).size()), ...); }, kLists);
    {
        const UseFiles scope(files);
        extend_world(world, text, source, folder);
    }
    std::vector<PyRef> added;
    std::size_t k = 0;
    const auto collect = [&](const auto& list) {
        for (std::size_t i = before[k]; i < list.size(); ++i) added.push_back({self, list.id_at(static_cast<int>(i))});
        ++k;
    };
    std::apply([&](auto... list) { (collect(world.*list), ...); }, kLists);
    return added;
}

/// Ctrl-C is noticed between frames.
void step(PyWorld& self, int frames, std::optional<double> dt)
{
    const PyWorld::InUse in_use(self);
    for (int i = 0; i < frames; ++i) {
        {
            const py::gil_scoped_release free;
            self.step_once(dt);
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
}

std::string stats_of(PyWorld& self)
{
    const PyWorld::InUse in_use(self);
    const FrameCost cost{0,
                         {},
                         self.report.contacts,
                         self.solver.find_crossings(self.world).size(),
                         self.report.events,
                         self.report.feature_contacts,
                         self.report.effort};
    return Stats::line(self.frame, self.world, cost);
}

std::vector<PyRef> list_all(const WorldPtr& self, const std::string& kind)
{
    std::vector<PyRef> refs;
    const auto collect = [&](const auto& list, const char* name) {
        for (std::size_t i = 0; kind == name && i < list.size(); ++i)
            refs.push_back({self, list.id_at(static_cast<int>(i))});
    };
    const World& w = self->world;
    collect(w.solids, "solids");
    collect(w.cloths, "cloths");
    collect(w.rods, "rods");
    collect(w.rigids, "rigids");
    collect(w.colliders, "colliders");
    collect(w.glues, "glue");
    collect(w.grabs, "grabs");
    return refs;
}

py::list list_events(const WorldPtr& self)
{
    py::list events;
    for (const GlueEvent& event : self->report.events)
        events.append(py::make_tuple(event.time, name_of(event.kind), event.glue));
    return events;
}

py::list list_touches(const WorldPtr& self)
{
    py::list touches;
    for (const ContactEvent& touch : self->report.touches)
        touches.append(py::make_tuple(PyRef{self, any_of(touch.a)}, PyRef{self, any_of(touch.b)},
                                      array_of(touch.point.cast<double>()), array_of(touch.normal.cast<double>()),
                                      static_cast<double>(touch.impulse)));
    return touches;
}

py::object cast_ray(const WorldPtr& self, const py::handle& origin, const py::handle& direction, double reach)
{
    const auto hit =
        raycast(self->world, vec3_of(origin, "origin").cast<Real>(), vec3_of(direction, "direction").cast<Real>(),
                static_cast<Real>(std::min(reach, double(std::numeric_limits<Real>::max()))));
    if (!hit) return py::none();
    return py::make_tuple(PyRef{self, any_of(hit->body)}, array_of(hit->point.cast<double>()),
                          array_of(hit->normal.cast<double>()), static_cast<double>(hit->distance), hit->particle);
}

std::vector<PyRef> find_near(const WorldPtr& self, const py::handle& center, double radius)
{
    std::vector<PyRef> refs;
    for (const BodyRef& body : overlap(self->world, vec3_of(center, "center").cast<Real>(), static_cast<Real>(radius)))
        refs.push_back({self, any_of(body)});
    return refs;
}

py::tuple find_closest(const WorldPtr& self, const PyRef& a, const PyRef& b)
{
    const ClosestPoints points = closest_points(self->world, body_of(a), body_of(b));
    return py::make_tuple(array_of(points.a), array_of(points.b), points.distance);
}

py::dict energy_of(const PyWorld& self)
{
    const Energy energy = measure_energy(self.world);
    py::dict all;
    all["kinetic"] = energy.kinetic;
    all["potential"] = energy.potential;
    all["elastic"] = energy.elastic;
    all["total"] = energy.total();
    return all;
}

void restore(PyWorld& self, const py::bytes& bytes)
{
    const PyWorld::InUse in_use(self);
    self.require_no_arrays();
    self.world = read_snapshot(std::string_view(bytes));
    self.frame = static_cast<int>(std::lround(*self.world.time / static_cast<double>(self.world.settings->dt)));
    self.report = {};
    self.trouble.clear();
}

}  // namespace

void PyWorld::require_no_arrays() const
{
    if (const int count = arrays_; count > 0) {
        PyErr_Format(
            PyExc_BufferError,
            "%d NumPy array%s still look%s at the particles, which would move; delete %s, or keep copies instead",
            count, count == 1 ? "" : "s", count == 1 ? "s" : "", count == 1 ? "it" : "them");
        throw py::error_already_set();
    }
}

py::array PyWorld::look_at(const Real* first, std::size_t rows, std::size_t columns)
{
    struct Look {
        WorldPtr world;
        std::atomic<int>& count;
    };
    auto* look = new Look{shared_from_this(), arrays_};
    ++arrays_;
    const py::capsule owner(look, [](void* pointer) {
        auto* ends = static_cast<Look*>(pointer);
        --ends->count;
        delete ends;
    });
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows)};
    if (columns > 1) shape.push_back(static_cast<py::ssize_t>(columns));
    py::array_t<Real> array(shape, first, owner);
    array.attr("flags").attr("writeable") = false;
    return array;
}

void PyWorld::step_once(std::optional<double> dt)
{
    animate(animations, world);
    report = dt ? solver.step(world, static_cast<Real>(*dt)) : solver.step(world);
    ++frame;
    if (!report.trouble) return;
    trouble = "frame " + std::to_string(frame) + ": " + report.trouble.text;
    throw SimulationError(trouble);
}

AnyRef any_of(const BodyRef& body)
{
    return std::visit([](auto id) { return AnyRef(id); }, body);
}

BodyRef body_of(const PyRef& ref)
{
    return std::visit(
        [](auto id) -> BodyRef {
            if constexpr (std::is_constructible_v<BodyRef, decltype(id)>) return id;
            else throw InputError("glue and grabs are no bodies");
        },
        ref.id);
}

Vec3d vec3_of(const py::handle& three, const char* what)
{
    const auto array = py::array_t < double, py::array::c_style | py::array::forcecast > ::ensure(three);
    if (!array || array.size() != 3) {
        PyErr_Clear();
        throw InputError(std::string(what) + ": must be three numbers such as [0, 1, 0]");
    }
    return {array.data()[0], array.data()[1], array.data()[2]};
}

py::array_t<double> array_of(const Vec3d& v)
{
    py::array_t<double> array(3);
    for (int i = 0; i < 3; ++i) array.mutable_data()[i] = v[i];
    return array;
}

void bind_world(py::module_& module)
{
    using W = PyWorld;
    py::class_<W, WorldPtr>(module, "World")
        .def(py::init([] {
            auto world = std::make_shared<W>();
            world->solver.report_contacts = true;
            return world;
        }))
        .def_static("read", [](const std::string& path,
                               const std::vector<std::string>& sets) { return make_world(read_scene(path, sets)); })
        .def_static("read_text", read_from_text)
        .def("copy", copy_world)
        .def("extend", extend)
        .def("set",
             [](W& self, const std::string& path, const std::string& value) {
                 const W::InUse in_use(self);
                 set_parameter(self.world, path, value);
             })
        .def("parameters", [](const W& self) { return list_parameters(self.world); })
        .def("step", step, py::arg("frames"), py::arg("dt"))
        .def("stats", stats_of)
        .def("list", list_all)
        .def("events", list_events)
        .def("touches", list_touches)
        .def("raycast", cast_ray)
        .def("overlap", find_near)
        .def("closest_points", find_closest)
        .def("energy", energy_of)
        .def("momentum", [](const W& self) { return array_of(linear_momentum(self.world)); })
        .def("angular_momentum",
             [](const W& self) { return array_of(angular_momentum(self.world, center_of_mass(self.world))); })
        .def("center", [](const W& self) { return array_of(center_of_mass(self.world)); })
        .def("hash", [](const W& self) { return hash_state(self.world); })
        .def("snapshot",
             [](W& self) {
                 const W::InUse in_use(self);
                 return py::bytes(write_snapshot(self.world));
             })
        .def("restore", restore)
        .def_property_readonly("time", [](const W& self) { return *self.world.time; })
        .def_property_readonly("substeps", [](const W& self) { return *self.world.substeps; })
        .def_property_readonly("particles", [](const W& self) { return self.world.particles->size(); })
        .def_readwrite("frame", &W::frame)
        .def_readonly("trouble", &W::trouble)
        .def_readonly("name", &W::name)
        .def_readonly("about", &W::about)
        .def_readonly("frames", &W::frames)
        .def_readonly("warnings", &W::warnings)
        .def_property_readonly("contacts", [](const W& self) { return self.report.contacts; });
}

}  // namespace pliant::python
