#pragma once

#include "pliant/math/svd3.h"

namespace pliant {

/// The proper rotation nearest to B, R = U V^T; also for planar and for reflected B.
template <class S>
Matrix3<S> polar_rotation(const Matrix3<S>& b)
{
    const SignedSvd<S> d = signed_svd(b);
    return d.u * d.v.transposed();
}

}  // namespace pliant
