#pragma once
// Rods that glue holds. Solved one after the other, the rod and its glue would undo each other's corrections; so all
// constraints of such a strand or tree become blocks of the glue's system (shape/constraint_system.h), linearised as in
// direct.h.
//
// A taut edge has a geometric stiffness T / l across itself. Where h^2 T / l is large compared with the masses of its
// ends, as in a cord under a heavy load, a step that ignores it blows up. The points then resist corrections with an
// added mass, as glued bodies do. The tension is that of the last substep.

#include "pliant/rods/rod_system.h"
#include "pliant/shape/constraint_system.h"

#include <span>
#include <vector>

namespace pliant {

struct GluedNet {
    int rod = 0;
    std::vector<int> edges, elements, tips;  // of the rod
    int system = 0;
    int first_block = 0;  // of the system: blocks of the edges, then of the elements, then of the tips
};

/// Nets of directly solved rods with a particle that is marked in `glued`.
std::vector<GluedNet> find_glued_nets(std::span<const Rod> rods, std::span<const char> glued);

/// The particles of each of its blocks.
std::vector<BlockNodes> block_nodes(const Rod& rod, const GluedNet& net);

/// Sets the Jacobians (touches), values and compliances of a net.
void linearise_net(const Rod& rod, const RodSystem& of, Real h, Instant instant, const GluedNet& net,
                   ConstraintSystem& system);

/// Added mass from the tension of the last substep.
void add_mass(const Rod& rod, Real h, const GluedNet& net, ConstraintSystem& system);
/// Stores the tension for the next substep.
void save_tension(Real h, const GluedNet& net, const ConstraintSystem& system, Rod& rod);

/// The largest length error of an edge, relative to the tolerance; above 1 the net has to be solved again.
double length_error(const Rod& rod, const GluedNet& net, const ConstraintSystem& system);

}  // namespace pliant
