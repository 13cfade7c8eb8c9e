#pragma once
// Looks at a run while it goes on and says so where its effort does not hold it: strain, gaps of glue or energy beyond what
// the scene could have. One line for each body when it is first seen, and all of them once more at the end.

#include "pliant/world/measure.h"
#include "pliant/world/world.h"

#include <string>
#include <vector>

namespace pliant {

class Watch {
  public:
    /// Notes what the scene has to give; the world is as it starts.
    explicit Watch(const World& world);

    /// Lines about what was not seen before. Measures every sixth frame only, since that takes a good part of a step.
    std::vector<std::string> look(int frame, const World& world);

    /// A line for everything that was seen, with its worst value.
    std::vector<std::string> summary() const;

  private:
    struct Finding {
        std::string subject;  // such as `cloth "flag"`
        std::string what;     // such as "strain", with what it is measured in
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
    std::size_t told_ = 0;             // of the findings
    bool driven_ = false;              // something may add energy
    Energy start_;                     // [J]
    double lowest_ = 0;                // potential energy so far [J]
    double mass_ = 0;                  // of all [kg]
    std::vector<double> closest_gap_;  // per glue, since it is on [m]
};

}  // namespace pliant
