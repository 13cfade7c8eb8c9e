#pragma once
// The ghost-point rod of [USS14] as its supplement prints it, in double and scalar: what our kernels are compared with
// and measured against.
//
// With frames D = [d1 d2 d3] of edges A and B, points p0, p1, p2 = ghost of an edge, L = |p1 - p0| and the area
// L hg = |(p1 - p0) x (p2 - p0)|:
//
//   dd3/dp0 = -(1 - d3 d3^T)/L      dd3/dp1 = (1 - d3 d3^T)/L      dd3/dp2 = 0
//   dd2/dp0 = Q [p2 - p1]x          dd2/dp1 = Q [p0 - p2]x         dd2/dp2 = Q [p1 - p0]x      Q = (1 - d2 d2^T)/(L hg)
//   dd1/dp  = -[d3]x dd2/dp + [d2]x dd3/dp
//
//   Omega_i     = X (A_j.B_k - A_k.B_j),   X = 2 / (lbar (1 + tr A^T B)),   (i, j, k) an odd permutation
//   dOmega_i/dp = X (B_k^T dA_j/dp + A_j^T dB_k/dp - B_j^T dA_k/dp - A_k^T dB_j/dp)
//                 - (lbar/2) X Omega_i sum_n (B_n^T dA_n/dp + A_n^T dB_n/dp)
//
// Corrected: the order of (i, j, k), which the source leaves open, and the factor lbar of the last term, without which it
// is right for lbar = 1 only. One sweep takes the edges in order, then the elements in order.

#include "pliant/world/world.h"

#include <array>
#include <vector>

namespace pliant {

struct LongFormFrame {
    Mat3d d;         // columns d1, d2, d3
    Mat3d dd[3][3];  // dd[i][p] = d d_{i+1} / d p, for p0, p1 and the ghost
};
LongFormFrame long_form_frame(const Vec3d& p0, const Vec3d& p1, const Vec3d& ghost);

struct LongFormDarboux {
    Vec3d omega;        // [1/m]
    Mat3d gradient[5];  // per point: row i is d omega_i
};
/// Of the points a, b, c along the rod and the ghosts of (a, b) and (b, c).
LongFormDarboux long_form_darboux(const std::array<Vec3d, 5>& x, double lbar);

struct LongFormRod {
    struct Edge {
        int p0, p1, ghost;
        double length, ghost_distance;  // at rest [m]
    };
    struct Element {
        int a, b;    // edges
        Vec3d rest;  // Omega_rest [1/m]
        double lbar;
    };
    std::vector<Edge> edges;
    std::vector<Element> elements;
    std::vector<Vec3d> x;   // per particle [m]
    std::vector<double> w;  // per particle: inverse mass, 0 = pinned [1/kg]
};

/// The same particles, edges and elements as the first rod of a world.
LongFormRod make_long_form_rod(const World& world);

/// Length, bisector and ghost distance of every edge, then bend and twist of every element, of which the share k per
/// component is removed.
void sweep_long_form_rod(const Vec3d& k, LongFormRod& rod);

}  // namespace pliant
