#pragma once
// The weighted rigid fit of one point set to another, its derivative, and what it does when the points
// do not determine it. Shape matching, strain limiting and glue are all made of it.
//
//   W = sum w_i    t0 = sum w_i r_i / W   v_i = r_i - t0     rest
//                  t  = sum w_i x_i / W   u_i = x_i - t      now
//   B = sum (w_i/W) u_i v_i^T = U S V^T (signed)    R = U V^T    P = U S U^T    K = tr(P) 1 - P
//
// R minimises sum w_i |R v_i - u_i|^2 over the proper rotations. It is undetermined where S2 + S3
// vanishes: collinear points, or an inverted set with S2 = |S3|. There the previous rotation joins as a
// prior of weight lambda, which keeps the fit continuous and K invertible.

#include "pliant/math/svd3.h"

#include <span>

namespace pliant {

/// Below this ratio (S2 + S3) / (S1 + S2) the previous rotation takes part in the fit.
template <class T>
inline constexpr T kFitConditioning = sizeof(T) == 4 ? T(1e-3) : T(1e-6);

template <class S>
struct RotationFit {
    Matrix3<S> rotation;  // R
    Matrix3<S> u;         // principal directions in the world
    Vector3<S> s;         // signed singular values of B, of the regularised B where prior > 0
    S prior;              // lambda, 0 for a well determined fit
};

/// The rotation of the fit from its matrix B; all points in one place give back the previous rotation.
template <class S>
RotationFit<S> fit_rotation(const Matrix3<S>& b, const Matrix3<S>& previous,
                            Lane<S> conditioning = kFitConditioning<Lane<S>>)
{
    const SignedSvd<S> d = signed_svd(b);
    RotationFit<S> fit{d.u * d.v.transposed(), d.u, d.s, S(0)};
    const S lambda = S(Lane<S>(0.5)) * max(S(0), S(conditioning) * (d.s.x + d.s.y) - (d.s.y + d.s.z));
    const auto nothing = d.s.x <= S(0);
    const auto weak = lambda > S(0);
    if (!any(weak | nothing)) return fit;

    const SignedSvd<S> again = signed_svd(b + lambda * previous);
    fit.rotation = select(nothing, previous, select(weak, again.u * again.v.transposed(), fit.rotation));
    fit.u = select(weak, again.u, fit.u);
    fit.s = select(weak, again.s, fit.s);
    fit.prior = lambda;
    return fit;
}

/// P = U diag(s) U^T, the symmetric factor of B = P R.
template <class S>
Matrix3<S> stretch(const RotationFit<S>& fit)
{
    return fit.u * Matrix3<S>::diagonal(fit.s) * fit.u.transposed();
}

/// K^-1 = U diag(1/(S2+S3), 1/(S1+S3), 1/(S1+S2)) U^T; zero when all points are in one place.
template <class S>
Matrix3<S> inverse_k(const RotationFit<S>& fit)
{
    const auto nothing = fit.s.x <= S(0);
    const auto invert = [&](const S& k) { return select(nothing, S(0), S(1) / select(nothing, S(1), k)); };
    const Vector3<S> d{invert(fit.s.y + fit.s.z), invert(fit.s.x + fit.s.z), invert(fit.s.x + fit.s.y)};
    return fit.u * Matrix3<S>::diagonal(d) * fit.u.transposed();
}

/// The derivative of the fit: dR = [omega]x R for a change dB, omega = K^-1 axl(dB R^T - R dB^T).
template <class S>
Vector3<S> fit_derivative(const RotationFit<S>& fit, const Matrix3<S>& db)
{
    const Matrix3<S> m = db * fit.rotation.transposed();
    return inverse_k(fit) * Vector3<S>{m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)};
}

/// A whole fit of points x to rest points r.
template <class T>
struct RigidFit {
    Vector3<T> rest_center;  // t0
    Vector3<T> center;       // t
    Matrix3<T> b;            // before any prior
    RotationFit<T> fit;

    /// Where the fitted frame carries a point given in rest coordinates.
    Vector3<T> operator()(const Vector3<T>& rest) const { return center + fit.rotation * (rest - rest_center); }
};

/// Fits x to rest with weights > 0 of any scale. Differences are taken from a point of each set first, so
/// that clouds far from the origin keep their accuracy.
template <class T>
RigidFit<T> fit_rigid(std::span<const Vector3<T>> rest, std::span<const Vector3<T>> x, std::span<const T> weights,
                      const Matrix3<T>& previous = Matrix3<T>::identity(), T conditioning = kFitConditioning<T>)
{
    RigidFit<T> r;
    const Vector3<T> rest_origin = rest.empty() ? Vector3<T>{} : rest[0];
    const Vector3<T> origin = x.empty() ? Vector3<T>{} : x[0];
    T total = 0;
    Vector3<T> rest_sum{}, sum{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        total += weights[i];
        rest_sum += weights[i] * (rest[i] - rest_origin);
        sum += weights[i] * (x[i] - origin);
    }
    const Vector3<T> rest_offset = total > 0 ? rest_sum / total : rest_sum;
    const Vector3<T> offset = total > 0 ? sum / total : sum;
    r.rest_center = rest_origin + rest_offset;
    r.center = origin + offset;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vector3<T> u = (x[i] - origin) - offset;
        const Vector3<T> v = (rest[i] - rest_origin) - rest_offset;
        r.b += Matrix3<T>::outer((weights[i] / total) * u, v);
    }
    r.fit = fit_rotation(r.b, previous, conditioning);
    return r;
}

}  // namespace pliant
