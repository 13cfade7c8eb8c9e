#include "pliant/contact/pairs/turned_normals.h"

#include "pliant/contact/pairs/pair_kernels.h"

#include <algorithm>

namespace pliant {

namespace {

bool turns(const RigidBodies& rigids, int body)
{
    const Quat &before = rigids.pose_prev[body].q, &after = rigids.pose[body].q;
    return rigids.inv_mass[body] == 0 && (before.w != after.w || !(before.v == after.v));
}

void turn_block(const ContactSurface& surface, const RigidBodies& rigids, PairBlock& block)
{
    for (int l = 0; l < kLanes; ++l) {
        for (const IndexLanes& point : block.point) {
            const int p = point[l];
            if (p >= surface.points() || !surface.is_carried(p) || !turns(rigids, surface.carrier(p).body)) continue;
            const int body = surface.carrier(p).body;
            const Mat3d turn = exact_rotation(rigids.pose[body]) * exact_rotation(rigids.pose_prev[body]).transposed();
            set_lane(block.n, l, (turn * lane(block.n, l).cast<double>()).cast<Real>());
            break;
        }
    }
}

}  // namespace

void turn_normals(const ContactSurface& surface, const RigidBodies& rigids, Pairs& pairs)
{
    bool any = false;
    for (int b = 0; b < rigids.size() && !surface.carried.empty(); ++b) any = any || turns(rigids, b);
    if (!any) return;
    for (PairList& list : pairs.lists) {
        for (const int b : list.counting) {
            if (list.counts[b] == kCountsTurned) continue;
            turn_block(surface, rigids, list.blocks[b]);
            list.counts[b] = kCountsTurned;
        }
    }
}

}  // namespace pliant
