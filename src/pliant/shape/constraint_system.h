#pragma once
// Coupled constraints, solved as one sparse system: the joints of glue, and the rods that they hold.
//
//   C(x) = 0 in blocks of three rows        ConstraintBlock
//   dC = sum J_n dx_n                       a Touch is one J, of a node's translation and, for a body, rotation
//   (J W J^T + c / (s + b)) dlambda = -(s (C - target) + b (C - C_start) + c lambda) / (s + b)     solve_constraints
//   dx = W J^T dlambda                      particles and rigid bodies
//
// s = 1, b = c = 0 is a hard row; s = 1 with c = alpha / h^2 an elastic one (XPBD) [MMC16]; s = k h^2, b = damping h, c
// = 1 a damped spring whose stiffness may be zero. A row with s + b = 0 is off.
//
// Nodes are particles and rigid bodies. Most of them are eliminated before factorisation, which couples all blocks that
// touch them (Schur complement). A node that many blocks touch, such as a head with hair, stays in the system as an
// unknown instead, so that the cost is linear in the number of strands (math/block_ldl.h).
//
// W is the inverse mass, of points that touch something only in the directions in which they can move (hold_point). Where
// a constraint is under so much tension that its geometric stiffness is too large for the substep, inertia is added
// (JointPoint::give, JointBody::give). It slows the correction, not the motion.

#include "pliant/math/block_ldl.h"
#include "pliant/state/mobility.h"
#include "pliant/state/particles.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace pliant {

/// Where something is evaluated: at the start of the substep, or at the current positions.
enum class Instant { start, now };

struct RowResponse {
    double stiff = 0, damp = 0, soft = 1;  // s, b, c

    static RowResponse hard() { return {1, 0, 0}; }
    static RowResponse elastic(double compliance_per_h2) { return {1, 0, compliance_per_h2}; }
    bool on() const { return stiff + damp > 0; }
};

struct ConstraintBlock {
    Mat3d rows = Mat3d::identity();  // the directions of the three constraints, as rows; zero for a row that is off
    bool turned = false;             // rows is not the identity
    std::array<RowResponse, 3> response;
    Vec3d start;   // C at the start of the substep
    Vec3d target;  // desired C at its end
    Vec3d driven;  // change of C by keyed motions in the substep
    Vec3d value;   // current C
    Vec3d lambda;
    Vec3d low{-kUnbounded, -kUnbounded, -kUnbounded}, high{kUnbounded, kUnbounded, kUnbounded};  // of lambda
    bool bounded = false;                                                                        // some row is

    static constexpr double kUnbounded = std::numeric_limits<double>::infinity();
    bool on() const { return response[0].on() || response[1].on() || response[2].on(); }
    Vec3d in_rows(const Vec3d& c) const { return turned ? rows * c : c; }
    /// From rows to the world's frame.
    Vec3d in_world(const Vec3d& in) const { return turned ? rows.transposed() * in : in; }
    /// The right-hand side of a row: the negative gap of a hard one, the imbalance of forces of a soft one.
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
    Vec3d start, x;  // position at the start of the substep, and current [m]
    double inv_mass = 0;
    double give = 0;  // 1 / (m + added mass)
    double pull = 0;  // h^2 times the geometric stiffness of the tension on it [kg]
    int holders = 0;  // hard glues that hold it
    Vec3d moved;      // by all solves of the substep [m]
    Vec3d kicked;     // by solve_speeds [kg m/s]

    bool touching = false;           // a collider holds it in some directions: see hold_point
    Mat3d free = Mat3d::identity();  // projects onto the others
    Vec3d reaction;                  // of what holds it, with constant friction [kg m]

    Vec3d in_free(const Vec3d& push) const { return touching ? free * push : push; }
};

/// How all solves of a substep have moved a body.
struct BodyShift {
    Vec3d move, turn;  // summed [m, rad]
    Vec3d composed;    // the one turn that has the effect of them all, one after the other [rad]: see turn_between
};

struct JointBody {
    int body = 0;
    double inv_mass = 0;
    Mat3d give;  // inverse of inertia + added inertia, in the world's frame [1/(kg m^2)]
    BodyShift shift;
    Vec3d kicked, spun;  // momenta by solve_speeds [kg m/s, kg m^2/s]
    Vec3d gained;        // angular momentum by these turns, times the substep [kg m^2]: see correct_spins
};

struct ConstraintSystem {
    struct Touch {
        int block = 0;
        int node = 0;
        Mat3d move, turn;                    // J of the node's translation, and of a body's rotation
        int kept_move = -1, kept_turn = -1;  // blocks of the matrix, if the node stays in the system
    };
    std::vector<ConstraintBlock> blocks;
    std::vector<JointPoint> points;
    std::vector<JointBody> bodies;
    std::vector<Touch> touches;    // in the order in which they were added
    std::vector<int> first_touch;  // per block, and one past the end

    bool active = true;  // some row is on in this substep

    // compiled
    std::vector<int> by_node;        // touches, node by node: points, then bodies; within a node by elimination order
    std::vector<int> first_by_node;  // per node, and one past the end
    std::vector<int> kept;           // per node: its first unknown if it stays in the system, or -1
    std::vector<int> pairs;          // per eliminated node: the block of the matrix of every pair of its touches
    std::vector<char> held;          // per node: cannot move, as of when the pattern was made
    BlockPattern pattern;            // unknowns: the blocks, then the nodes that stay in the system

    // scratch
    std::vector<Mat3d> matrix;
    std::vector<Vec3d> pivots, right;  // per unknown, in elimination order
    std::vector<Vec3d> change;         // per block: of lambda
    std::vector<Vec3d> speeds;         // per block: dC/dt
    std::vector<double> mobility;      // per block: trace of J W J^T
    std::vector<Mat3d> pull;           // per body: h^2 times the geometric stiffness against rotation [kg m^2]
    struct Saved {
        std::vector<Vec3d> points, moved, reactions, lambdas;
        std::vector<Pose> poses;
        std::vector<BodyShift> shifts;
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
/// Where a block is.
struct BlockPlace {
    int system, block;
};
struct ConstraintSystems {
    std::vector<ConstraintSystem> systems;
    std::vector<BlockPlace> places;  // per block that was given
};

/// Finds the connected systems (islands). Touches of a block are its particles, then its bodies.
ConstraintSystems make_constraint_systems(std::span<const BlockNodes> blocks, int particles, int bodies);

/// At the start of a substep: loads masses and positions and clears added inertia. If something was held or released
/// since the last one, the pattern is made again.
void begin_constraints(const Particles& particles, const RigidBodies& bodies, ConstraintSystem& system);
/// Loads and stores the positions of the particles.
void load_constraints(const Particles& particles, ConstraintSystem& system);
void store_constraints(const ConstraintSystem& system, Particles& particles);

/// Zeroes the Jacobians of the rows that are off.
void clear_off_rows(ConstraintSystem& system);

/// Assembles the matrix and factors it.
void factor_constraints(ConstraintSystem& system);

/// C of a block, extrapolated from the start of the substep: start + driven + J (x - start).
Vec3d extrapolate_constraint(const RigidBodies& bodies, const ConstraintSystem& system, int block);

/// One solve with the current factor: updates the multipliers and moves the nodes.
void solve_constraints(ConstraintSystem& system, RigidBodies& bodies);

/// Switches off the rows whose multipliers are out of bounds and applies their bounds as constant forces, starting from
/// the saved state. Returns whether there were any; the other rows have to be solved again then.
bool hold_at_bounds(ConstraintSystem& system, RigidBodies& bodies);

/// Effective inverse mass of a body together with everything that is joined to it, from the current factor: its
/// diagonal block of M^-1 - M^-1 J^T A^-1 J M^-1.
JointMobility joint_mobility(int node, ConstraintSystem& system);

/// Pushes a point along a unit vector n until it has gone `way` [m], and with it all that is joined to it, with the current
/// factor. At most with `most` [kg m]; returns the push. Zero for a point that what it is joined to holds fast.
double push_point(int node, const Vec3d& n, double way, double most, ConstraintSystem& system, RigidBodies& bodies);

/// A collider holds a point in the directions that `free` leaves out, with the reaction that this takes. Eliminating a
/// constraint of one point alone leaves the projected inverse mass W = give * free for all others: no row is needed, and those
/// of a point that touches nothing cost nothing. It has to be factored again.
void hold_point(const Mat3d& free, JointPoint& point);
/// Takes away what has held a point so far: it is where everything else has moved it.
void release_point(JointPoint& point);
/// Pushes a point alone, and counts that as reaction.
void push_held_point(const Vec3d& push, JointPoint& point);

/// Corrects the angular momentum of bodies, after update_velocities: that converts rotations to momentum with the
/// inertia at the end of the substep, but these torques acted at its start.
void correct_spins(Real h, ConstraintSystem& system, RigidBodies& bodies);

/// Finds the impulses that bring the speeds of all rows that are on to zero, in `change`.
void solve_speeds(std::span<const Vec3d> speeds, ConstraintSystem& system);

/// J^T dlambda of a node: push [kg m] and torque [kg m^2], or impulses.
struct NodePush {
    Vec3d push, torque;
};
NodePush push_on_node(const ConstraintSystem& system, int node);

/// Saves and restores what solve_constraints changes.
void save_constraints(const RigidBodies& bodies, ConstraintSystem& system);
void restore_constraints(ConstraintSystem& system, RigidBodies& bodies);

}  // namespace pliant
