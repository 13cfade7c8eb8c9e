// Which edges form fibres.

#include "pliant/cloth/fibres.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace pliant {

namespace {

/// The edges at each vertex, ascending by the vertex at the other end.
struct EdgesOfVertex {
    std::vector<std::vector<int>> of;

    EdgesOfVertex(const MeshEdges& edges, std::size_t vertices) : of(vertices)
    {
        for (int e = 0; e < static_cast<int>(edges.edges.size()); ++e) {
            of[edges.edges[e].a].push_back(e);
            of[edges.edges[e].b].push_back(e);
        }
    }
};

int other_end(const MeshEdge& edge, int vertex) { return edge.a == vertex ? edge.b : edge.a; }

/// Per edge and end (a, b): the edge that continues it there, or -1.
using Partners = std::vector<std::array<int, 2>>;

int& partner_at(const MeshEdges& edges, int edge, int vertex, Partners& partners)
{
    return partners[edge][edges.edges[edge].a == vertex ? 0 : 1];
}

/// Pairs the edges at a vertex, the straightest first.
void pair_edges(const SurfaceMesh& mesh, const MeshEdges& edges, int v, std::span<const int> at, Partners& partners)
{
    struct Candidate {
        long long cosine;
        int a, b;            // vertices
        int edge_a, edge_b;  // edges
    };
    std::vector<Candidate> candidates;
    for (const int e : at)
        for (const int f : at) {
            const int a = other_end(edges.edges[e], v), b = other_end(edges.edges[f], v);
            if (a >= b) continue;
            const Vec3d ua = (mesh.vertices[a] - mesh.vertices[v]).normalized();
            const Vec3d ub = (mesh.vertices[b] - mesh.vertices[v]).normalized();
            const double cosine = ua.dot(ub);
            if (cosine <= -1 / std::numbers::sqrt2) candidates.push_back({std::llround(cosine * 1e6), a, b, e, f});
        }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& p, const Candidate& q) {
        return std::tie(p.cosine, p.a, p.b) < std::tie(q.cosine, q.a, q.b);
    });
    for (const Candidate& c : candidates) {
        int& first = partner_at(edges, c.edge_a, v, partners);
        int& second = partner_at(edges, c.edge_b, v, partners);
        if (first >= 0 || second >= 0) continue;
        first = c.edge_b;
        second = c.edge_a;
    }
}

/// Follows a chain from `vertex` over `edge` until it ends or comes back to `edge`.
std::vector<int> follow(const MeshEdges& edges, int edge, int vertex, Partners& partners, std::vector<bool>& used)
{
    std::vector<int> chain{vertex};
    for (int e = edge; e >= 0 && !used[e];) {
        used[e] = true;
        vertex = other_end(edges.edges[e], vertex);
        chain.push_back(vertex);
        e = partner_at(edges, e, vertex, partners);
    }
    return chain;
}

}  // namespace

std::vector<Fibre> find_fibres(const SurfaceMesh& mesh, const MeshEdges& edges)
{
    Partners partners(edges.edges.size(), {-1, -1});
    const EdgesOfVertex of_vertex(edges, mesh.vertices.size());
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v)
        pair_edges(mesh, edges, v, of_vertex.of[v], partners);

    std::vector<Fibre> fibres;
    std::vector<bool> used(edges.edges.size(), false);
    const auto walk = [&](int e, int start, bool closed) {
        std::vector<int> chain = follow(edges, e, start, partners, used);
        if (closed) {  // edges are sorted, so a ring starts at its smallest vertex, towards the smaller neighbour
            chain.pop_back();  // the first one again
        } else if (chain.back() < chain.front()) {
            std::reverse(chain.begin(), chain.end());
        }
        fibres.push_back({std::move(chain), closed});
    };
    for (int e = 0; e < static_cast<int>(edges.edges.size()); ++e) {
        if (used[e]) continue;
        if (partners[e][0] < 0) walk(e, edges.edges[e].a, false);
        else if (partners[e][1] < 0) walk(e, edges.edges[e].b, false);
    }
    for (int e = 0; e < static_cast<int>(edges.edges.size()); ++e)
        if (!used[e]) walk(e, edges.edges[e].a, true);
    std::sort(fibres.begin(), fibres.end(), [](const Fibre& p, const Fibre& q) { return p.vertices < q.vertices; });
    return fibres;
}

std::vector<std::vector<int>> open_chains(std::span<const Fibre> fibres)
{
    std::vector<std::vector<int>> chains;
    for (const Fibre& fibre : fibres) {
        chains.push_back(fibre.vertices);
        if (fibre.closed) chains.push_back({fibre.vertices.back(), fibre.vertices.front()});
    }
    return chains;
}

}  // namespace pliant
