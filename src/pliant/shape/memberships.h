#pragma once
// Which particles make up which cluster, as plain lists.
//
// Particle i belongs to cluster c with a share lambda_ic > 0, and its shares add up to one. Inside the
// cluster its mass is mu_ic = lambda_ic m_i. With such a partition of unity a blend of rigid goals conserves
// both momenta; the plain mean over n_i clusters is the case lambda = 1/n_i.

#include <span>
#include <vector>

namespace pliant {

/// The input of make_clusters (shape/clusters.h).
struct Memberships {
    std::vector<int> first{0};  // per cluster, and one past the end
    std::vector<int> member;    // per membership: particle of the body
    std::vector<double> share;  // per membership: lambda

    int clusters() const { return static_cast<int>(first.size()) - 1; }
    int count() const { return static_cast<int>(member.size()); }
    void add(std::span<const int> members);  // with share 0: see share_equally
};

/// lambda_ic = 1/n_i, the plain mean over the clusters of a particle [BJ14].
void share_equally(int particles, Memberships& memberships);

/// An order of the points in which blocks of eight share most of their clusters: entry k is the k-th point.
std::vector<int> order_by_eight(const Memberships& memberships, int points);

/// Renumbers the points: number k is then what order[k] was.
void renumber(std::span<const int> order, Memberships& memberships);

}  // namespace pliant
