#pragma once
// A program sees the library's types through these headers, so both must agree on what they look like. If they do not, the
// program does not link, and the name of the missing symbol says what it was compiled for.

#define PLIANT_VERSION_MAJOR 0
#define PLIANT_VERSION_MINOR 1
#define PLIANT_VERSION_PATCH 0

#define PLIANT_JOIN_AGAIN(a, b, c, d) a##b##_##c##_##d
#define PLIANT_JOIN(a, b, c, d) PLIANT_JOIN_AGAIN(a, b, c, d)
#ifdef PLIANT_DOUBLE
#define PLIANT_BUILD \
    PLIANT_JOIN(this_program_was_compiled_for_pliant_, PLIANT_VERSION_MAJOR, PLIANT_VERSION_MINOR, in_double_precision)
#else
#define PLIANT_BUILD \
    PLIANT_JOIN(this_program_was_compiled_for_pliant_, PLIANT_VERSION_MAJOR, PLIANT_VERSION_MINOR, in_single_precision)
#endif

namespace pliant {

extern const int PLIANT_BUILD;

namespace detail {
[[gnu::used]] inline const int* const kBuild = &PLIANT_BUILD;  // asks the linker for it
}

}  // namespace pliant
