#include "pliant/solids/skin.h"

#include "pliant/math/polar.h"
#include "pliant/shape/fit.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr double kReach = 1.2;  // how far outside its own radius a cluster moves the surface

}  // namespace

Skin make_skin(const SurfaceMesh& surface, const Clusters& clusters)
{
    Skin skin;
    for (const Vec3d& vertex : surface.vertices) {
        double total = 0, nearest = std::numeric_limits<double>::max();
        int nearest_cluster = 0;
        const std::size_t begin = skin.share.size();
        for (int c = 0; c < clusters.size(); ++c) {
            const double reach = kReach * static_cast<double>(clusters.radius[c]);
            const double d2 = (vertex - clusters.rest_center[c].cast<double>()).squared_norm();
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

void update_skin(const Skin& skin, const Clusters& clusters, std::span<const Vec3> x, std::vector<Vec3>& vertices)
{
    if (!skin.particle.empty()) {
        vertices.clear();
        for (const int i : skin.particle) vertices.push_back(x[i]);
        return;
    }
    struct Affine {
        Mat3 f;
        Vec3 t;
    };
    Blocks blocks;
    load_blocks(clusters, x, x.front(), blocks);
    std::vector<Affine> affine(clusters.mass.size());
    for (int c = 0; c < clusters.size(); ++c) {
        const Vec3 origin = central_value(clusters, c, blocks);
        const ClusterMoments m = cluster_moments(clusters, c, origin, blocks);
        const bool flat = clusters.inverse_moment[c].trace() == 0;
        affine[c] = {flat ? polar_rotation(m.b) : m.b * clusters.inverse_moment[c], x.front() + (origin + m.offset)};
    }
    vertices.resize(skin.rest.size());
    for (std::size_t i = 0; i < skin.rest.size(); ++i) {
        Vec3 p{};
        for (int k = skin.first[i]; k < skin.first[i + 1]; ++k) {
            const int c = skin.cluster[k];
            p += skin.share[k] * (affine[c].t + affine[c].f * (skin.rest[i] - clusters.rest_center[c]));
        }
        vertices[i] = p;
    }
}

}  // namespace pliant
