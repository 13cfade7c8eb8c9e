#include "pliant/math/svd_batch.h"

#include "pliant/math/twin.h"

namespace pliant {

namespace {

using Both = Twin<Lanes>;

Vector3<Both> join(const Vector3<Lanes>& a, const Vector3<Lanes>& b) { return {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}}; }

void split(const Vector3<Both>& v, Vector3<Lanes>& a, Vector3<Lanes>& b)
{
    a = {v.x.a, v.y.a, v.z.a};
    b = {v.x.b, v.y.b, v.z.b};
}

}  // namespace

void signed_svds(std::span<const Matrix3<Lanes>> matrices, std::span<SignedSvd<Lanes>> results)
{
    std::size_t k = 0;
    for (; k + 1 < matrices.size(); k += 2) {
        const Matrix3<Lanes>&m = matrices[k], &n = matrices[k + 1];
        const SignedSvd<Both> r =
            signed_svd(Matrix3<Both>{{join(m.c[0], n.c[0]), join(m.c[1], n.c[1]), join(m.c[2], n.c[2])}});
        for (int j = 0; j < 3; ++j) {
            split(r.u.c[j], results[k].u.c[j], results[k + 1].u.c[j]);
            split(r.v.c[j], results[k].v.c[j], results[k + 1].v.c[j]);
        }
        split(r.s, results[k].s, results[k + 1].s);
    }
    if (k < matrices.size()) results[k] = signed_svd(matrices[k]);
}

}  // namespace pliant
