#pragma once
// Splits loops over threads. What a loop computes must not depend on how it is split: every index
// writes its own output, and there are no sums across indices.
//
// Loops use the threads of the process (set_threads). A program that steps several worlds at once gives each a pool of
// its own, and one that has a job system lets the loops run there:
//
//   Workers four(4);                // or MyJobs, a class of yours that implements JobSystem
//   const UseWorkers scope(four);   // loops of this thread use it until the end of the scope
//   solver.step(world);
//
// A loop inside a loop runs on the thread that reaches it. Built with PLIANT_SERIAL there are no threads of ours: loops run where
// UseWorkers says, and otherwise on their own thread.

#include <type_traits>

namespace pliant {

/// Runs the chunks of a loop on its own threads.
class JobSystem {
  public:
    virtual ~JobSystem() = default;

    /// Calls job(context, chunk) once for each chunk in [0, chunks), in any order and on any threads, and returns when
    /// all calls have returned. Their writes must then be visible to the caller.
    virtual void run(int chunks, void (*job)(void* context, int chunk), void* context) = 0;

    /// How many chunks may run at once; a loop is split into several times as many. 1 = loops are not split.
    virtual int threads() const = 0;
};

/// A pool of threads, which it owns. While one loop runs in it, other loops run serially on the thread that starts them.
class Workers final : public JobSystem {
  public:
    /// The calling thread is one of them: `threads` - 1 are started; 0 = as for set_threads.
    explicit Workers(int threads = 0);
    ~Workers() override;
    Workers(Workers&& other) noexcept;
    Workers& operator=(Workers&& other) noexcept;

    void run(int chunks, void (*job)(void* context, int chunk), void* context) override;
    int threads() const override;

  private:
    class Pool;
    Pool* pool_ = nullptr;  // null: one thread only
};

/// Until it is destroyed, parallel loops that this thread starts run in `jobs`. Scopes may be nested.
class UseWorkers {
  public:
    explicit UseWorkers(JobSystem& jobs);
    ~UseWorkers();
    UseWorkers(const UseWorkers&) = delete;
    UseWorkers& operator=(const UseWorkers&) = delete;

  private:
    JobSystem* before_;
};

/// How many threads the process has for loops of threads without a UseWorkers; 0 = as the environment variable PLIANT_THREADS
/// says, or one per core.
void set_threads(int count);
int threads();

namespace detail {
void parallel_chunks(int count, int grain, void (*body)(void*, int, int), void* context);
}

/// Calls body(begin, end) for chunks that cover [0, count), each of at least `grain` indices if count allows.
template <class Body>
void parallel_for(int count, int grain, Body&& body)
{
    if (count <= grain) {
        if (count > 0) body(0, count);
        return;
    }
    using Plain = std::remove_reference_t<Body>;
    detail::parallel_chunks(
        count, grain, [](void* context, int begin, int end) { (*static_cast<Plain*>(context))(begin, end); },
        const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace pliant
