#pragma once
// What the test program has allocated so far: it replaces malloc (solver/test_allocation.cpp). 0 under the sanitizers,
// which have a malloc of their own.

#include <atomic>
#include <cstddef>

namespace pliant {

extern std::atomic<std::size_t> allocated_bytes;

}  // namespace pliant
