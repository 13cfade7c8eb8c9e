#pragma once
// A sheet that falls on a ball and the ground in Bullet's deformable world, for benchmarks only: springs along all edges,
// self-collision on. Four steps a frame of 1/60 s, as Bullet's own demos of cloth take.

#include "pliant/world/world.h"

#include <memory>
#include <vector>

namespace pliant {

class BulletDrape {
  public:
    /// The first cloth of a world, at rest, with its planes and spheres as colliders.
    explicit BulletDrape(const World& world);
    ~BulletDrape();

    void step_frame();
    std::vector<Vec3> positions() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
