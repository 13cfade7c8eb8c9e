#pragma once

#include "pliant/base/parallel.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace pliant {

/// A world that make() makes ends in the same bits for any number of threads.
template <class Make>
void expect_same_bits(const Make& make, int frames)
{
    std::vector<std::uint64_t> hashes;
    for (const int count : {1, 2, 7}) {
        set_threads(count);
        World world = make();
        Solver solver;
        for (int frame = 0; frame < frames; ++frame) solver.step(world);
        hashes.push_back(hash_state(world));
    }
    set_threads(0);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace pliant
