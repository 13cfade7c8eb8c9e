#include "pliant/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pliant {

namespace {

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

thread_local bool inside_loop = false;  // NOLINT(*-global-variables): a loop inside a loop runs on its own thread

/// Threads that share one loop at a time. Between loops they look out for the next one for a while before they
/// sleep: the loops of a step follow each other within microseconds, and waking up takes longer than that.
class Pool {
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

    void run(int count, int chunk, void (*body)(void*, int, int), void* context)
    {
        count_ = count;
        chunk_ = chunk;
        body_ = body;
        context_ = context;
        const int chunks = (count + chunk - 1) / chunk, threads = static_cast<int>(homes_.size());
        for (int t = 0; t < threads; ++t) {
            homes_[t].next = static_cast<int>(static_cast<long long>(chunks) * t / threads);
            homes_[t].end = static_cast<int>(static_cast<long long>(chunks) * (t + 1) / threads);
        }
        open_ = true;
        announce();
        work(0);
        // All chunks are taken. Who is inside may still be at the last ones; nobody comes in any more.
        open_ = false;
        while (inside_ != 0) std::this_thread::yield();
    }

  private:
    void announce()
    {
        ++loop_;
        loop_.notify_all();
    }
    /// First the chunks at home, then what others have left.
    void work(int thread)
    {
        inside_loop = true;
        const std::size_t threads = homes_.size();
        for (std::size_t k = 0; k < threads; ++k) {
            Home& home = homes_[(static_cast<std::size_t>(thread) + k) % threads];
            for (int c = home.next++; c < home.end; c = home.next++)
                body_(context_, c * chunk_, std::min((c + 1) * chunk_, count_));
        }
        inside_loop = false;
    }
    void help(int thread)
    {
        constexpr int kPatience = 400;  // looks before sleeping: some tenths of a millisecond
        unsigned seen = 0;
        while (!quit_) {
            for (int look = 0; look < kPatience && loop_ == seen; ++look) std::this_thread::yield();
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
        std::atomic<int> next{0};  // first chunk that nobody has taken
        int end = 0;
    };

    std::vector<Home> homes_;  // per thread; the first is that of the thread that asks
    std::vector<std::thread> helpers_;
    std::atomic<unsigned> loop_{0};  // counts loops, for those who wait
    std::atomic<bool> open_{false};  // the loop may be joined
    std::atomic<int> inside_{0};     // helpers that may be at work on it
    std::atomic<bool> quit_{false};
    int count_ = 0, chunk_ = 1;
    void (*body_)(void*, int, int) = nullptr;
    void* context_ = nullptr;
};

/// The threads of the process: there is one set of cores, whoever asks.
struct Threads {
    std::mutex in_use;          // by the loop that runs, or by a change of their number
    std::atomic<int> count{0};  // 0 = one per core
    std::unique_ptr<Pool> pool;
};

Threads& shared()
{
    static Threads threads;
    return threads;
}

}  // namespace

int threads()
{
    const int count = shared().count;
    return count > 0 ? count : cores();
}

void set_threads(int count)
{
    const std::lock_guard lock(shared().in_use);
    shared().count = count;
    shared().pool.reset();
}

void detail::parallel_chunks(int count, int grain, void (*body)(void*, int, int), void* context)
{
#ifdef PLIANT_SERIAL
    return body(context, 0, count);
#else
    std::unique_lock<std::mutex> lock(shared().in_use, std::defer_lock);
    // One thread, a loop inside a loop, or another caller's loop under way: this thread does it alone.
    if (inside_loop || threads() == 1 || !lock.try_lock()) return body(context, 0, count);
    if (!shared().pool) shared().pool = std::make_unique<Pool>(threads() - 1);
    constexpr int kChunksPerThread = 8;  // so that one who comes late still finds some
    shared().pool->run(count, std::max(grain, count / (threads() * kChunksPerThread)), body, context);
#endif
}

}  // namespace pliant
