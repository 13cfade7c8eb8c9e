#include "pliant/solids/solid.h"

#include <algorithm>
#include <cmath>

namespace pliant {

int stable_substeps(const Solid& solid, Real dt)
{
    if (solid.stiffness.empty()) return 1;
    const Clusters& clusters = solid.clusters;
    double stiffest = 0;  // max_i sum_c lambda_ic k_c, a bound of the highest squared frequency
    for (int b = 0; b < clusters.blocks(); ++b) {
        Lanes k = 0;
        for (int slot = clusters.first_slot[b]; slot < clusters.first_slot[b + 1]; ++slot) {
            k += clusters.share[slot] * Lanes(solid.stiffness[clusters.cluster_of_slot[slot]]);
        }
        stiffest = std::max(stiffest, static_cast<double>(largest(k)));
    }
    constexpr double kMargin = 1.1;
    return std::max(1, static_cast<int>(std::ceil(kMargin * static_cast<double>(dt) * std::sqrt(stiffest) / 2)));
}

}  // namespace pliant
