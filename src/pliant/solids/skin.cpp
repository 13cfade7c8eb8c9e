#include "pliant/solids/skin.h"

#include "pliant/math/polar.h"
#include "pliant/solids/solid.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr double kReach = 1.2;  // up to this many radii from its centre a cluster moves the surface

}  // namespace

Skin make_skin(const SurfaceMesh& surface, std::span<const ClusterRest> clusters)
{
    Skin skin;
    for (const Vec3d& vertex : surface.vertices) {
        double total = 0, nearest = std::numeric_limits<double>::max();
        int nearest_cluster = 0;
        const std::size_t begin = skin.share.size();
        for (int c = 0; c < static_cast<int>(clusters.size()); ++c) {
            const double reach = kReach * clusters[c].radius;
            const double d2 = (vertex - clusters[c].center).squared_norm();
            if (d2 < nearest) {
                nearest = d2;
                nearest_cluster = c;
            }
            if (d2 >= reach * reach) continue;
            const double s = 1 - d2 / (reach * reach);
            skin.cluster.push_back(c);
            skin.share.push_back(static_cast<Real>(s * s));
            total += s * s;
        }
        if (total <= 0) {
            skin.cluster.resize(begin);
            skin.share.resize(begin);
            skin.cluster.push_back(nearest_cluster);
            skin.share.push_back(1);
            total = 1;
        }
        for (std::size_t k = begin; k < skin.share.size(); ++k) skin.share[k] /= static_cast<Real>(total);
        skin.rest.push_back(vertex.cast<Real>());
        skin.first.push_back(static_cast<int>(skin.share.size()));
    }
    skin.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(surface.triangles);
    return skin;
}

namespace {

/// x = t + F (r - t0), the best affine fit to the members of a cluster; a flat cluster is only rotated.
struct AffineFit {
    Mat3d f;
    Vec3d t;
};

AffineFit fit_affine(const Solid& solid, int c, std::span<const Vec3> x)
{
    const Memberships& m = solid.memberships;
    const ClusterRest& rest = solid.clusters[c];
    const Vec3d origin = x[m.member[m.first[c]]].cast<double>();
    Vec3d offset;
    Mat3d b;
    for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
        const int i = m.member[k];
        const Vec3d u = (m.share[k] * solid.mass[i] / rest.mass) * (x[i].cast<double>() - origin);
        offset += u;
        b += Mat3d::outer(u, solid.rest[i] - rest.center);  // sum mu v = 0: the origin does not matter
    }
    return {rest.is_flat() ? polar_rotation(b) : b * rest.moment.inverse(), origin + offset};
}

}  // namespace

void update_skin(const Solid& solid, std::span<const Vec3> x, std::vector<Vec3>& vertices)
{
    const Skin& skin = solid.skin;
    if (!skin.particle.empty()) {
        vertices.clear();
        for (const int i : skin.particle) vertices.push_back(x[i]);
        return;
    }
    std::vector<AffineFit> fits;
    for (int c = 0; c < static_cast<int>(solid.clusters.size()); ++c) fits.push_back(fit_affine(solid, c, x));
    vertices.resize(skin.rest.size());
    for (std::size_t i = 0; i < skin.rest.size(); ++i) {
        Vec3d p;
        for (int k = skin.first[i]; k < skin.first[i + 1]; ++k) {
            const AffineFit& fit = fits[skin.cluster[k]];
            const Vec3d r = skin.rest[i].cast<double>() - solid.clusters[skin.cluster[k]].center;
            p += static_cast<double>(skin.share[k]) * (fit.t + fit.f * r);
        }
        vertices[i] = p.cast<Real>();
    }
}

}  // namespace pliant
