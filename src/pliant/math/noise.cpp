#include "pliant/math/noise.h"

#include <cmath>

namespace pliant {

namespace {

std::uint64_t mix(std::uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL;
    return h ^ (h >> 31);
}

std::uint64_t hash_of(std::int64_t x, std::int64_t y, std::int64_t z, std::uint64_t seed)
{
    const auto u = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
    return mix(mix(u(x) * 0x9E3779B97F4A7C15ULL + seed) + u(y) * 0xC2B2AE3D27D4EB4FULL + u(z) * 0x165667B19E3779F9ULL);
}

/// 21 bits as a number from -1 to 1.
double share_of(std::uint64_t bits)
{
    constexpr std::uint64_t kMask = (1u << 21) - 1;
    return static_cast<double>(bits & kMask) * 0x1p-20 - 1;
}

Vec3d random_vector(std::uint64_t hash) { return {share_of(hash), share_of(hash >> 21), share_of(hash >> 42)}; }

/// From 0 to 1 with vanishing first and second derivatives at both ends.
struct Fade {
    double value, slope;

    explicit Fade(double t) : value(t * t * t * (t * (6 * t - 15) + 10)), slope(30 * t * t * (t - 1) * (t - 1)) {}
};

constexpr double kLargest = 1e15;  // where a double still tells lattice points apart

bool in_range(double t) { return std::abs(t) < kLargest; }

/// The curl of a potential that is random at lattice points and blended between them.
Vec3d curl_of_potential(const Vec3d& x, std::uint64_t seed)
{
    const Vec3d low{std::floor(x.x), std::floor(x.y), std::floor(x.z)};
    const Vec3d t = x - low;
    const Fade fade[3] = {Fade(t.x), Fade(t.y), Fade(t.z)};
    Vec3d curl;
    for (int corner = 0; corner < 8; ++corner) {
        double weight[3], slope[3];
        std::int64_t at[3];
        for (int k = 0; k < 3; ++k) {
            const int high = corner >> k & 1;
            at[k] = static_cast<std::int64_t>(low[k]) + high;
            weight[k] = high == 1 ? fade[k].value : 1 - fade[k].value;
            slope[k] = high == 1 ? fade[k].slope : -fade[k].slope;
        }
        const Vec3d gradient{slope[0] * weight[1] * weight[2], weight[0] * slope[1] * weight[2],
                             weight[0] * weight[1] * slope[2]};
        curl += gradient.cross(random_vector(hash_of(at[0], at[1], at[2], seed)));
    }
    return curl;
}

}  // namespace

double noise(double t, std::uint64_t seed)
{
    if (!in_range(t)) return 0;
    const double low = std::floor(t);
    const auto at = static_cast<std::int64_t>(low);
    const double a = share_of(hash_of(at, 0, 0, seed)), b = share_of(hash_of(at + 1, 0, 0, seed));
    return a + Fade(t - low).value * (b - a);
}

Vec3d eddy_noise(const Vec3d& x, std::uint64_t seed)
{
    if (!in_range(x.x) || !in_range(x.y) || !in_range(x.z)) return {};
    constexpr double kFiner = 2.17,
                     kShare = 0.35;       // the curl grows with fineness: 0.35 * 2.17 = 0.76, about finer^(-1/3)
    constexpr double kScale = 0.7358;     // one over the standard deviation of the sum
    const Vec3d offset{0.5, 0.25, 0.75};  // where one vanishes, the other does not
    return kScale * (curl_of_potential(x, seed) + kShare * kFiner * curl_of_potential(kFiner * x + offset, mix(seed)));
}

}  // namespace pliant
