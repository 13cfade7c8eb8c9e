// What four particles get of a force on a point at the end of an arm: along it, across it, and both [TK10, figure 4].
// Their forces have the sum and the torque of the one that they stand for. Uses glue/binding.h alone.
#include <pliant/glue/binding.h>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace pliant;

int main()
{
    const std::vector<Vec3d> rest{{-0.25, -0.25, 0}, {-0.25, 0.25, 0}, {0.25, -0.25, 0}, {0.25, 0.25, 0}};
    const std::vector<double> weights(4, 0.25);
    const RigidFit<double> fit = fit_rigid<double>(rest, rest, weights);
    const BoundFrame<double> frame = bound_frame(fit.center, fit.fit, Vec3d{0.7, 0, 0});
    double worst = 0;
    for (const Vec3d& force : {Vec3d{3, 0, 0}, Vec3d{0, 3, 0}, Vec3d{3, 3, 0}}) {
        std::vector<Vec3d> forces(4);
        pass_on<double>(frame, force, weights, rest, forces);
        std::printf("a force of (%g, %g) N at (0.7, 0) m\n", force.x, force.y);
        Vec3d sum, torque;
        for (int i = 0; i < 4; ++i) {
            std::printf("  at (%5.2f, %5.2f)  (%6.3f, %6.3f) N\n", rest[i].x, rest[i].y, forces[i].x, forces[i].y);
            sum += forces[i];
            torque += rest[i].cross(forces[i]);
        }
        std::printf("  together (%g, %g) N and %g N m\n", sum.x, sum.y, torque.z);
        worst = std::max(worst, (sum - force).norm() + (torque - frame.point().cross(force)).norm());
    }
    return worst < 1e-12 ? 0 : 1;
}
