#pragma once
// What the guard asks of a pair, or of a feature and a collider.

#include "pliant/contact/colliders/collider_features.h"
#include "pliant/contact/pairs/pair_kernels.h"

#include <limits>

namespace pliant {

inline constexpr Real kMinClearanceShare = Real(0.1);  // of the distance to keep: the clearance that is always left
/// Of the same, the clearance that is checked: a push makes a little more, so that the next substep finds it large enough.
inline constexpr Real kCheckedShare = Real(0.99) * kMinClearanceShare;
inline constexpr Real kStepFraction = Real(0.99);  // of the motion that just keeps the clearance
inline constexpr Real kRecovery = Real(0.01);      // of that clearance: what a push adds where there was less
inline constexpr Real kUlps = 8 * std::numeric_limits<Real>::epsilon();  // rounding of n . x, relative to coordinates

/// The clearance that has to be left: a share of the distance, or what there was at the start. Rounding may take a little of the
/// share. Of what there was it may take nothing: in thousands of substeps, that would add up to all of it. Only pairs that touch
/// but for rounding have some leave: rounding has chosen their normals.
PLIANT_INLINE Lanes least_clearance(const Lanes& distance, const Lanes& at_start, const Lanes& rounding)
{
    const Lanes leave = select(at_start > rounding, Lanes(0), rounding);
    return min(Lanes(kCheckedShare) * distance - rounding, at_start - leave);
}

/// The clearance that a push makes: a little more than there was, so that rounding does not use it up over time.
inline Real pushed_to(Real distance, Real clearance)
{
    const Real wanted = kMinClearanceShare * distance;
    return std::min(wanted, clearance + kRecovery * wanted);
}

inline Real rounding_at(Real coordinate) { return kUlps * std::abs(coordinate); }
inline Real rounding_at(const Vec3& x) { return kUlps * (std::abs(x.x) + std::abs(x.y) + std::abs(x.z)); }

inline Real least_of(const PairBlock& block, int l, Real rounding)
{
    return least_clearance(Lanes(block.distance[l]), Lanes(block.clearance[l]), Lanes(rounding))[0];
}
inline Real least_of(const ColliderHold& hold)
{
    return std::min(kCheckedShare * hold.radius - rounding_at(hold.offset), hold.clearance);
}

/// Of a motion from one clearance to another, less than the least: the part that may stay.
inline Real factor_of(Real clearance, Real left, Real least)
{
    return std::max(kStepFraction * (clearance - least) / (clearance - left), Real(0));
}

/// A bit for each pair that comes too near.
template <PairKind kind>
PLIANT_INLINE unsigned check(const PairBlock& block, const Point* now)
{
    Vector3<Lanes> x[4];
    for (int k = 0; k < 4; ++k) x[k] = gather(now, block.point[k].data()).x;
    const Lanes rounding = Lanes(kUlps) * (abs(x[0].x) + abs(x[0].y) + abs(x[0].z));
    const Lanes least = least_clearance(block.distance, block.clearance, rounding);
    return bits_of((clearance<kind>(block.n, x) < least) & (block.distance > Lanes(0)));
}

}  // namespace pliant
