#include "pliant/shape/embedding.h"

#include "pliant/base/parallel.h"
#include "pliant/math/procrustes.h"

namespace pliant {

namespace {

constexpr int kVertexGrain = 256;  // vertices per parallel task, at least

/// Summed relative to the first point, so that the accuracy does not depend on the distance from the world's origin.
Vec3 place_of(std::span<const Embedding::Parent> parents, const Vec3& offset, std::span<const Vec3> x)
{
    const Vec3 origin = x[parents.front().point];
    Vec3 place{};
    for (const Embedding::Parent& p : parents) place += p.blend * (x[p.point] - origin);
    if (offset.squared_norm() == 0) return origin + place;
    Mat3 b{};
    for (const Embedding::Parent& p : parents) b += Mat3::outer(p.weight * (x[p.point] - origin), p.arm);
    return origin + (place + fit_rotation(b, Mat3::identity()).rotation * offset);
}

}  // namespace

void update_embedding(const Embedding& embedding, std::span<const Vec3> x, std::vector<Vec3>& vertices)
{
    vertices.resize(embedding.offset.size());
    parallel_for(static_cast<int>(vertices.size()), kVertexGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) {
            const int first = embedding.first[v], count = embedding.first[v + 1] - first;
            const auto parents =
                std::span(embedding.parents).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
            vertices[v] = place_of(parents, embedding.offset[v], x);
        }
    });
}

}  // namespace pliant
