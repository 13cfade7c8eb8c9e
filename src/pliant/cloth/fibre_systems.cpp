// Fibres as tridiagonal systems, eight at a time.

#include "pliant/cloth/fibres.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/colours.h"

#include <algorithm>

namespace pliant {

namespace {

/// Added to the diagonal, relative. A crease that is squeezed along the fibre has no exact solution, and without this
/// the solve would throw it out of its plane.
constexpr Real kRegularisation = Real(0.05);

constexpr int kMaxRuns = 64;  // a colour's groups are split into at most this many parallel runs with their own scratch

int edge_between(const MeshEdges& edges, int a, int b)
{
    const std::pair key{std::min(a, b), std::max(a, b)};
    const auto at = std::lower_bound(edges.edges.begin(), edges.edges.end(), key,
                                     [](const MeshEdge& e, auto k) { return std::pair{e.a, e.b} < k; });
    return static_cast<int>(at - edges.edges.begin());
}

/// Adds a group as long as its first chain, all of its lanes padding.
void add_group(const std::vector<int>& longest, int vertices, bool stretch, FibreSystems& out)
{
    const std::size_t first = out.node.size(), end = first + longest.size();
    IndexLanes padding;
    padding.fill(padding_of_group(vertices, static_cast<int>(out.groups.size())));
    out.node.resize(end, padding);
    out.length.resize(end, Lanes(0));
    if (stretch) out.compliance.resize(end, Lanes(0));
    const int edges = static_cast<int>(longest.size()) - 1;
    out.groups.push_back({static_cast<int>(first), edges});
    out.longest = std::max(out.longest, edges);
}

/// Puts a chain into a lane of the last group.
void fill_lane(const std::vector<int>& chain, int l, const SurfaceMesh& rest, const MeshEdges& edges,
               std::span<const double> compliance, FibreSystems& out)
{
    int at = out.groups.back().first;
    for (std::size_t k = 0; k < chain.size(); ++k, ++at) {
        out.node[at][l] = chain[k];
        if (k + 1 == chain.size()) break;
        const Vec3d d = rest.vertices[chain[k + 1]] - rest.vertices[chain[k]];
        out.length[at].set(l, static_cast<Real>(d.norm()));
        if (compliance.empty()) continue;
        out.compliance[at].set(l, static_cast<Real>(compliance[edge_between(edges, chain[k], chain[k + 1])]));
    }
}

}  // namespace

FibreSystems make_fibre_systems(std::span<const std::vector<int>> chains, const SurfaceMesh& rest,
                                const MeshEdges& edges, std::span<const double> compliance)
{
    const int vertices = static_cast<int>(rest.vertices.size());
    std::vector<const std::vector<int>*> sorted;  // longest first, so that the chains of a group are about equally long
    for (const std::vector<int>& chain : chains) sorted.push_back(&chain);
    std::ranges::sort(
        sorted, [](const auto* p, const auto* q) { return p->size() != q->size() ? p->size() > q->size() : *p < *q; });
    const Colours colours = find_colours(static_cast<int>(sorted.size()), vertices,
                                         [&](int c) -> const std::vector<int>& { return *sorted[c]; });
    FibreSystems out;
    out.first_group = group_by_eight(colours, [&](std::span<const int> items) {
        add_group(*sorted[items[0]], vertices, !compliance.empty(), out);
        for (int l = 0; l < static_cast<int>(items.size()); ++l)
            fill_lane(*sorted[items[l]], l, rest, edges, compliance, out);
    });
    return out;
}

void FibreScratch::resize(const FibreSystems& systems)
{
    rows.resize(systems.groups.empty() ? 0 : static_cast<std::size_t>(kMaxRuns) * (systems.longest + 1));
    multiplier.resize(systems.compliance.size());
}

namespace {

/// C = |x_{k+1} - x_k| - L_k, limited to half an edge, and its direction; zero for a lane whose chain has ended.
struct Stretch {
    Vector3<Lanes> u;
    Lanes c;
};
PLIANT_INLINE Stretch stretch_of(const Vector3<Lanes>& d, const Lanes& rest)
{
    const Lanes length = sqrt(d.squared_norm());
    const auto real = (rest > Lanes(0)) & (length > Lanes(0));
    const Lanes half = Lanes(Real(0.5)) * rest;
    return {select(real, Lanes(1) / length, Lanes(0)) * d,
            select(real, max(-half, min(half, length - rest)), Lanes(0))};
}

/// Eliminates from the first edge to the last. Of A lambda = -C with
///
///   A_kk = (1 + eps)(w_k + w_{k+1}) + alpha_k / h^2,   A_{k-1,k} = -w_k u_{k-1} . u_k
///
/// row k keeps what back substitution needs:  lambda_k = z_k - link_{k+1} lambda_{k+1}. The matrix is diagonally
/// dominant: no pivoting.
template <bool kStretch>
PLIANT_INLINE void eliminate(const FibreSystems& systems, const FibreSystems::Group& group, const Lanes& per_h2,
                             const Lanes* multiplier, const Point* points, FibreScratch::Row* row)
{
    const IndexLanes* node = &systems.node[group.first];
    row[0].point = gather(points, node[0].data());
    Vector3<Lanes> u_before{};
    Lanes inverse = 0, y = 0;
    for (int k = 0; k < group.edges; ++k) {
        const PointLanes here = row[k].point, next = gather(points, node[k + 1].data());
        auto [u, c] = stretch_of(next.x - here.x, systems.length[group.first + k]);
        Lanes diagonal = Lanes(1 + kRegularisation) * (here.w + next.w);
        if constexpr (kStretch) {
            const Lanes alpha = per_h2 * systems.compliance[group.first + k];
            diagonal += alpha;
            c += alpha * multiplier[k];
        }
        const Lanes off = -here.w * u_before.dot(u);
        const Lanes link = off * inverse;
        const Lanes pivot = diagonal - off * link;
        inverse = safe_inverse(pivot);  // 0 between two pinned vertices
        y = -c - link * y;
        row[k].u = u;
        row[k].link = link;
        row[k].z = y * inverse;
        row[k + 1].point = next;
        u_before = u;
    }
}

/// Back substitution from the last edge to the first, moving the vertices:
/// x_k += w_k (lambda_{k-1} u_{k-1} - lambda_k u_k).
template <bool kStretch>
PLIANT_INLINE void substitute(const FibreSystems& systems, const FibreSystems::Group& group,
                              const FibreScratch::Row* row, Lanes* multiplier, Point* points)
{
    const IndexLanes* node = &systems.node[group.first];
    Vector3<Lanes> pull{};  // lambda u of the edge after node k
    Lanes lambda = 0, link = 0;
    for (int k = group.edges; k > 0; --k) {
        lambda = row[k - 1].z - link * lambda;
        link = row[k - 1].link;
        const Vector3<Lanes> push = lambda * row[k - 1].u;
        PointLanes point = row[k].point;
        point.x += point.w * (push - pull);
        scatter(point, node[k].data(), points);
        pull = push;
        if constexpr (kStretch) multiplier[k - 1] += lambda;
    }
    PointLanes point = row[0].point;
    point.x -= point.w * pull;
    scatter(point, node[0].data(), points);
}

template <bool kStretch>
void project_colours(const FibreSystems& systems, Real h, FibreScratch& scratch, std::span<Point> points)
{
    const Lanes per_h2 = 1 / (h * h);
    for (std::size_t colour = 0; colour + 1 < systems.first_group.size(); ++colour) {
        const int first = systems.first_group[colour], count = systems.first_group[colour + 1] - first;
        const int runs = std::min(count, kMaxRuns);
        parallel_for(runs, 1, [&](int begin, int end) {
            for (int c = begin; c < end; ++c) {
                FibreScratch::Row* row = &scratch.rows[static_cast<std::size_t>(c) * (systems.longest + 1)];
                for (int g = first + c * count / runs; g < first + (c + 1) * count / runs; ++g) {
                    const FibreSystems::Group& group = systems.groups[g];
                    Lanes* multiplier = kStretch ? &scratch.multiplier[group.first] : nullptr;
                    eliminate<kStretch>(systems, group, per_h2, multiplier, points.data(), row);
                    substitute<kStretch>(systems, group, row, multiplier, points.data());
                }
            }
        });
    }
}

}  // namespace

void project_fibres(const FibreSystems& systems, Real h, FibreScratch& scratch, std::span<Point> points)
{
    if (systems.compliance.empty()) return project_colours<false>(systems, h, scratch, points);
    project_colours<true>(systems, h, scratch, points);
}

}  // namespace pliant
