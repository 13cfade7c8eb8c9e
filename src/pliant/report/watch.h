#pragma once
// Watches a run for signs that the effort is too low: too much strain, gaps in glue, or energy that nothing has put in.
// One line for each body when it is first seen, and all of them again at the end.

#include "pliant/snapshot/members.h"
#include "pliant/world/measure.h"
#include "pliant/world/world.h"

#include <string>
#include <vector>

namespace pliant {

class Watch {
  public:
    /// Records the energy of the initial state.
    explicit Watch(const World& world);

    /// Lines about what was not seen before. Measures only every sixth frame, since a measurement takes a good part of
    /// a step.
    std::vector<std::string> look(int frame, const World& world);

    /// A line for each finding so far, with its worst value.
    std::vector<std::string> summary() const;

    struct Finding {
        std::string subject;  // such as `cloth "flag"`
        std::string what;     // such as "strain"
        std::string unit;     // such as " m"; may be empty
        std::string remedy;
        double limit = 0, worst = 0;  // below 0: nothing that has a number
        int frame = 0;                // the first in which it was seen

        std::string text() const;
    };

    /// All that it has seen, for a run that is resumed.
    struct State {
        std::vector<Finding> findings;
        int told = 0;                     // findings that have been reported
        bool driven = false;              // something may add energy
        Energy start;                     // [J]
        double lowest = 0;                // lowest potential energy so far [J]
        double mass = 0;                  // of everything [kg]
        std::vector<double> closest_gap;  // per glue: smallest gap since it is on [m]; -1 while it is off or soft
    };
    const State& state() const { return state_; }
    void resume(State state) { state_ = std::move(state); }

  private:
    void look_at_strain(int frame, const World& world);
    void look_at_glue(int frame, const World& world);
    void look_at_energy(int frame, const World& world);
    void note(int frame, Finding finding);

    State state_;
};
PLIANT_MEMBERS(Watch::Finding, subject, what, unit, remedy, limit, worst, frame)
PLIANT_MEMBERS(Energy, kinetic, potential, elastic, beside)
PLIANT_MEMBERS(Watch::State, findings, told, driven, start, lowest, mass, closest_gap)

}  // namespace pliant
