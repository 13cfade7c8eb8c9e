// Writers of frames, and what a scene file may say.

#include "py_world.h"

#include "pliant/files/writer.h"

#include <pybind11/stl.h>

namespace pliant::python {

namespace {

class PyWriter {
  public:
    PyWriter(const std::string& path, int frames) : writer_(make_writer(path, frames)) {}

    void write(PyWorld& world)
    {
        const PyWorld::InUse in_use(world);
        const py::gil_scoped_release free;
        update_frame(world.world, next_++, frame_);
        writer_->write(frame_);
    }
    void finish()
    {
        if (finished_) return;
        finished_ = true;
        writer_->finish();
    }

  private:
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
        .def(py::init<const std::string&, int>())
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
