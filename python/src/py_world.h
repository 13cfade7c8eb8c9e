#pragma once
// The World as Python holds it: with its Solver, the report of the last step, and a count of the NumPy arrays that look
// into it.
//
// Arrays of particles move in memory when bodies are added or removed. An edit that would move them is refused while a
// NumPy array looks at them, as bytearray refuses to be resized while there is a memoryview of it. So an array that can be
// read is never out of date.

#include "pliant/pliant_scene.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace pliant::python {

namespace py = pybind11;

/// The simulation became non-finite.
struct SimulationError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class PyWorld : public std::enable_shared_from_this<PyWorld> {
  public:
    World world;
    Solver solver;
    StepReport report;  // of the last step
    int frame = 0;
    std::string trouble;  // what became non-finite; empty for nothing

    // of the scene that it was read from
    std::string name;
    std::string about;
    int frames = 0;
    std::vector<Expectation> expect;
    std::vector<Look> looks;
    std::vector<CameraKey> camera;
    std::vector<Animation> animations;
    std::vector<std::string> warnings;

    /// While it exists, no other thread may use the world.
    class InUse {
      public:
        explicit InUse(PyWorld& world) : world_(world)
        {
            if (world_.in_use_.exchange(true))
                throw std::runtime_error("another thread is stepping this world; wait for it, or give it a copy");
        }
        ~InUse() { world_.in_use_ = false; }
        InUse(const InUse&) = delete;
        InUse& operator=(const InUse&) = delete;

      private:
        PyWorld& world_;
    };

    /// Before an edit that moves arrays. Throws a BufferError while NumPy looks at them.
    void require_no_arrays() const;
    /// A read-only NumPy array, `rows` by 3, over numbers of the world.
    py::array look_at(const Real* first, std::size_t rows, std::size_t columns);

    /// Throws SimulationError that says what became non-finite, and stops there.
    void step_once(std::optional<double> dt);

  private:
    std::atomic<int> arrays_ = 0;  // NumPy arrays that look at particles
    std::atomic<bool> in_use_ = false;
};

using WorldPtr = std::shared_ptr<PyWorld>;

/// A body, glue or collider of a world.
using AnyRef = std::variant<SolidId, ClothId, RodId, RigidId, ColliderId, GlueId, GrabId>;

/// What Python holds of a body. Its world lives at least as long.
struct PyRef {
    WorldPtr owner;
    AnyRef id;
};

AnyRef any_of(const BodyRef& body);
/// Throws InputError for glue and grabs.
BodyRef body_of(const PyRef& ref);

Vec3d vec3_of(const py::handle& three, const char* what);
py::array_t<double> array_of(const Vec3d& v);

void bind_world(py::module_& module);
void bind_bodies(py::module_& module);
void bind_fit(py::module_& module);
void bind_batch(py::module_& module);
void bind_files(py::module_& module);

}  // namespace pliant::python
