// Threads of the engine in WebAssembly. Debian's C library knows none, and needs none: a helper is a Worker (helper.js) with an
// instance of the same module over the same memory, a stack and thread-local data of its own, that looks out for loops for good.
// Steps allocate nothing in their loops, but the building of a scene does: memory is handed out by one thread at a time.

#include "pliant_c.h"

#include "pliant/base/loop_share.h"
#include "pliant/base/parallel.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>

using namespace pliant;  // NOLINT: this file is the border to C

namespace {

struct WorkerWaiting {
    static constexpr int kLooks = 20000;  // some hundredths of a millisecond
    static void look() {}
    static void wait(std::atomic<unsigned>& counter, unsigned seen)
    {
        while (counter == seen) __builtin_wasm_memory_atomic_wait32(address_of(counter), static_cast<int>(seen), -1);
    }
    static void wake(std::atomic<unsigned>& counter)
    {
        constexpr unsigned kAll = ~0U;
        __builtin_wasm_memory_atomic_notify(address_of(counter), kAll);
    }

  private:
    static int* address_of(std::atomic<unsigned>& counter) { return reinterpret_cast<int*>(&counter); }
};

class Helpers final : public JobSystem {
  public:
    explicit Helpers(int threads) : share(threads - 1) {}
    void run(int chunks, void (*job)(void*, int), void* context) override { share.run(chunks, job, context); }
    int threads() const override { return share.threads(); }

    LoopShare<WorkerWaiting> share;
};

std::optional<Helpers> helpers;     // NOLINT(*-global-variables): of the instance, which has one engine
std::optional<UseWorkers> loops_of; // NOLINT(*-global-variables): the engine's own thread, for good

std::atomic<bool> allocating = false;  // NOLINT(*-global-variables)

template <class F>
auto alone(F&& f)
{
    while (allocating.exchange(true, std::memory_order_acquire)) {
    }
    struct Release {
        ~Release() { allocating.store(false, std::memory_order_release); }
    } const release;
    return f();
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the linker's (--wrap)
extern "C" {

// The C library's own is not thread-local, as code that is compiled with atomics expects it. It finds this one where the engine's
// thread has it, which alone calls what sets it.
thread_local int errno = 0;

void pliant_use_threads(int count)
{
    helpers.emplace(count);
    loops_of.emplace(*helpers);
}

void pliant_help(int thread) { helpers->share.help(thread); }

void* __real_malloc(std::size_t);
void __real_free(void*);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __real_aligned_alloc(std::size_t, std::size_t);
int __real_posix_memalign(void**, std::size_t, std::size_t);

void* __wrap_malloc(std::size_t size)
{
    return alone([=] { return __real_malloc(size); });
}
void __wrap_free(void* memory)
{
    alone([=] { __real_free(memory); });
}
void* __wrap_calloc(std::size_t count, std::size_t size)
{
    return alone([=] { return __real_calloc(count, size); });
}
void* __wrap_realloc(void* memory, std::size_t size)
{
    return alone([=] { return __real_realloc(memory, size); });
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size)
{
    return alone([=] { return __real_aligned_alloc(alignment, size); });
}
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size)
{
    return alone([=] { return __real_posix_memalign(memory, alignment, size); });
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
