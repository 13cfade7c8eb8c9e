#include "pliant/solids/goals.h"

namespace pliant {

void SolidScratch::resize(const Clusters& clusters)
{
    x.resize(clusters.rest.size());
    v.resize(clusters.rest.size());
    fits.resize(clusters.mass.size());
    limits.resize(clusters.mass.size());
    rigid.resize(clusters.mass.size());
    pull.resize(clusters.share.size());
}

}  // namespace pliant
