// pliant._core: the engine for the Python package, which gives it names, types and help.

#include "py_world.h"

#include "pliant/base/check.h"
#include "pliant/base/parallel.h"

PYBIND11_MODULE(_core, module)
{
    namespace py = pybind11;
    using namespace pliant;
    const auto base = py::register_exception<std::runtime_error>(module, "Error", PyExc_RuntimeError);
    py::register_exception<InputError>(module, "InputError", base.ptr());
    py::register_exception<FileError>(module, "FileError", base.ptr());
    py::register_exception<python::SimulationError>(module, "SimulationError", base.ptr());
    module.attr("precision") = sizeof(Real) == sizeof(float) ? "float" : "double";
    module.attr("version") = PLIANT_VERSION;
    module.def("set_threads", &set_threads);
    module.def("threads", &threads);
    python::bind_world(module);
    python::bind_bodies(module);
    python::bind_fit(module);
    python::bind_batch(module);
    python::bind_files(module);
}
