// Many worlds at once, one thread each. Loops inside a step then run on their own thread, and the bits are those of a loop
// over the worlds.

#include "py_world.h"

#include "pliant/base/parallel.h"

#include <pybind11/stl.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

namespace pliant::python {

namespace {

/// Runs that threads take one after the other.
class Batch {
  public:
    Batch(const std::vector<WorldPtr>& worlds, int frames, int threads) : worlds_(worlds), frames_(frames)
    {
        const int most = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        left_ = std::min(most, static_cast<int>(worlds.size()));
        const int count = left_;
        for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
    }
    ~Batch()
    {
        stop_ = true;
        for (std::thread& thread : threads_) thread.join();
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    /// Waits a little. True once all runs have ended.
    bool wait()
    {
        std::unique_lock lock(mutex_);
        done_.wait_for(lock, std::chrono::milliseconds(50), [&] { return left_ == 0; });
        return left_ == 0;
    }
    long long frames() const { return frames_done_; }

  private:
    void work()
    {
        Workers one(1);
        const UseWorkers scope(one);
        for (std::size_t i = next_++; i < worlds_.size(); i = next_++) run(*worlds_[i]);
        const std::lock_guard lock(mutex_);
        if (--left_ == 0) done_.notify_all();
    }
    void run(PyWorld& world)
    {
        int frame = 0;
        try {
            for (; frame < frames_ && !stop_; ++frame) {
                world.step_once({});
                ++frames_done_;
            }
        } catch (const SimulationError&) {  // world.trouble says what happened
            frames_done_ += frames_ - frame;
        }
    }

    const std::vector<WorldPtr>& worlds_;
    int frames_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<long long> frames_done_ = 0;
    std::atomic<bool> stop_ = false;
    int left_ = 0;  // threads at work
    std::mutex mutex_;
    std::condition_variable done_;
    std::vector<std::thread> threads_;
};

/// Calls progress(frames done) now and then. Ctrl-C ends all runs after their current frames.
void run_batch(const std::vector<WorldPtr>& worlds, int frames, int threads, const py::function& progress)
{
    if (std::set<WorldPtr>(worlds.begin(), worlds.end()).size() != worlds.size())
        throw InputError("batch: the same world is there twice; give it a copy()");
    std::deque<PyWorld::InUse> in_use;
    for (const WorldPtr& world : worlds) in_use.emplace_back(*world);
    Batch batch(worlds, frames, threads);
    bool interrupted = false, done = worlds.empty();
    while (!done && !interrupted) {
        {
            const py::gil_scoped_release free;
            done = batch.wait();
        }
        progress(batch.frames());
        interrupted = PyErr_CheckSignals() != 0;
    }
    if (interrupted) throw py::error_already_set();
}

}  // namespace

void bind_batch(py::module_& module) { module.def("run_batch", run_batch); }

}  // namespace pliant::python
