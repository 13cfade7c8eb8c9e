// The 3x3 decomposition beside Eigen's and LAPACK's, on the same random matrices.

#include "pliant/math/svd_batch.h"

#include <benchmark/benchmark.h>
#include <lapacke.h>
#include <Eigen/SVD>

#include <random>

namespace pliant {
namespace {

constexpr int kMatrices = 4096;

std::vector<Matrix3<Real>> random_matrices()
{
    std::mt19937 random(1);
    std::normal_distribution<Real> normal;
    std::vector<Matrix3<Real>> m(kMatrices);
    for (auto& a : m)
        for (int i = 0; i < 9; ++i) a(i % 3, i / 3) = normal(random);
    return m;
}

void report(benchmark::State& state)
{
    state.counters["ns_per_matrix"] = benchmark::Counter(
        kMatrices * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void svd_lanes(benchmark::State& state)
{
    const auto m = random_matrices();
    std::vector<Matrix3<Lanes>> in(kMatrices / kLanes);
    std::vector<SignedSvd<Lanes>> out(in.size());
    for (int k = 0; k < kMatrices; ++k)
        for (int j = 0; j < 3; ++j) set_lane(in[k / kLanes].c[j], k % kLanes, m[k].c[j]);
    for (auto _ : state) {
        signed_svds(in, out);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    report(state);
}
BENCHMARK(svd_lanes)->Name("svd3/lanes");

void svd_eigen(benchmark::State& state)
{
    using Matrix = Eigen::Matrix<Real, 3, 3>;
    const auto m = random_matrices();
    std::vector<Matrix> in(kMatrices);
    for (int k = 0; k < kMatrices; ++k)
        for (int i = 0; i < 9; ++i) in[k](i % 3, i / 3) = m[k](i % 3, i / 3);
    Eigen::JacobiSVD<Matrix> svd;
    for (auto _ : state) {
        for (const Matrix& a : in) {
            svd.compute(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
            benchmark::DoNotOptimize(svd);
        }
    }
    report(state);
}
BENCHMARK(svd_eigen)->Name("svd3/eigen");

template <class T>
int gesvd(T* a, T* s, T* u, T* v, T* rest)
{
    if constexpr (sizeof(T) == 4) return LAPACKE_sgesvd(LAPACK_COL_MAJOR, 'A', 'A', 3, 3, a, 3, s, u, 3, v, 3, rest);
    else return LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'A', 3, 3, a, 3, s, u, 3, v, 3, rest);
}

void svd_lapack(benchmark::State& state)
{
    const auto m = random_matrices();
    for (auto _ : state) {
        for (const auto& a : m) {
            Real copy[9], s[3], u[9], v[9], rest[3];
            for (int i = 0; i < 9; ++i) copy[i] = a(i % 3, i / 3);
            benchmark::DoNotOptimize(gesvd(copy, s, u, v, rest));
            benchmark::DoNotOptimize(u);
        }
    }
    report(state);
}
BENCHMARK(svd_lapack)->Name("svd3/lapack");

}  // namespace
}  // namespace pliant
