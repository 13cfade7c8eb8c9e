// Explicit springs, and a point bound ahead of three particles: linearly, with a negative weight, and by glue. A spring
// pulls the point; the linear binding drives its parents apart, glue does not [TK10, figure 1]. Uses glue/binding.h alone.
#include <pliant/glue/binding.h>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace pliant;

struct Springs {
    std::vector<Vec3d> rest{{0, 0, 0}, {0.4, 0.2, 0}, {0.4, -0.2, 0}}, x = rest, v = std::vector<Vec3d>(3), f = v;
    std::vector<double> inverse_masses = std::vector<double>(3, 10.0);  // [1/kg]

    void add_spring(int i, int j)
    {
        const Vec3d d = x[j] - x[i], along = d / d.norm();
        const Vec3d force = (80 * (d.norm() - (rest[j] - rest[i]).norm()) + 0.5 * (v[j] - v[i]).dot(along)) * along;
        f[i] += force;
        f[j] -= force;
    }
    void step(double h)
    {
        for (int i = 0; i < 3; ++i) add_spring(i, (i + 1) % 3);
        for (int i = 0; i < 3; ++i) {
            x[i] += h * (v[i] += h * inverse_masses[i] * f[i]);
            f[i] = {};
        }
    }
    double length() const { return (0.5 * (x[1] + x[2]) - x[0]).norm(); }
};

int main()
{
    const Vec3d ahead{1.2, 0, 0}, target{5, 0, 0};
    const double stiffness = 4;                                                // of the pull [N/m]
    const std::vector<double> linear{-2, 1.5, 1.5}, weights(3, 1.0 / 3);       // both put the point at `ahead`
    Springs a, b;                                                              // bound linearly, by glue
    const Vec3d center = fit_rigid<double>(b.rest, b.x, weights).rest_center;  // of the parents at rest
    const std::vector<Vec3d> offsets{b.rest[0] - center, b.rest[1] - center, b.rest[2] - center};
    const auto frame = [&] {
        const RigidFit<double> fit = fit_rigid<double>(b.rest, b.x, weights);
        return bound_frame(fit.center, fit.fit, ahead - center);
    };
    const double stable = stable_step(mobility<double>(frame(), b.inverse_masses, weights, offsets), stiffness);
    const double h = 0.01 * stable;
    std::printf("stable up to %.3f s\n  time   linear     glue   (length of the triangle [m], 0.4 at rest)\n", stable);
    double widest_linear = 0, widest_glue = 0;
    for (int step = 0; step * h < 0.3; ++step) {
        const Vec3d p = -2.0 * a.x[0] + 1.5 * a.x[1] + 1.5 * a.x[2];
        for (int i = 0; i < 3; ++i) a.f[i] += linear[i] * stiffness * (target - p);
        const BoundFrame<double> bound = frame();
        pass_on<double>(bound, stiffness * (target - bound.point()), weights, offsets, b.f);
        if (step % 20 == 0) std::printf("%6.2f %8.3f %8.3f\n", step * h, a.length(), b.length());
        for (Springs* springs : {&a, &b}) springs->step(h);
        widest_linear = std::max(widest_linear, a.length());
        widest_glue = std::max(widest_glue, b.length());
    }
    return widest_linear > 0.7 && widest_glue < 0.41 ? 0 : 1;
}
