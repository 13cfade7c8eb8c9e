#pragma once
// The direct solve of some lanes of a group of nets (rods/direct.h).
//
//   linearise        gradients, right-hand sides and compliances
//   factor           A = J W J^T + alpha/h^2 and its Cholesky factor
//   substitute       forward and back substitution
//   find_moves       W J^T of the change of the multipliers
//   find_residual    for one step of iterative refinement
//   move_nodes       moves the nodes and checks the lengths of the edges

#include "pliant/math/symmetric3.h"
#include "pliant/rods/linearise.h"

#include <algorithm>
#include <span>
#include <type_traits>

namespace pliant {

inline constexpr int kMaxNetSolves = 3;  // per substep

/// Zero for a pivot that vanishes because all of its nodes are pinned: its unknown takes no part.
template <class S>
PLIANT_INLINE S inverse_root(const S& pivot, const S& diagonal)
{
    const auto good = pivot > S(sizeof(Lane<S>) == 4 ? 1e-6 : 1e-13) * diagonal;
    return select(good, S(1) / sqrt(pivot), S(0));
}

template <class S>
class NetSolve {
  public:
    NetSolve(const NetLanes<S>& net, Real h) : net_(net), compliance_(net.stiffness, h) {}

    void load(Real h, std::span<const Point> before, std::span<const Point> velocity, std::span<const Point> points);
    void solve(std::span<const TipFrames> tips, bool refined)
    {
        if (refined) solve(tips, true, at_.fine);
        else solve(tips, false, at_.coarse);
    }
    void store(std::span<Point> points) const;

  private:
    static constexpr int kWidth = NetLanes<S>::kWidth;
    template <class A>
    static constexpr int kParts = kWidth / (sizeof(A) / sizeof(Lane<A>));

    /// Newton steps: linearised at the start of the substep, then at the new positions while the length of some edge is
    /// off.
    template <class A>
    void solve(std::span<const TipFrames> tips, bool refined, NetSums<A>& sums)
    {
        for (int k = 0; k < kMaxNetSolves; ++k) {
            linearise(net_, compliance_, tips);
            if (k > 0) hold_back(sums);
            factor();
            std::copy_n(at_.right.begin(), pattern_.unknowns(), at_.solution.begin());
            substitute();
            find_moves(true, sums);
            if (refined) {
                find_residual(sums);
                substitute();
                find_moves(false, sums);
            }
            if (!move_nodes(sums)) break;
            for (int i = 0; i < kParts<A> * pattern_.unknowns(); ++i)
                sums.lambda[i] = k == 0 ? sums.change[i] : sums.lambda[i] + sums.change[i];
        }
    }
    void factor();
    void substitute();
    template <class A>
    void hold_back(const NetSums<A>& sums);
    template <class A>
    void find_moves(bool first_change, NetSums<A>& sums);
    template <class A>
    void find_residual(const NetSums<A>& sums);
    template <class A>
    bool move_nodes(const NetSums<A>& sums);

    NetLanes<S> net_;
    NetCompliance<S> compliance_;
    const NetPattern& pattern_ = net_.pattern();
    const NetShape& shape_ = pattern_.shape;
    NetScratch<S>& at_ = net_.at;
    S off_ = 1;  // 1 for lanes that have not converged, 0 for the others
};

template <class S>
void NetSolve<S>::load(Real h, std::span<const Point> before, std::span<const Point> velocity,
                       std::span<const Point> points)
{
    const double share = kKeptSwing * static_cast<double>(h);
    for (int n = 0; n < shape_.nodes; ++n) {
        auto& node = at_.nodes[n];
        if constexpr (std::is_same_v<S, Lanes>) {
            const PointLanes old = gather(before.data(), net_.particles(n)),
                             now = gather(points.data(), net_.particles(n));
            node.before = old.x;
            node.moved = now.x - old.x;
            node.last = Lanes(share) * gather(velocity.data(), net_.particles(n)).x;
            node.w = now.w;
        } else {
            for (int l = 0; l < kWidth; ++l) {
                const Point &old = before[net_.particles(n)[l]], &now = points[net_.particles(n)[l]];
                const Vec3d x = old.position().template cast<double>();
                set_lane(node.before, l, x);
                set_lane(node.moved, l, now.position().template cast<double>() - x);
                set_lane(node.last, l, share * velocity[net_.particles(n)[l]].position().template cast<double>());
                node.w.set(l, static_cast<double>(now.w));
            }
        }
        node.root = sqrt(node.w);
    }
}

/// Subtracts alpha/h^2 lambda, of the multipliers so far, from the right-hand side.
template <class S>
template <class A>
void NetSolve<S>::hold_back(const NetSums<A>& sums)
{
    for (int u = 0; u < pattern_.unknowns(); ++u) {
        const Vector3<S>&alpha = at_.compliance[u], lambda = join<S>(&sums.lambda[kParts<A> * u]);
        at_.right[u] -= Vector3<S>{alpha.x * lambda.x, alpha.y * lambda.y, alpha.z * lambda.z};
    }
}

/// J W J^T + alpha/h^2 and its Cholesky factor, block by block.
template <class S>
void NetSolve<S>::factor()
{
    int couple = 0, roll = 0, product = 0;
    const Matrix3<S>* gradients = at_.gradients.data();
    Matrix3<S>* blocks = at_.blocks.data();
    for (int c = 0; c < pattern_.unknowns(); ++c) {
        const int first = pattern_.first_block[c], last = pattern_.first_block[c + 1];
        Matrix3<S> pivot = Matrix3<S>::diagonal(at_.compliance[c]);
        for (; couple < pattern_.blocks[first].couples; ++couple)
            add_square(gradients[pattern_.couples[couple].a], pivot);
        for (; roll < pattern_.blocks[first].rolls; ++roll) {
            const Vector3<S>& r = at_.rolls[pattern_.rolls[roll].a];
            pivot.c[0] += r.x * r;
            pivot.c[1] += r.y * r;
            pivot.c[2] += r.z * r;
        }
        for (; product < pattern_.blocks[first].products; ++product)
            subtract_square(blocks[pattern_.products[product].a], pivot);
        const Vector3<S> inverse = factor_symmetric(pivot, inverse_root<S>);
        at_.pivots[c] = inverse;
        blocks[first] = pivot;
        for (int i = first + 1; i < last; ++i) {
            const NetPattern::Block& block = pattern_.blocks[i];
            Matrix3<S> sum{};
            for (; couple < block.couples; ++couple)
                add_product(gradients[pattern_.couples[couple].a], gradients[pattern_.couples[couple].b], sum);
            for (; roll < block.rolls; ++roll) {
                const Vector3<S>&a = at_.rolls[pattern_.rolls[roll].a], &b = at_.rolls[pattern_.rolls[roll].b];
                sum.c[0] += b.x * a;
                sum.c[1] += b.y * a;
                sum.c[2] += b.z * a;
            }
            for (; product < block.products; ++product)
                subtract_outer(blocks[pattern_.products[product].a], blocks[pattern_.products[product].b], sum);
            divide_by_factor(pivot, inverse, sum);
            blocks[i] = sum;
        }
    }
}

/// Replaces the right-hand side in at_.solution by the solution.
template <class S>
void NetSolve<S>::substitute()
{
    for (int c = 0; c < pattern_.unknowns(); ++c) {
        const int first = pattern_.first_block[c], last = pattern_.first_block[c + 1];
        const Vector3<S> y = forward(at_.blocks[first], at_.pivots[c], at_.solution[c]);
        at_.solution[c] = y;
        for (int i = first + 1; i < last; ++i) at_.solution[pattern_.blocks[i].row] -= at_.blocks[i] * y;
    }
    for (int c = pattern_.unknowns() - 1; c >= 0; --c) {
        const int first = pattern_.first_block[c], last = pattern_.first_block[c + 1];
        Vector3<S> y = at_.solution[c];
        for (int i = first + 1; i < last; ++i)
            y -= transposed_times(at_.blocks[i], at_.solution[pattern_.blocks[i].row]);
        at_.solution[c] = backward(at_.blocks[first], at_.pivots[c], y);
    }
}

/// Sets the change of the multipliers to the solution, or adds the solution to it, and finds the moves that it causes.
template <class S>
template <class A>
void NetSolve<S>::find_moves(bool first_change, NetSums<A>& sums)
{
    constexpr int kEach = kParts<A>;
    std::fill_n(sums.moves.begin(), kEach * shape_.nodes, Vector3<A>{});
    std::fill_n(sums.rolls.begin(), kEach * net_.edges(), A(0));
    for (int f = 0; f < kEach; ++f) {
        const auto lanes = [&](const auto& a) { return part<A>(a, 4 * f); };
        for (int u = 0; u < pattern_.unknowns(); ++u) {
            Vector3<A>& change = sums.change[kEach * u + f];
            change = first_change ? lanes(at_.solution[u]) : change + lanes(at_.solution[u]);
            const Vector3<A> by = change;
            for (const auto& [gradient, node] : pattern_.touches_of(u)) {
                const Matrix3<S>& g = at_.gradients[gradient];
                sums.moves[kEach * node + f] += by.x * lanes(g.c[0]) + by.y * lanes(g.c[1]) + by.z * lanes(g.c[2]);
            }
            for (const auto& [roll, edge] : pattern_.roll_touches_of(u))
                sums.rolls[kEach * edge + f] += lanes(at_.rolls[roll]).dot(by);
        }
    }
}

/// The residual of the change so far, in at_.solution.
template <class S>
template <class A>
void NetSolve<S>::find_residual(const NetSums<A>& sums)
{
    constexpr int kEach = kParts<A>;
    for (int f = 0; f < kEach; ++f) {
        const auto lanes = [&](const auto& a) { return part<A>(a, 4 * f); };
        for (int u = 0; u < pattern_.unknowns(); ++u) {
            const Vector3<A> alpha = lanes(at_.compliance[u]), &by = sums.change[kEach * u + f];
            Vector3<A> left = lanes(at_.right[u]) - Vector3<A>{alpha.x * by.x, alpha.y * by.y, alpha.z * by.z};
            for (const auto& [gradient, node] : pattern_.touches_of(u)) {
                const Matrix3<S>& g = at_.gradients[gradient];
                const Vector3<A>& move = sums.moves[kEach * node + f];
                left -= Vector3<A>{lanes(g.c[0]).dot(move), lanes(g.c[1]).dot(move), lanes(g.c[2]).dot(move)};
            }
            for (const auto& [roll, edge] : pattern_.roll_touches_of(u))
                left -= sums.rolls[kEach * edge + f] * lanes(at_.rolls[roll]);
            for (int l = 0; l < 4; ++l) set_lane(at_.solution[u], 4 * f + l, lane(left, l).template cast<Lane<S>>());
        }
    }
}

/// Moves the nodes of the lanes that have not converged. Returns whether some edge is still off its length.
template <class S>
template <class A>
bool NetSolve<S>::move_nodes(const NetSums<A>& sums)
{
    for (int e = 0; e < net_.edges(); ++e) {
        auto& ghost = at_.nodes[shape_.edges[e].ghost];
        ghost.moved += (off_ * ghost.root * join<S>(&sums.rolls[kParts<A> * e])) * at_.frames[e].d.c[1];
    }
    for (int n = 0; n < shape_.nodes; ++n) {
        auto& node = at_.nodes[n];
        node.before += node.moved + (off_ * node.root) * join<S>(&sums.moves[kParts<A> * n]);
        node.moved = zero<S>();
    }
    S off = 0;
    for (int e = 0; e < net_.edges(); ++e) {
        const NetShape::Edge& shape = shape_.edges[e];
        const Vector3<S>&p0 = at_.nodes[shape.p0].before, &p1 = at_.nodes[shape.p1].before;
        const S length = net_.own(net_.edge(e).length), distance = net_.own(net_.edge(e).ghost_distance);
        const S along = sqrt((p1 - p0).squared_norm());
        const S high = sqrt((at_.nodes[shape.ghost].before - S(0.5) * (p0 + p1)).squared_norm());
        const auto far = (abs(along - length) > S(kMaxLengthError) * length) |
                         (abs(high - distance) > S(kMaxLengthError) * distance);
        off = select(far, net_.own(net_.edge(e).there), off);
    }
    off_ = off;
    return any(off > S(0));
}

template <class S>
void NetSolve<S>::store(std::span<Point> points) const
{
    for (int n = 0; n < shape_.nodes; ++n) {
        const auto& node = at_.nodes[n];
        if constexpr (std::is_same_v<S, Lanes>) {
            scatter({node.before, node.w}, net_.particles(n), points.data());
            continue;
        }
        for (int l = 0; l < kWidth; ++l) {
            const Vec3 x = lane(node.before, l).template cast<Real>();
            points[net_.particles(n)[l]] = {x.x, x.y, x.z, static_cast<Real>(node.w[l])};
        }
    }
}

}  // namespace pliant
