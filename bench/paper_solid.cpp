#include "bench/paper_solid.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace pliant {

PaperSolid make_paper_solid(const World& world)
{
    const Solid& solid = world.solids[0];
    PaperSolid p;
    p.rest = solid.rest;
    p.count.assign(solid.rest.size(), 0);
    for (const Vec3& x : world.particles->x) p.x.push_back(x.cast<double>());
    for (const Real m : world.particles->mass) p.mass.push_back(double(m));
    for (const Vec3& v : world.particles->v) p.v.push_back(v.cast<double>());
    p.gravity = world.forces->gravity.cast<double>();
    if (!world.colliders.empty() && world.colliders[0].shape == ColliderShape::plane) {
        p.ground = world.colliders[0].position.y + static_cast<double>(world.particles->radius[0]);
        p.friction = static_cast<double>(world.colliders[0].friction);
    }
    const Memberships& memberships = solid.memberships;
    p.clusters.resize(static_cast<std::size_t>(memberships.clusters()));
    for (int k = 0; k < memberships.clusters(); ++k) {
        for (int m = memberships.first[k]; m < memberships.first[k + 1]; ++m) {
            p.clusters[k].members.push_back(memberships.member[m]);
            ++p.count[memberships.member[m]];
        }
    }
    for (auto& cluster : p.clusters) {
        Vec3d sum;
        for (const int i : cluster.members) {
            cluster.weight.push_back(p.mass[i] / p.count[i]);
            cluster.mass += cluster.weight.back();
            sum += cluster.weight.back() * p.rest[i];
        }
        cluster.rest_center = sum / cluster.mass;
        for (const int i : cluster.members)
            cluster.width = std::max(cluster.width, (p.rest[i] - cluster.rest_center).norm());
    }
    return p;
}

namespace {

Mat3d rotation_of(const Mat3d& b)
{
    Eigen::Matrix3d m;
    for (int i = 0; i < 9; ++i) m(i % 3, i / 3) = b(i % 3, i / 3);
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d u = svd.matrixU();
    if (u.determinant() * svd.matrixV().determinant() < 0) u.col(2) *= -1;
    const Eigen::Matrix3d r = u * svd.matrixV().transpose();
    Mat3d out;
    for (int i = 0; i < 9; ++i) out(i % 3, i / 3) = r(i % 3, i / 3);
    return out;
}

}  // namespace

std::vector<Vec3d> paper_goals(const PaperSolid& solid, const std::vector<Vec3d>& y, double gamma)
{
    std::vector<Vec3d> goals(y.size());
    for (const PaperSolid::Cluster& c : solid.clusters) {
        Vec3d center;
        for (std::size_t k = 0; k < c.members.size(); ++k) center += c.weight[k] * y[c.members[k]];
        center = center / c.mass;
        Mat3d b;
        for (std::size_t k = 0; k < c.members.size(); ++k) {
            b += Mat3d::outer(c.weight[k] * (y[c.members[k]] - center), solid.rest[c.members[k]] - c.rest_center);
        }
        const Mat3d r = rotation_of(b);
        for (const int i : c.members) {
            const Vec3d g = center + r * (solid.rest[i] - c.rest_center);
            const Vec3d d = y[i] - g;
            const double beta = d.norm() / c.width;
            goals[i] += beta <= gamma ? y[i] : g + (gamma / beta) * d;
        }
    }
    for (std::size_t i = 0; i < y.size(); ++i) goals[i] = goals[i] / solid.count[i];
    return goals;
}

namespace {

void push_above_ground(PaperSolid& solid)
{
    for (Vec3d& x : solid.x) x.y = std::max(x.y, solid.ground);
}

/// A particle on the floor loses up to friction times what the floor has taken of its speed downwards.
void slow_by_friction(PaperSolid& solid, double h, const std::vector<Vec3d>& before)
{
    for (std::size_t i = 0; i < solid.x.size(); ++i) {
        if (solid.x[i].y > solid.ground) continue;
        const double stopped = std::max(0.0, solid.v[i].y - (before[i].y + h * solid.gravity.y));
        const double slide = std::sqrt(solid.v[i].x * solid.v[i].x + solid.v[i].z * solid.v[i].z);
        const double kept = slide > 0 ? std::max(0.0, 1 - solid.friction * stopped / slide) : 0;
        solid.v[i] = {kept * solid.v[i].x, solid.v[i].y, kept * solid.v[i].z};
    }
}

}  // namespace

void paper_limit(PaperSolid& solid, double gamma, double omega)
{
    const std::vector<Vec3d> g = paper_goals(solid, solid.x, gamma);
    for (std::size_t i = 0; i < g.size(); ++i) solid.x[i] += omega * (g[i] - solid.x[i]);
}

void paper_step(PaperSolid& solid, double h, double alpha, double gamma, double omega, int iterations)
{
    const std::vector<Vec3d> g = paper_goals(solid, solid.x, 0);
    const std::vector<Vec3d> before = solid.x, speed_before = solid.v;
    for (std::size_t i = 0; i < g.size(); ++i) {
        solid.v[i] += alpha / h * (g[i] - solid.x[i]) + h * solid.gravity;
        solid.x[i] += h * solid.v[i];
    }
    for (int k = 0; k < iterations; ++k) {
        paper_limit(solid, gamma, omega);
        push_above_ground(solid);
    }
    for (std::size_t i = 0; i < g.size(); ++i) solid.v[i] = (solid.x[i] - before[i]) / h;
    slow_by_friction(solid, h, speed_before);
}

}  // namespace pliant
