#pragma once
// A floating-point type with 113 bits, slow and the same everywhere: IEEE binary128. Differences and products of three
// floats are exact in it.

#include <limits>

namespace pliant {

#ifdef __SIZEOF_FLOAT128__
using WideReal = __float128;
#else
using WideReal = long double;  // ARM, RISC-V and WebAssembly have it under this name
static_assert(std::numeric_limits<WideReal>::digits == 113, "this compiler has no floating-point type of 128 bits");
#endif

}  // namespace pliant
