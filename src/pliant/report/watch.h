#pragma once
// Watches a run for signs that the effort is too low: too much strain, gaps in glue, or energy that nothing has put in.
// One line for each body when it is first seen, and all of them again at the end.

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

  private:
    struct Finding {
        std::string subject;  // such as `cloth "flag"`
        std::string what;     // such as "strain"
        std::string unit;     // such as " m"; may be empty
        std::string remedy;
        double limit = 0, worst = 0;
        int frame = 0;  // the first in which it was seen

        std::string text() const;
    };

    void look_at_strain(int frame, const World& world);
    void look_at_glue(int frame, const World& world);
    void look_at_energy(int frame, const World& world);
    void note(int frame, Finding finding);

    std::vector<Finding> findings_;
    std::size_t told_ = 0;             // findings that have been reported
    bool driven_ = false;              // something may add energy
    Energy start_;                     // [J]
    double lowest_ = 0;                // lowest potential energy so far [J]
    double mass_ = 0;                  // of everything [kg]
    std::vector<double> closest_gap_;  // per glue: smallest gap since it is on [m]; -1 while it is off or soft
};

}  // namespace pliant
