#include "pliant/geometry/shape_checks.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"

#include <cmath>

namespace pliant {

void check_size(double size, const char* shape, const char* what)
{
    if (std::isfinite(size) && size > 0) return;
    throw InputError(message("{}: {} is {}; give a length above 0 metres", shape, what, size));
}

void check_divisions(int divisions, int least, const char* shape, const char* what)
{
    if (divisions >= least && divisions <= kMaxDivisions) return;
    throw InputError(
        message("{}: {} is {}; give a number from {} to {}", shape, what, divisions, least, kMaxDivisions));
}

}  // namespace pliant
