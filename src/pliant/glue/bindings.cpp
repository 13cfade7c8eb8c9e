#include "pliant/glue/bindings.h"

#include <algorithm>

namespace pliant {

namespace {

bool is_particle(const Anchor& anchor) { return anchor.parents.size() == 1; }

}  // namespace

int bound_particle(const Glue& glue)
{
    if (glue.params.kind != GlueKind::point || stiffness_at(glue.params, 0) >= 0) return -1;
    if (is_particle(glue.a)) return glue.a.parents[0];
    return is_particle(glue.b) ? glue.b.parents[0] : -1;
}

const Anchor& bound_to(const Glue& glue) { return is_particle(glue.a) ? glue.b : glue.a; }

Bindings::Bindings(std::span<const Glue> glues)
{
    for (int g = 0; g < static_cast<int>(glues.size()); ++g)
        if (const int particle = bound_particle(glues[g]); particle >= 0) glues_of_[particle].push_back(g);
}

std::span<const int> Bindings::of(int particle) const
{
    const auto found = glues_of_.find(particle);
    return found == glues_of_.end() ? std::span<const int>() : std::span<const int>(found->second);
}

namespace {

bool is_parent(const Anchor& anchor, int particle)
{
    return std::ranges::find(anchor.parents, particle) != anchor.parents.end();
}

}  // namespace

std::vector<int> find_circle(std::span<const Glue> glues, const Glue& fresh, int without)
{
    const int wanted = bound_particle(fresh);
    // Most glues follow what no glue binds: no need to look any further.
    const auto binds_a_parent = [&](const Glue& glue) { return is_parent(bound_to(fresh), bound_particle(glue)); };
    if (wanted < 0 || std::ranges::none_of(glues, binds_a_parent)) return {};
    const Bindings bindings(glues);
    struct Visit {
        int glue, from;  // from: into visits, -1 for the fresh one
    };
    std::vector<Visit> visits;
    std::vector<int> seen{without};
    const auto follow = [&](const Anchor& anchor, int from) {
        for (const int parent : anchor.parents)
            for (const int g : bindings.of(parent)) {
                if (std::ranges::find(seen, g) != seen.end()) continue;
                seen.push_back(g);
                visits.push_back({g, from});
            }
    };
    follow(bound_to(fresh), -1);
    for (int v = 0; v < static_cast<int>(visits.size()); ++v) {
        const Anchor& parents = bound_to(glues[visits[v].glue]);
        if (!is_parent(parents, wanted)) {
            follow(parents, v);
            continue;
        }
        std::vector<int> circle;
        for (int at = v; at >= 0; at = visits[at].from) circle.insert(circle.begin(), visits[at].glue);
        return circle;
    }
    return {};
}

std::vector<int> Bindings::ranks(std::span<const Glue> glues) const
{
    std::vector<int> ranks(glues.size(), 0);
    const auto rank_of = [&](const auto& self, int g) -> int {
        if (ranks[g] != 0) return ranks[g];
        ranks[g] = 1;  // a circle, which edits refuse, would end here
        for (const int parent : bound_to(glues[g]).parents)
            for (const int other : of(parent)) ranks[g] = std::max(ranks[g], 1 + self(self, other));
        return ranks[g];
    };
    for (int g = 0; g < static_cast<int>(glues.size()); ++g)
        if (bound_particle(glues[g]) >= 0) rank_of(rank_of, g);
    return ranks;
}

}  // namespace pliant
