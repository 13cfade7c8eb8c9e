#include "pliant/shape/inertia.h"

#include <limits>

namespace pliant {

Mat3 cluster_inertia(const Clusters& clusters, int c, const Vec3& center, const Blocks& x)
{
    const Vector3<Lanes> t = spread(center);
    Lanes xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const int block = clusters.part[p].block;
        const Vector3<Lanes> rho = x[block] - t;
        const Vector3<Lanes> m = clusters.weight[p] * rho;
        xx += m.x * rho.x;
        yy += m.y * rho.y;
        zz += m.z * rho.z;
        xy += m.x * rho.y;
        xz += m.x * rho.z;
        yz += m.y * rho.z;
    }
    const Real ixy = -sum(xy), ixz = -sum(xz), iyz = -sum(yz);
    return {{{sum(yy + zz), ixy, ixz}, {ixy, sum(xx + zz), iyz}, {ixz, iyz, sum(xx + yy)}}};
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
