// Writers of frames, and what a scene file may say.

#include "py_world.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/files/writer.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

namespace pliant::python {

namespace {

/// Of one world: that of the first frame.
class PyWriter {
  public:
    PyWriter(std::string path, int frames, UpAxis up, double unit)
        : path_(std::move(path)), frames_(frames), format_{.up = up, .unit = unit}
    {
        const std::vector<std::string> known = writer_suffixes();
        if (std::ranges::find(known, lower_extension(path_)) == known.end()) make_writer(path_, RunInfo{});  // says why
    }

    void write(const WorldPtr& world)
    {
        const PyWorld::InUse in_use(*world);
        if (!writer_) open(world);
        if (world != world_) throw InputError("a writer writes one world; make another for this one");
        const py::gil_scoped_release free;
        update_frame(world->world, next_++, frame_);
        writer_->write(frame_);
    }
    void finish()
    {
        if (writer_ && !finished_) writer_->finish();
        finished_ = true;
    }

  private:
    void open(const WorldPtr& world)
    {
        format_.dt = static_cast<double>(world->world.settings->dt);
        world_ = world;
        writer_ = make_writer(
            path_, {frames_, world->name, world->about, world->looks, world->camera, &world->world, format_});
    }

    std::string path_;
    int frames_;
    WriterOptions format_;
    WorldPtr world_;
    std::unique_ptr<FrameWriter> writer_;
    Frame frame_;
    int next_ = 0;
    bool finished_ = false;
};

/// Samples the expectations of the world's scene.
class PyExpect {
  public:
    explicit PyExpect(const PyWorld& world) : check_(world.expect) {}

    void sample(const PyWorld& world) { check_.sample(next_++, world.world, world.report.contacts); }
    py::list results() const
    {
        py::list all;
        for (const ExpectResult& result : check_.results())
            all.append(py::make_tuple(result.met, result.value, result.text));
        return all;
    }

  private:
    ExpectCheck check_;
    int next_ = 0;
};

}  // namespace

void bind_files(py::module_& module)
{
    py::class_<PyWriter>(module, "Writer")
        .def(py::init([](const std::string& path, int frames, const std::string& up, double unit) {
            if (up != "y" && up != "z") throw InputError("up_axis is \"" + up + "\"; it must be \"y\" or \"z\"");
            if (!(unit > 0)) throw InputError("unit must be above 0 [m]");
            return std::make_unique<PyWriter>(path, frames, up == "z" ? UpAxis::z : UpAxis::y, unit);
        }))
        .def("write", &PyWriter::write)
        .def("finish", &PyWriter::finish);
    py::class_<PyExpect>(module, "Expect")
        .def(py::init<const PyWorld&>())
        .def("sample", &PyExpect::sample)
        .def("results", &PyExpect::results);
    module.def("schema", scene_schema);
    module.def("suffixes", writer_suffixes);
    module.def("scenes", [] {
        std::vector<std::pair<std::string, std::string>> names;
        for (const BuiltinScene& scene : builtin_scenes()) names.emplace_back(scene.name, scene.about);
        return names;
    });
    module.def("scene_text", [](const std::string& name) -> std::string {
        for (const BuiltinScene& scene : builtin_scenes())
            if (scene.name == name) return scene.text;
        throw InputError("no built-in scene is named \"" + name + "\"");
    });
}

}  // namespace pliant::python
