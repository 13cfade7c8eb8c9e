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
        for (int at = clusters.first_of_block[b]; at < clusters.first_of_block[b + 1]; ++at) {
            const int e = clusters.entries_of_block[at];
            k += clusters.share[e] * Lanes(solid.stiffness[clusters.entry[e].cluster]);
        }
        stiffest = std::max(stiffest, static_cast<double>(largest(k)));
    }
    constexpr double kMargin = 1.1;
    return std::max(1, static_cast<int>(std::ceil(kMargin * static_cast<double>(dt) * std::sqrt(stiffest) / 2)));
}

}  // namespace pliant
