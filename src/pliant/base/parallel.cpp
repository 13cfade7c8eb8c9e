#include "pliant/base/parallel.h"

#include <algorithm>
#include <utility>
#ifndef PLIANT_SERIAL
#include "pliant/base/loop_share.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace pliant {

namespace {

thread_local bool inside_loop = false;  // NOLINT(*-global-variables): a loop inside a loop runs on its own thread
thread_local JobSystem* chosen_jobs = nullptr;  // NOLINT(*-global-variables): by UseWorkers; null = the process's own

/// A loop as the job systems see it.
struct Loop {
    int count, chunk;
    void (*body)(void*, int, int);
    void* context;

    static void run_chunk(void* loop, int c)
    {
        const Loop& self = *static_cast<const Loop*>(loop);
        inside_loop = true;
        self.body(self.context, c * self.chunk, std::min((c + 1) * self.chunk, self.count));
        inside_loop = false;
    }

    void run(int grain, JobSystem& jobs)
    {
        constexpr int kChunksPerThread = 8;  // so that a thread that wakes late still finds work
        chunk = std::max(grain, count / (jobs.threads() * kChunksPerThread));
        jobs.run((count + chunk - 1) / chunk, &run_chunk, this);
    }
};

}  // namespace

UseWorkers::UseWorkers(JobSystem& jobs) : before_(std::exchange(chosen_jobs, &jobs)) {}
UseWorkers::~UseWorkers() { chosen_jobs = before_; }

#ifndef PLIANT_SERIAL

namespace {

/// PLIANT_THREADS, where that is a number above 0, otherwise one per core.
int default_threads()
{
    static const int count = [] {
        constexpr int kMostThreads = 1024;
        const char* const text = std::getenv("PLIANT_THREADS");
        const int asked = text != nullptr ? std::atoi(text) : 0;
        return std::clamp(asked > 0 ? asked : static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
    }();
    return count;
}

int count_or_default(int count) { return count > 0 ? count : default_threads(); }

}  // namespace

class Workers::Pool {
    struct Waiting {
        static constexpr int kLooks = 400;  // some tenths of a millisecond
        static void look() { std::this_thread::yield(); }
        static void wait(const std::atomic<unsigned>& counter, unsigned seen) { counter.wait(seen); }
        static void wake(std::atomic<unsigned>& counter) { counter.notify_all(); }
    };

  public:
    explicit Pool(int helpers) : share(helpers)
    {
        for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this, i] { share.help(i + 1); });
    }
    ~Pool()
    {
        share.quit();
        for (std::thread& helper : helpers_) helper.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    std::mutex in_use;  // by the loop that runs
    LoopShare<Waiting> share;

  private:
    std::vector<std::thread> helpers_;
};

Workers::Workers(int threads)
{
    if (const int count = count_or_default(threads); count > 1) pool_ = new Pool(count - 1);
}
Workers::~Workers() { delete pool_; }
Workers::Workers(Workers&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
Workers& Workers::operator=(Workers&& other) noexcept
{
    std::swap(pool_, other.pool_);
    return *this;
}

int Workers::threads() const { return pool_ != nullptr ? pool_->share.threads() : 1; }

void Workers::run(int chunks, void (*job)(void*, int), void* context)
{
    if (pool_ != nullptr) {
        if (const std::unique_lock lock(pool_->in_use, std::try_to_lock); lock)
            return pool_->share.run(chunks, job, context);
    }
    for (int c = 0; c < chunks; ++c) job(context, c);
}

namespace {

/// The threads of the process.
struct Shared {
    std::mutex in_use;          // by the loop that runs, or by a change of their number
    std::atomic<int> count{0};  // 0 = default_threads()
    std::unique_ptr<Workers> workers;
};

Shared& shared()
{
    static Shared threads;
    return threads;
}

}  // namespace

int threads() { return count_or_default(shared().count); }

void set_threads(int count)
{
    const std::lock_guard lock(shared().in_use);
    shared().count = count;
    shared().workers.reset();
}

void detail::parallel_chunks(int count, int grain, void (*body)(void*, int, int), void* context)
{
    Loop loop{count, count, body, context};
    // One thread, a loop inside a loop, or another caller's loop under way: this thread does it alone.
    if (inside_loop || (chosen_jobs != nullptr ? chosen_jobs->threads() : threads()) <= 1)
        return body(context, 0, count);
    if (chosen_jobs != nullptr) return loop.run(grain, *chosen_jobs);
    const std::unique_lock lock(shared().in_use, std::try_to_lock);
    if (!lock) return body(context, 0, count);
    if (!shared().workers) shared().workers = std::make_unique<Workers>(threads());
    loop.run(grain, *shared().workers);
}

#else

Workers::Workers(int /*threads*/) {}
Workers::~Workers() = default;
Workers::Workers(Workers&& other) noexcept : pool_(other.pool_) {}
Workers& Workers::operator=(Workers&& /*other*/) noexcept { return *this; }
int Workers::threads() const { return 1; }
void Workers::run(int chunks, void (*job)(void*, int), void* context)
{
    for (int c = 0; c < chunks; ++c) job(context, c);
}

int threads() { return 1; }
void set_threads(int /*count*/) {}

void detail::parallel_chunks(int count, int grain, void (*body)(void*, int, int), void* context)
{
    Loop loop{count, count, body, context};
    if (inside_loop || chosen_jobs == nullptr || chosen_jobs->threads() <= 1) return body(context, 0, count);
    loop.run(grain, *chosen_jobs);
}

#endif

}  // namespace pliant
