#include "pliant/base/parallel.h"

#ifndef PLIANT_SERIAL

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace pliant {

namespace {

thread_local bool inside_loop = false;  // NOLINT(*-global-variables): a loop inside a loop runs on its own thread
thread_local JobSystem* chosen_jobs = nullptr;  // NOLINT(*-global-variables): by UseWorkers; null = the process's own

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

int count_or_default(int count)
{
    return count > 0 ? count : default_threads();
}

}  // namespace

/// Threads that share one loop at a time. Between loops they look out for the next one for a while before they
/// sleep: the loops of a step follow each other within microseconds, and waking up takes longer than that.
class Workers::Pool {
  public:
    explicit Pool(int helpers) : homes_(static_cast<std::size_t>(helpers) + 1)
    {
        for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this, i] { help(i + 1); });
    }
    ~Pool()
    {
        quit_ = true;
        announce();
        for (std::thread& helper : helpers_) helper.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int threads() const { return static_cast<int>(homes_.size()); }

    void run(int chunks, void (*job)(void*, int), void* context)
    {
        job_ = job;
        context_ = context;
        for (int t = 0; t < threads(); ++t) {
            homes_[t].next = static_cast<int>(static_cast<long long>(chunks) * t / threads());
            homes_[t].end = static_cast<int>(static_cast<long long>(chunks) * (t + 1) / threads());
        }
        open_ = true;
        announce();
        work(0);
        // All chunks are taken. Helpers may still be working on the last ones; no new helper joins.
        open_ = false;
        while (inside_ != 0) std::this_thread::yield();
    }

    std::mutex in_use;  // by the loop that runs

  private:
    void announce()
    {
        ++loop_;
        loop_.notify_all();
    }
    /// First this thread's own chunks, then those that other threads have not taken yet (work stealing).
    void work(int thread)
    {
        const std::size_t threads = homes_.size();
        for (std::size_t k = 0; k < threads; ++k) {
            Home& home = homes_[(static_cast<std::size_t>(thread) + k) % threads];
            for (int c = home.next++; c < home.end; c = home.next++) job_(context_, c);
        }
    }
    void help(int thread)
    {
        constexpr int kSpinsBeforeSleep = 400;  // looks before sleeping: some tenths of a millisecond
        unsigned seen = 0;
        while (!quit_) {
            for (int look = 0; look < kSpinsBeforeSleep && loop_ == seen; ++look) std::this_thread::yield();
            loop_.wait(seen);
            seen = loop_;
            ++inside_;
            if (open_) work(thread);
            --inside_;
        }
    }

    /// The chunks of a loop that a thread begins with: the same part of every loop, so that what it works on stays in
    /// its own cache from one loop to the next.
    struct alignas(64) Home {
        std::atomic<int> next{0};  // first chunk that is not taken
        int end = 0;
    };

    std::vector<Home> homes_;  // per thread; the first is that of the calling thread
    std::vector<std::thread> helpers_;
    std::atomic<unsigned> loop_{0};  // counts loops; idle threads wait for it to change
    std::atomic<bool> open_{false};  // the loop may be joined
    std::atomic<int> inside_{0};     // helpers that may be working on it
    std::atomic<bool> quit_{false};
    void (*job_)(void*, int) = nullptr;
    void* context_ = nullptr;
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

int Workers::threads() const { return pool_ != nullptr ? pool_->threads() : 1; }

void Workers::run(int chunks, void (*job)(void*, int), void* context)
{
    if (pool_ != nullptr) {
        if (const std::unique_lock lock(pool_->in_use, std::try_to_lock); lock) return pool_->run(chunks, job, context);
    }
    for (int c = 0; c < chunks; ++c) job(context, c);
}

UseWorkers::UseWorkers(JobSystem& jobs) : before_(std::exchange(chosen_jobs, &jobs)) {}
UseWorkers::~UseWorkers() { chosen_jobs = before_; }

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

}  // namespace pliant

#else

namespace pliant {

Workers::Workers(int /*threads*/) {}
Workers::~Workers() = default;
Workers::Workers(Workers&& other) noexcept : pool_(other.pool_) {}
Workers& Workers::operator=(Workers&& /*other*/) noexcept { return *this; }
int Workers::threads() const { return 1; }
void Workers::run(int chunks, void (*job)(void*, int), void* context)
{
    for (int c = 0; c < chunks; ++c) job(context, c);
}

UseWorkers::UseWorkers(JobSystem& jobs) : before_(&jobs) {}
UseWorkers::~UseWorkers() = default;

int threads() { return 1; }
void set_threads(int /*count*/) {}

void detail::parallel_chunks(int count, int /*grain*/, void (*body)(void*, int, int), void* context)
{
    body(context, 0, count);
}

}  // namespace pliant

#endif
