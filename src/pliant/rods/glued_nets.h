#pragma once
// Rods that glue holds. Solved apart, the rod and its glue would undo each other; so all constraints of such a strand or
// tree become blocks of the system of the glue (shape/constraint_system.h), linearised as direct.h does.
//
// A taut edge turns its ends back with a stiffness T / l across it. Where h^2 T / l is large against their masses an
// explicit step would blow up: a cord with a heavy load. Its points then resist corrections with an added mass, as the
// bodies of glue do. The tension is that of the last substep.

#include "pliant/rods/rod_system.h"
#include "pliant/shape/constraint_system.h"

#include <span>
#include <vector>

namespace pliant {

struct GluedNet {
    int rod = 0;
    std::vector<int> edges, elements, tips;  // of the rod
    int system = 0;
    int first_block = 0;  // of the system: those of the edges, then of the elements, then of the tips
};

/// Nets of directly solved rods with a particle that is marked in `glued`.
std::vector<GluedNet> find_glued_nets(std::span<const Rod> rods, std::span<const char> glued);

/// The particles of its blocks.
std::vector<BlockNodes> block_nodes(const Rod& rod, const GluedNet& net);

/// Sets the touches, values and compliances of a net.
void linearise_net(const Rod& rod, const RodSystem& of, Real h, Instant instant, const GluedNet& net,
                   ConstraintSystem& system);

/// Added mass from the tension of the last substep.
void add_mass(const Rod& rod, Real h, const GluedNet& net, ConstraintSystem& system);
/// Keeps the tension for the next.
void save_tension(Real h, const GluedNet& net, const ConstraintSystem& system, Rod& rod);

/// How far edges are off their lengths, as a part of what is left to the next substep; 1 asks for another solve.
double length_error(const Rod& rod, const GluedNet& net, const ConstraintSystem& system);

}  // namespace pliant
