#include "pliant/base/build.h"

namespace pliant {

const int PLIANT_BUILD = PLIANT_VERSION_MAJOR * 10000 + PLIANT_VERSION_MINOR * 100 + PLIANT_VERSION_PATCH;

}  // namespace pliant
