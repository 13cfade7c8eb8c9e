// A program that has a job system of its own lets Pliant's loops run there; another gives every world a pool of threads.
// The results are the same to the last bit.
#include <pliant/pliant.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

using namespace pliant;

/// Stands for the job system of an engine: starts threads for every loop. A real one keeps them.
class MyJobs : public JobSystem {
  public:
    void run(int chunks, void (*job)(void* context, int chunk), void* context) override
    {
        loops++;
        std::atomic<int> next{0};
        const auto work = [&] {
            for (int chunk = next++; chunk < chunks; chunk = next++) job(context, chunk);
        };
        std::thread helper(work);
        work();
        helper.join();
    }
    int threads() const override { return 2; }

    std::atomic<int> loops{0};
};

World make_world()
{
    World world;
    add_cloth(world, make_grid(2, 2, 80, 80), {});
    pin_particles(world, std::vector{0, 80});
    return world;
}

int main()
{
    World with_jobs = make_world(), with_pool = make_world(), plain = make_world();
    MyJobs jobs;
    Workers pool(2);
    Solver a, b, c;
    a.jobs = &jobs;
    b.jobs = &pool;
    std::thread other([&] {  // two worlds at once
        for (int frame = 0; frame < 10; ++frame) b.step(with_pool);
    });
    for (int frame = 0; frame < 10; ++frame) a.step(with_jobs);
    other.join();
    for (int frame = 0; frame < 10; ++frame) c.step(plain);
    const bool same = hash_state(with_jobs) == hash_state(plain) && hash_state(with_pool) == hash_state(plain);
    std::printf("%d loops in the program's own jobs, %s\n", jobs.loops.load(), same ? "the same bits" : "other bits");
    return same && jobs.loops > 0 ? 0 : 1;
}
