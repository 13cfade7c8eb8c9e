#pragma once
// Splits loops over threads. What a loop computes must not depend on how it is split: every index
// writes its own output, and there are no sums across indices.

#include <type_traits>

namespace pliant {

/// How many threads parallel loops may use from now on; 0 = one per core. For the whole process.
void set_threads(int count);
int threads();

namespace detail {
void parallel_chunks(int count, int grain, void (*body)(void*, int, int), void* context);
}

/// Calls body(begin, end) for chunks that cover [0, count), each of at least `grain` where there are so many.
template <class Body>
void parallel_for(int count, int grain, Body&& body)
{
    if (count <= grain) {
        if (count > 0) body(0, count);
        return;
    }
    using Plain = std::remove_reference_t<Body>;
    detail::parallel_chunks(
        count, grain, [](void* context, int begin, int end) { (*static_cast<Plain*>(context))(begin, end); },
        const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace pliant
