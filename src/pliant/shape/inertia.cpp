#include "pliant/shape/inertia.h"

#include <limits>

namespace pliant {

Mat3 cluster_inertia(const Clusters& clusters, int c, const Vec3& center, const Blocks& x)
{
    const Vector3<Lanes> t = spread(center);
    InertiaSum inertia;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        inertia.add(clusters.weight[p], x[clusters.part[p].block] - t);
    }
    return inertia.total();
}

Vec3 spin_of(const Mat3& inertia, const Vec3& angular_momentum)
{
    constexpr Real kFlat = 64 * std::numeric_limits<Real>::epsilon();
    const Real mean = inertia.trace() / 3;
    if (!(mean > 0)) return {};
    const Mat3 scaled = (1 / mean) * inertia;
    return scaled.determinant() > kFlat ? scaled.inverse() * ((1 / mean) * angular_momentum) : Vec3{};
}

}  // namespace pliant
