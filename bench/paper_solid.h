#pragma once
// The published algorithms of [BJ14] line by line, in double and with no thought of speed: what our passes
// are measured against.

#include "pliant/world/world.h"

#include <vector>

namespace pliant {

struct PaperSolid {
    struct Cluster {
        std::vector<int> members;
        std::vector<double> weight;  // m / n
        Vec3d rest_center;
        double mass = 0, width = 0;
    };
    std::vector<Vec3d> rest, x, v;
    std::vector<double> mass;
    std::vector<int> count;  // n, clusters of a particle
    std::vector<Cluster> clusters;
    Vec3d gravity;         // [m/s^2]
    double ground = -1e9;  // height of the floor for the centres of the particles [m]
    double friction = 0;   // of the floor, Coulomb's coefficient
};

/// The same particles, speeds and clusters as the first solid of a world that has equal shares, under the same gravity
/// and above the same floor, if its first collider is one.
PaperSolid make_paper_solid(const World& world);

/// Algorithm 2: the mean of the limited goals.
std::vector<Vec3d> paper_goals(const PaperSolid& solid, const std::vector<Vec3d>& y, double gamma);

/// One iteration: x += omega (goals - x).
void paper_limit(PaperSolid& solid, double gamma, double omega);

/// Algorithm 1 with gravity; in every iteration particles are put back above the floor, and at the end of the step its
/// friction slows them.
void paper_step(PaperSolid& solid, double h, double alpha, double gamma, double omega, int iterations);

}  // namespace pliant
