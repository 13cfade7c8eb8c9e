#pragma once

#include "pliant/math/lanes.h"
#include "pliant/math/svd3.h"

#include <span>

namespace pliant {

/// Many decompositions. Two groups of eight are interleaved, so that one computes while the other waits for its divisions.
void signed_svds(std::span<const Matrix3<Lanes>> matrices, std::span<SignedSvd<Lanes>> results);

}  // namespace pliant
