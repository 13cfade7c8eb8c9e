#include "pliant/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace pliant {

void fail_assertion(const char* condition, const char* file, int line)
{
    std::fprintf(stderr, "%s:%d: pliant: broken promise: %s\n", file, line, condition);
    std::abort();
}

}  // namespace pliant
