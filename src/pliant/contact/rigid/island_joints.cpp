#include "pliant/contact/rigid/island_joints.h"

namespace pliant {

namespace {

bool holds(const ConstraintBlock& block, int row)
{
    const RowResponse& r = block.response[row];
    return r.on() && r.damp == 0 && r.soft == 0 && block.low[row] == -ConstraintBlock::kUnbounded &&
           block.high[row] == ConstraintBlock::kUnbounded;
}

Mat3d rows_of(const Mat3d& m, const std::array<bool, 3>& kept)
{
    Mat3d some = m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (!kept[i]) some(i, j) = 0;
    return some;
}

}  // namespace

void find_island_joints(std::span<const ConstraintSystem> systems, std::vector<IslandJoint>& joints)
{
    joints.clear();
    for (std::size_t k = 0; k < systems.size(); ++k) {
        const ConstraintSystem& system = systems[k];
        if (!system.active || !system.points.empty()) continue;
        for (std::size_t b = 0; b < system.blocks.size(); ++b) {
            const ConstraintBlock& block = system.blocks[b];
            const std::array<bool, 3> kept{holds(block, 0), holds(block, 1), holds(block, 2)};
            if (!kept[0] && !kept[1] && !kept[2]) continue;
            IslandJoint joint{.system = static_cast<int>(k)};
            std::size_t count = 0;
            for (int t = system.first_touch[b]; t < system.first_touch[b + 1]; ++t) {
                const ConstraintSystem::Touch& touch = system.touches[t];
                const JointBody& body = system.body(touch.node);
                if (body.inv_mass > 0 && count < 2)
                    joint.end[count++] = {body.body, rows_of(touch.move, kept), rows_of(touch.turn, kept)};
            }
            if (count > 0) joints.push_back(joint);
        }
    }
}

}  // namespace pliant
