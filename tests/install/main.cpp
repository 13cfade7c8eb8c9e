// A program outside the project: sees the installed headers and links the installed library.

#include <pliant/pliant.h>

#include <cstdio>
#include <exception>
#include <type_traits>

// What the library uses inside must not reach its users through the public headers.
#if defined(NLOHMANN_JSON_VERSION_MAJOR) || defined(FMT_VERSION)
#error "pliant/pliant.h includes a header of a private dependency"
#endif

// Whoever links the library must see the precision that it was built with.
static_assert(std::is_same_v<pliant::Real, EXPECTED_REAL>);

int main()
{
    try {
        pliant::set_threads(2);  // compiled into the library: proves that linking works
        const pliant::Vec3 v{3, 4, 0};
        std::printf("%d threads, length %g\n", pliant::threads(), static_cast<double>(v.norm()));
        return pliant::threads() == 2 && v.norm() == 5 ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
