#include "pliant/shape/cluster_rest.h"

#include <algorithm>

namespace pliant {

bool ClusterRest::is_flat() const
{
    const double mean = moment.trace() / 3;
    return !(moment.determinant() > 1e-6 * mean * mean * mean);
}

namespace {

ClusterRest measure_cluster(const Memberships& m, int c, std::span<const Vec3d> rest, std::span<const double> mass)
{
    ClusterRest out;
    Vec3d sum;
    for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
        const double mu = m.share[k] * mass[m.member[k]];
        out.mass += mu;
        sum += mu * rest[m.member[k]];
    }
    out.center = sum / out.mass;
    for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
        const Vec3d v = rest[m.member[k]] - out.center;
        const double weight = m.share[k] * mass[m.member[k]] / out.mass;
        out.radius = std::max(out.radius, v.norm());
        out.spread += weight * v.squared_norm();
        out.moment += Mat3d::outer(weight * v, v);
    }
    return out;
}

}  // namespace

std::vector<ClusterRest> measure_clusters(const Memberships& memberships, std::span<const Vec3d> rest,
                                          std::span<const double> mass)
{
    std::vector<ClusterRest> clusters;
    for (int c = 0; c < memberships.clusters(); ++c) clusters.push_back(measure_cluster(memberships, c, rest, mass));
    return clusters;
}

}  // namespace pliant
