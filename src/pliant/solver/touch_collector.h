#pragma once
// Gathers, substep by substep, what touched what and how hard, for whoever asked to be told.

#include "pliant/solver/report.h"

#include <map>
#include <utility>
#include <vector>

namespace pliant {

struct Compiled;

class TouchCollector {
  public:
    bool listen = false;

    /// At the start of a frame.
    void begin(const World& world);
    /// After an iteration: what bodies did to each other in it.
    void add_features(Real h, const World& world, const Compiled& compiled);
    /// After a substep: what colliders did in it.
    void add_colliders(Real h, const World& world, const Compiled& compiled);

    /// What was gathered since the start, in the order of the bodies.
    std::vector<ContactEvent> take();

  private:
    struct Sum {
        ContactEvent event;
        Real strongest = 0;  // of single pushes [kg m/s]
    };
    struct Push {
        int a, b;  // bodies in the order of for_each_body, colliders behind them
        Vec3 point, normal;
        Real impulse;
    };

    void add(const Push& push);
    void add_islands(int first_rigid, const Compiled& compiled);

    std::vector<BodyRef> bodies_;  // in that order
    std::vector<int> body_of_particle_;
    std::map<std::pair<int, int>, Sum> sums_;
};

}  // namespace pliant
