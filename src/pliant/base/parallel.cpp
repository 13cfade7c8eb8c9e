#include "pliant/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#ifdef PLIANT_THREADS_tbb
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#else
#include <vector>
#endif

namespace pliant {

namespace {

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::atomic<int> thread_count{0};  // 0 = one per core

}  // namespace

int threads()
{
    const int count = thread_count.load(std::memory_order_relaxed);
    return count > 0 ? count : cores();
}

#if defined(PLIANT_THREADS_tbb)

namespace {
std::unique_ptr<tbb::global_control> limit;
std::unique_ptr<tbb::task_arena> arena;
}  // namespace

void set_threads(int count)
{
    thread_count = count;
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(threads()));
    arena = std::make_unique<tbb::task_arena>(threads());
}

void detail::parallel_chunks(int count, int grain, void (*body)(void*, int, int), void* context)
{
    if (threads() == 1) return body(context, 0, count);
    const auto run = [&] {
        tbb::parallel_for(tbb::blocked_range<int>(0, count, static_cast<std::size_t>(grain)),
                          [&](const tbb::blocked_range<int>& r) { body(context, r.begin(), r.end()); });
    };
    arena ? arena->execute(run) : run();
}

#elif defined(PLIANT_THREADS_std)

void set_threads(int count) { thread_count = count; }

// Plain threads, started for each loop: for tools that cannot see through TBB, not for speed.
void detail::parallel_chunks(int count, int grain, void (*body)(void*, int, int), void* context)
{
    static thread_local bool inside = false;
    const int parts = inside ? 1 : std::min(threads(), (count + grain - 1) / grain);
    if (parts == 1) return body(context, 0, count);
    const auto run = [&](int part) {
        inside = true;
        body(context, static_cast<int>(static_cast<long>(count) * part / parts),
             static_cast<int>(static_cast<long>(count) * (part + 1) / parts));
        inside = false;
    };
    std::vector<std::thread> others;
    for (int part = 1; part < parts; ++part) others.emplace_back(run, part);
    run(0);
    for (std::thread& thread : others) thread.join();
}

#else

void set_threads(int count) { thread_count = count; }

void detail::parallel_chunks(int count, int, void (*body)(void*, int, int), void* context) { body(context, 0, count); }

#endif

}  // namespace pliant
