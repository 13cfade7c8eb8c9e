#include "pliant/solids/goals.h"

namespace pliant {

void SolidScratch::resize(const Clusters& clusters)
{
    x.resize(clusters.rest.size());
    fits.resize(clusters.mass.size());
    limits.resize(clusters.mass.size());
    resize_motion({0, clusters.particles()}, motion);
    impulse.resize(clusters.share.size());
}

}  // namespace pliant
