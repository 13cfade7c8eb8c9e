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
};

/// The same particles and clusters as the first solid of a world that has equal shares.
PaperSolid make_paper_solid(const World& world);

/// Algorithm 2: the mean of the limited goals.
std::vector<Vec3d> paper_goals(const PaperSolid& solid, const std::vector<Vec3d>& y, double gamma);

/// One iteration: x += omega (goals - x).
void paper_limit(PaperSolid& solid, double gamma, double omega);

/// Algorithm 1, without external forces.
void paper_step(PaperSolid& solid, double h, double alpha, double gamma, double omega, int iterations);

}  // namespace pliant
