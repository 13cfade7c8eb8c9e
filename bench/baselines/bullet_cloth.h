#pragma once
// A sheet as Bullet's btSoftBody, for benchmarks only: links along all edges at full stiffness, in the random order
// that Bullet gives them by default. Limp, as ours is by default: links against bending would double its cost. Nothing
// collides.

#include "pliant/geometry/mesh.h"

#include <memory>
#include <span>
#include <vector>

namespace pliant {

class BulletCloth {
  public:
    /// `x` are the positions to start from, at rest; `drag` [1/s] is that of Forces for steps of h.
    BulletCloth(const SurfaceMesh& rest, std::span<const Vec3> x, std::span<const Real> inv_mass, Real h, Real drag);
    ~BulletCloth();
    BulletCloth(BulletCloth&&) noexcept;
    BulletCloth& operator=(BulletCloth&&) noexcept;

    /// A whole step with so many position iterations.
    void step(int iterations);
    /// One position iteration over all links, and nothing else.
    void project_links();

    void set_positions(std::span<const Vec3> x);
    std::vector<Vec3> positions() const;
    int links() const;

  private:
    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace pliant
