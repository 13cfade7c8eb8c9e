#pragma once
// One loop at a time, shared by the thread that starts it and by helpers that look out for the next one. `Waiting` says how a
// thread waits: look() between two looks, wait(counter, seen) until the counter is another, wake(counter).

#include <atomic>
#include <cstddef>
#include <vector>

namespace pliant {

template <class Waiting>
class LoopShare {
  public:
    explicit LoopShare(int helpers) : homes_(static_cast<std::size_t>(helpers) + 1) {}

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
        while (inside_ != 0) Waiting::look();
    }

    /// What a helper does, from 1 on, until quit(). Between loops it looks out for the next one for a while before it
    /// sleeps: the loops of a step follow each other within microseconds, and waking up takes longer than that.
    void help(int thread)
    {
        unsigned seen = 0;
        while (!quit_) {
            for (int look = 0; look < Waiting::kLooks && loop_ == seen; ++look) Waiting::look();
            Waiting::wait(loop_, seen);
            seen = loop_;
            ++inside_;
            if (open_) work(thread);
            --inside_;
        }
    }
    void quit()
    {
        quit_ = true;
        announce();
    }

  private:
    void announce()
    {
        ++loop_;
        Waiting::wake(loop_);
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

    /// The chunks of a loop that a thread begins with: the same part of every loop, so that what it works on stays in
    /// its own cache from one loop to the next.
    struct alignas(64) Home {
        std::atomic<int> next{0};  // first chunk that is not taken
        int end = 0;
    };

    std::vector<Home> homes_;        // per thread; the first is that of the calling thread
    std::atomic<unsigned> loop_{0};  // counts loops; idle threads wait for it to change
    std::atomic<bool> open_{false};  // the loop may be joined
    std::atomic<int> inside_{0};     // helpers that may be working on it
    std::atomic<bool> quit_{false};
    void (*job_)(void*, int) = nullptr;
    void* context_ = nullptr;
};

}  // namespace pliant
