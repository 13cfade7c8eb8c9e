#pragma once
// What is solved with the joints of glue beside them: rods (rods/glued_nets.h), and what their points touch (point_touches.h).

#include "pliant/solver/compiled.h"
#include "pliant/state/writable.h"
#include "pliant/world/world.h"

#include <algorithm>

namespace pliant {

/// As the passes of glue see it.
struct RodsInGlue {
    Real h;
    World& w;
    Compiled& c;

    TouchScene scene() const { return {c.colliders, w.particles}; }
    void hold_points(int system) const
    {
        if (!c.colliders.empty()) hold_touching_points(scene(), c.joints.systems[system], c.point_touches[system]);
    }
    bool correct_points(int system) const
    {
        if (c.colliders.empty()) return false;
        return correct_touches(scene(), c.joints.systems[system], writable(w.rigid_bodies), c.point_touches[system]);
    }
    void note_touches() const
    {
        for (std::size_t k = 0; !c.colliders.empty() && k < c.joints.systems.size(); ++k)
            note_point_touches(scene(), h, c.joints.systems[k], c.point_touches[k], c.particle_contacts, c.predicted.x);
    }

    template <class Work>
    void for_each_net(int system, const Work& work) const
    {
        for (const int n : c.nets_of_system[system]) {
            const GluedNet& net = c.glued_nets[n];
            work(net, w.rods[net.rod], c.all<RodSystem>()[net.rod]);
        }
    }
    void linearise(int system, Instant instant) const
    {
        for_each_net(system, [&](const GluedNet& net, const Rod& rod, const RodSystem& of) {
            ConstraintSystem& blocks = c.joints.systems[system];
            if (instant == Instant::start) add_mass(rod, h, net, blocks);
            linearise_net(rod, of, h, instant, net, blocks);
        });
    }
    double error(int system) const
    {
        double worst = 0;
        for_each_net(system, [&](const GluedNet& net, const Rod& rod, const RodSystem&) {
            worst = std::max(worst, length_error(rod, net, c.joints.systems[system]));
        });
        return worst;
    }
};

}  // namespace pliant
