#include "pliant/solids/goals.h"

namespace pliant {

void SolidScratch::resize(const Clusters& clusters)
{
    x.resize(clusters.rest.size());
    fits.resize(clusters.mass.size());
    limits.resize(clusters.mass.size());
    motion.resize(static_cast<std::size_t>(clusters.particles()) / 4096 + 1);
    pull.resize(clusters.share.size());
}

}  // namespace pliant
