#pragma once
// Constraints that hang together, solved as one sparse system: joints of glue, and the rods that they hold.
//
//   C(x) = 0 in blocks of three rows        ConstraintBlock
//   dC = sum J_n dx_n                       a Touch is one J: by how a node moves and, if it is a body, turns
//   (J W J^T + c / (s + b)) dlambda = -(s (C - target) + b (C - C_start) + c lambda) / (s + b)     solve_constraints
//   dx = W J^T dlambda                      particles and rigid bodies
//
// s = 1, b = c = 0 is a hard row, s = 1 with c = alpha / h^2 an elastic one [MMC16]; s = k h^2, b = damping h, c = 1 a
// spring that may have no stiffness at all. A row with s + b = 0 is off.
//
// Nodes are particles and rigid bodies. Most of them are eliminated before the factor is made: they make the blocks that
// hold them meet. One that many blocks hold, as the head does that hair grows on, stays in the system instead, so that the
// cost is linear in the number of strands (math/block_ldl.h).
//
// W is the inverse of the mass, and of more than the mass where a constraint under tension would turn or carry its nodes
// too fast for the substep: JointPoint::give, JointBody::give. Added inertia acts on the correction, not on the motion.

#include "pliant/math/block_ldl.h"
#include "pliant/state/mobility.h"
#include "pliant/state/particles.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace pliant {

/// When something is looked at: at the start of the substep, or as it is now.
enum class Instant { start, now };

struct RowResponse {
    double stiff = 0, damp = 0, soft = 1;  // s, b, c

    static RowResponse hard() { return {1, 0, 0}; }
    static RowResponse elastic(double compliance_per_h2) { return {1, 0, compliance_per_h2}; }
    bool on() const { return stiff + damp > 0; }
};

struct ConstraintBlock {
    Mat3d rows = Mat3d::identity();  // the directions of the three constraints, as rows; those that are off are zero
    bool turned = false;             // rows is not the identity
    std::array<RowResponse, 3> response;
    Vec3d start;   // C at the start of the substep
    Vec3d target;  // C wanted at its end
    Vec3d driven;  // what keyed motions add to C in the substep
    Vec3d value;   // C now
    Vec3d lambda;
    Vec3d low{-kUnbounded, -kUnbounded, -kUnbounded}, high{kUnbounded, kUnbounded, kUnbounded};  // of lambda
    bool bounded = false;                                                                        // some row is

    static constexpr double kUnbounded = std::numeric_limits<double>::infinity();
    bool on() const { return response[0].on() || response[1].on() || response[2].on(); }
    Vec3d in_rows(const Vec3d& c) const { return turned ? rows * c : c; }
    /// Lambda of the rows as a vector of the world.
    Vec3d in_world(const Vec3d& in) const { return turned ? rows.transposed() * in : in; }
    /// What is left to do in a row: of a hard one its gap, of a soft one what it lacks of the balance of forces.
    double wanted_change(int i) const
    {
        const RowResponse& r = response[i];
        if (!r.on()) return 0;
        return -(r.stiff * (value[i] - target[i]) + r.damp * (value[i] - start[i]) + r.soft * lambda[i]) /
               (r.stiff + r.damp);
    }
    void set_all(const RowResponse& all) { response = {all, all, all}; }
};

struct JointPoint {
    int particle = 0;
    Vec3d start, x;  // at the start of the substep, and now [m]
    double inv_mass = 0;
    double give = 0;  // 1 / (m + added mass)
    double pull = 0;  // h^2 times the stiffness with which tension holds it [kg]
    int holders = 0;  // glues that bind it hard
};

struct JointBody {
    int body = 0;
    double inv_mass = 0;
    Mat3d give;    // inverse of inertia and added inertia, in the world's frame [1/(kg m^2)]
    Vec3d turned;  // by all solves of the substep [rad]
};

struct ConstraintSystem {
    struct Touch {
        int block = 0;  // that it is of
        int node = 0;
        Mat3d move, turn;                    // dC by the node's motion; the second of a body only
        int kept_move = -1, kept_turn = -1;  // block of the matrix, of a node that stays in the system
    };
    std::vector<ConstraintBlock> blocks;
    std::vector<JointPoint> points;
    std::vector<JointBody> bodies;
    std::vector<Touch> touches;    // in the order in which they were added
    std::vector<int> first_touch;  // per block, and one past the end

    bool active = true;  // something of it acts in this substep

    // compiled
    std::vector<int> by_node;  // touches, node by node: points, then bodies; within a node by place of their blocks
    std::vector<int> first_by_node;  // per node, and one past the end
    std::vector<int> kept;           // per node: its first unknown if it stays in the system, or -1
    std::vector<int> pairs;  // per node that is eliminated: the block of the matrix of every pair of its touches
    std::vector<char> held;  // per node: as it was when the pattern was made
    BlockPattern pattern;    // unknowns: the blocks, then the nodes that stay

    // scratch
    std::vector<Mat3d> matrix;
    std::vector<Vec3d> pivots, right;  // per unknown, by place
    std::vector<Vec3d> change;         // per block: of lambda
    std::vector<Vec3d> speeds;         // per block: of C
    std::vector<double> mobility;      // per block: trace of J W J^T
    std::vector<Mat3d> pull;           // per body: h^2 times the stiffness with which tension turns it back [kg m^2]
    struct Saved {
        std::vector<Vec3d> points, lambdas;
        std::vector<Pose> poses;
        std::vector<Vec3d> turns;
    };
    Saved saved;

    int nodes() const { return static_cast<int>(points.size() + bodies.size()); }
    bool is_body(int node) const { return node >= static_cast<int>(points.size()); }
    JointBody& body(int node) { return bodies[static_cast<std::size_t>(node) - points.size()]; }
    const JointBody& body(int node) const { return bodies[static_cast<std::size_t>(node) - points.size()]; }
};

/// A block before systems are found: the particles and rigid bodies that it holds, in the order of its touches.
struct BlockNodes {
    std::vector<int> particles, bodies;
};
/// Where a block has gone.
struct BlockPlace {
    int system, block;
};
struct ConstraintSystems {
    std::vector<ConstraintSystem> systems;
    std::vector<BlockPlace> places;  // per block that was given
};

/// Finds what hangs together by particles and bodies. Touches of a block are its particles, then its bodies.
ConstraintSystems make_constraint_systems(std::span<const BlockNodes> blocks, int particles, int bodies);

/// Takes over masses, and where everything is, at the start of a substep; added inertia starts from none. What was held or
/// released since the last one changes the order of elimination.
void begin_constraints(const Particles& particles, const RigidBodies& bodies, ConstraintSystem& system);
/// Takes over, and gives back, where the particles are.
void load_constraints(const Particles& particles, ConstraintSystem& system);
void store_constraints(const ConstraintSystem& system, Particles& particles);

/// Takes the rows that are off out of the touches.
void clear_off_rows(ConstraintSystem& system);

/// Makes the matrix of the touches, and factors it.
void factor_constraints(ConstraintSystem& system);

/// C of a block as it follows from the start of the substep: start + driven + J (x - start).
Vec3d extrapolate_constraint(const RigidBodies& bodies, const ConstraintSystem& system, int block);

/// Brings the values of all rows to their targets with the factor that there is, and moves what they hold.
void solve_constraints(ConstraintSystem& system, RigidBodies& bodies);

/// Takes the rows out whose multipliers have left their bounds: they push with all that these allow from now on. Goes back
/// to what was saved for that, and returns whether there were any; the others are then to be solved again.
bool hold_at_bounds(ConstraintSystem& system, RigidBodies& bodies);

/// How a body gives way with all that hangs on it, by the factor that there is:
/// M^-1 - M^-1 J^T A^-1 J M^-1, its own part.
JointMobility joint_mobility(int node, ConstraintSystem& system);

/// Gives bodies the angular momentum of the torques that have turned them. update_velocities takes turns for momentum with
/// the inertia of the end of the substep; these acted at its start. Comes after it.
void correct_spins(Real h, const ConstraintSystem& system, RigidBodies& bodies);

/// The impulses that take away the speeds of all rows that are on, in `change`.
void solve_speeds(std::span<const Vec3d> speeds, ConstraintSystem& system);

/// What a node feels of the changes of lambda: push [kg m] and torque [kg m^2], or impulses.
struct NodePush {
    Vec3d push, torque;
};
NodePush push_on_node(const ConstraintSystem& system, int node);

/// Keeps what solve_constraints changes, and goes back to it.
void save_constraints(const RigidBodies& bodies, ConstraintSystem& system);
void restore_constraints(ConstraintSystem& system, RigidBodies& bodies);

}  // namespace pliant
