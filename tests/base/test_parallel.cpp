#include "pliant/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

namespace pliant {
namespace {

/// A job system such as a program may have: it starts a thread for every second chunk.
class CountingJobs : public JobSystem {
  public:
    void run(int chunks, void (*job)(void* context, int chunk), void* context) override
    {
        ++loops;
        std::vector<std::thread> threads;
        for (int c = 1; c < chunks; c += 2) threads.emplace_back([=] { job(context, c); });
        for (int c = 0; c < chunks; c += 2) job(context, c);
        for (std::thread& thread : threads) thread.join();
    }
    int threads() const override { return 2; }

    int loops = 0;
};

/// How often each index is visited by a loop with a loop in it.
std::vector<int> visit(int count)
{
    std::vector<int> seen(static_cast<std::size_t>(count));
    parallel_for(count, 1, [&](int begin, int end) {
        parallel_for(end - begin, 1, [&](int from, int to) {
            for (int i = from; i < to; ++i) ++seen[static_cast<std::size_t>(begin + i)];
        });
    });
    return seen;
}

TEST(UseWorkers, LoopsRunInTheCallersJobSystem)
{
    CountingJobs jobs;
    {
        const UseWorkers scope(jobs);
        EXPECT_EQ(visit(100), std::vector<int>(100, 1));
        EXPECT_EQ(jobs.loops, 1) << "the loops inside run where they are";
        {
            Workers one(1);
            const UseWorkers inner(one);
            visit(100);
        }
        EXPECT_EQ(jobs.loops, 1);
        visit(100);
        EXPECT_EQ(jobs.loops, 2) << "the outer scope is back";
    }
    visit(100);
    EXPECT_EQ(jobs.loops, 2);
}

TEST(Threads, AreAsManyAsTheEnvironmentSays)
{
    const char* const text = std::getenv("PLIANT_THREADS");
    set_threads(0);
    EXPECT_EQ(threads(), text != nullptr ? std::atoi(text) : static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(UseWorkers, IsOfItsThreadOnly)
{
    CountingJobs jobs;
    const UseWorkers scope(jobs);
    std::thread([] { visit(100); }).join();
    EXPECT_EQ(jobs.loops, 0);
}

TEST(Workers, UsesItsThreads)
{
    Workers three(3);
    EXPECT_EQ(three.threads(), 3);
    EXPECT_GE(Workers().threads(), 1);
    const UseWorkers scope(three);
    // The chunks meet: none ends before three threads are at it.
    std::atomic<int> arrived{0};
    parallel_for(3, 1, [&](int begin, int end) {
        arrived += end - begin;
        while (arrived < 3) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 3);
}

TEST(Workers, Moves)
{
    Workers first(2);
    Workers second = std::move(first);
    EXPECT_EQ(second.threads(), 2);
    first = Workers(3);
    for (Workers* workers : {&first, &second}) {
        const UseWorkers scope(*workers);
        EXPECT_EQ(visit(1000), std::vector<int>(1000, 1));
    }
}

TEST(Workers, TwoThreadsHaveTwoPoolsOrShareOne)
{
    Workers a(2), b(2);
    for (Workers* other : {&b, &a}) {
        const auto work = [](Workers& workers, bool& right) {
            const UseWorkers scope(workers);
            for (int i = 0; i < 200; ++i) right = right && visit(500) == std::vector<int>(500, 1);
        };
        bool first = true, second = true;
        std::thread beside([&] { work(*other, second); });
        work(a, first);
        beside.join();
        EXPECT_TRUE(first && second);
    }
}

}  // namespace
}  // namespace pliant
