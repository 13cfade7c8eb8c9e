#include "pliant/rods/direct.h"

#include "pliant/base/parallel.h"
#include "pliant/math/symmetric3.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kWorkspaces = 16;  // groups that may be solved at the same time
constexpr int kMostSolves = 3;   // in a substep
// By the measure of condition_of: cantilevers of 10 to 200 edges were off by less than 0.05 % in each way of solving.
constexpr double kMaxConditionUnrefined = 2e3, kMaxConditionInFloat = 2e5;
constexpr double kMaxLengthError = 0.01;  // of an edge's length, before it is solved again

template <class T>
void grow(std::vector<T>& v, std::size_t size)
{
    v.resize(std::max(v.size(), size));
}

}  // namespace

template <class A>
void NetSums<A>::resize(const NetPattern& largest, int parts)
{
    const auto each = static_cast<std::size_t>(parts);
    grow(lambda, each * largest.unknowns());
    grow(change, each * largest.unknowns());
    grow(moves, each * largest.shape.nodes);
    grow(rolls, each * largest.shape.edges.size());
}

template <class S>
void NetScratch<S>::resize(const NetPattern& largest)
{
    const std::size_t edges = largest.shape.edges.size(), unknowns = largest.unknowns();
    grow(nodes, largest.shape.nodes);
    grow(frames, edges);
    grow(moved_roll, edges);
    grow(gradients, largest.gradients());
    grow(rolls, 2 * largest.shape.joints.size());
    grow(right, unknowns);
    grow(compliance, unknowns);
    grow(blocks, largest.blocks.size());
    grow(pivots, unknowns);
    grow(solution, unknowns);
    coarse.resize(largest, 1);
    fine.resize(largest, kLanes / 4);
}

void DirectScratch::resize(const DirectNets& nets)
{
    const std::size_t count = std::min<std::size_t>(kWorkspaces, nets.groups.size());
    lanes.resize(count);
    quads.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (const NetPattern& pattern : nets.patterns) {
            lanes[i].resize(pattern);
            quads[i].resize(pattern);
        }
    }
}

namespace {

template <class S>
PLIANT_INLINE Vector3<S> transposed_times(const Matrix3<S>& a, const Vector3<S>& x)
{
    return {a.c[0].dot(x), a.c[1].dot(x), a.c[2].dot(x)};
}

/// a^T b of matrices, added to the sum; and of a with itself, the lower half only.
template <class S>
PLIANT_INLINE void add_product(const Matrix3<S>& a, const Matrix3<S>& b, Matrix3<S>& sum)
{
    for (int j = 0; j < 3; ++j) sum.c[j] += transposed_times(a, b.c[j]);
}
template <class S>
PLIANT_INLINE void add_square(const Matrix3<S>& a, Matrix3<S>& sum)
{
    sum.c[0] += transposed_times(a, a.c[0]);
    sum.c[1].y += a.c[1].dot(a.c[1]);
    sum.c[1].z += a.c[2].dot(a.c[1]);
    sum.c[2].z += a.c[2].dot(a.c[2]);
}
/// a b^T, subtracted; and of a with itself, the lower half only.
template <class S>
PLIANT_INLINE void subtract_outer(const Matrix3<S>& a, const Matrix3<S>& b, Matrix3<S>& sum)
{
    sum.c[0] -= a * Vector3<S>{b.c[0].x, b.c[1].x, b.c[2].x};
    sum.c[1] -= a * Vector3<S>{b.c[0].y, b.c[1].y, b.c[2].y};
    sum.c[2] -= a * Vector3<S>{b.c[0].z, b.c[1].z, b.c[2].z};
}
template <class S>
PLIANT_INLINE void subtract_square(const Matrix3<S>& a, Matrix3<S>& sum)
{
    sum.c[0] -= a * Vector3<S>{a.c[0].x, a.c[1].x, a.c[2].x};
    sum.c[1].y -= a.c[0].y * a.c[0].y + a.c[1].y * a.c[1].y + a.c[2].y * a.c[2].y;
    sum.c[1].z -= a.c[0].z * a.c[0].y + a.c[1].z * a.c[1].y + a.c[2].z * a.c[2].y;
    sum.c[2].z -= a.c[0].z * a.c[0].z + a.c[1].z * a.c[1].z + a.c[2].z * a.c[2].z;
}

/// A pivot that pins have left nothing of takes no part.
template <class S>
PLIANT_INLINE S inverse_root(const S& pivot, const S& diagonal)
{
    const auto good = pivot > S(sizeof(Lane<S>) == 4 ? 1e-6 : 1e-13) * diagonal;
    return select(good, S(1) / sqrt(pivot), S(0));
}

/// Some lanes of a group while they are solved.
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

    /// Once at the start of the substep; then at the new positions, while some edge is off.
    template <class A>
    void solve(std::span<const TipFrames> tips, bool refined, NetSums<A>& sums)
    {
        for (int k = 0; k < kMostSolves; ++k) {
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
    S off_ = 1;  // 1 for the lanes that are still to be moved, 0 for the others
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

/// What the compliance makes of the multipliers so far.
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

/// Turns at_.solution from a right side to what solves for it.
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

/// Makes the solution a change of multipliers, or adds it to that, and finds what it moves.
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

/// What the change so far has left of the right side.
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

/// Moves the nodes of the lanes that are off, and says whether some edge is off still.
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

/// A measure of the condition number. A substep couples s^(1/4) edges, with s = h^2 EI / (mass per length * l^4), or all.
double condition_of(const RodStiffness& stiffness, const NetPattern& pattern, Real h)
{
    const auto step = static_cast<double>(h), edges = static_cast<double>(pattern.shape.edges.size());
    return std::min(stiffness.ratio * step * step, edges * edges * edges * edges);
}

}  // namespace

void solve_nets(const Rod& rod, const DirectNets& nets, const RodStiffness& stiffness, Real h,
                std::span<const Point> before, std::span<const Point> velocity, std::span<const TipFrames> tips,
                DirectScratch& scratch, std::span<Point> points)
{
    const auto solve = [&](const auto& net, bool refined) {
        NetSolve some(net, h);
        some.load(h, before, velocity, points);
        some.solve(tips, refined);
        some.store(points);
    };
    const int count = static_cast<int>(nets.groups.size()), columns = static_cast<int>(scratch.lanes.size());
    parallel_for(columns, 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            const auto bound = [&](int i) { return static_cast<int>(static_cast<long long>(i) * count / columns); };
            for (int g = bound(c); g < bound(c + 1); ++g) {
                const DirectNets::Group& group = nets.groups[g];
                const double condition = condition_of(stiffness, nets.patterns[group.pattern], h);
                if (sizeof(Real) == 4 && condition > kMaxConditionInFloat) {
                    for (const int first : {0, 4})
                        solve(NetLanes<Quad>{rod, nets, stiffness, group, first, scratch.quads[c]}, false);
                } else {
                    const bool refined = sizeof(Real) == 4 && condition > kMaxConditionUnrefined;
                    solve(NetLanes<Lanes>{rod, nets, stiffness, group, 0, scratch.lanes[c]}, refined);
                }
            }
        }
    });
}

}  // namespace pliant
