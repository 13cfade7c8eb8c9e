// One of the targets under libFuzzer: compiled once for each, with its name in PLIANT_FUZZ_TARGET.

#include "fuzz/targets.h"

#include <cstddef>
#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    pliant::fuzz::run_target(PLIANT_FUZZ_TARGET, {reinterpret_cast<const char*>(data), size});
    return 0;
}
