#pragma once

#include <benchmark/benchmark.h>

namespace pliant {

/// A counter in nanoseconds for each of `per_iteration` things that an iteration handles.
inline void report(benchmark::State& state, const char* name, double per_iteration)
{
    state.counters[name] = benchmark::Counter(
        per_iteration * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace pliant
