#include "pliant/base/disjoint_sets.h"
#include "pliant/glue/block.h"

#include <cmath>
#include <map>

namespace pliant {

namespace {

constexpr double kShared = 0.01;            // of the weights: less does not count
constexpr std::size_t kTooManyToPair = 64;  // glues on one particle

struct End {
    int glue;
    double weight;  // of unit length over the parents of its anchor
    const Anchor* anchor;
};

void join_by_bodies(std::span<const Glue> glues, std::span<const int> joined, DisjointSets& sets)
{
    std::map<int, int> first;  // body -> glue
    for (const int g : joined)
        for (const Anchor* anchor : {&glues[g].a, &glues[g].b})
            if (anchor->body >= 0) sets.join(g, first.try_emplace(anchor->body, g).first->second);
}

void join_by_particles(std::span<const Glue> glues, std::span<const int> joined, DisjointSets& sets)
{
    std::map<int, std::vector<End>> ends;  // by particle
    for (const int g : joined)
        for (const Anchor* anchor : {&glues[g].a, &glues[g].b}) {
            double square = 0;
            for (const Real w : anchor->weights) square += double(w) * double(w);
            for (std::size_t i = 0; i < anchor->parents.size(); ++i)
                ends[anchor->parents[i]].push_back(
                    {g, std::abs(double(anchor->weights[i])) / std::sqrt(square), anchor});
        }
    std::map<std::pair<const Anchor*, const Anchor*>, double> shared;
    for (const auto& [particle, all] : ends) {
        if (all.size() > kTooManyToPair) continue;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                double& sum = shared[{all[i].anchor, all[j].anchor}];
                sum += all[i].weight * all[j].weight;
                if (sum > kShared) sets.join(all[i].glue, all[j].glue);
            }
    }
}

}  // namespace

std::vector<std::vector<int>> find_blocks(std::span<const Glue> glues)
{
    std::vector<int> joined;
    for (int g = 0; g < static_cast<int>(glues.size()); ++g)
        if (glues[g].params.form == GlueForm::vector) joined.push_back(g);
    DisjointSets sets(glues.size());
    join_by_bodies(glues, joined, sets);
    join_by_particles(glues, joined, sets);

    std::map<int, std::vector<int>> members;  // by root
    for (const int g : joined) members[sets.find(g)].push_back(g);
    std::vector<std::vector<int>> blocks;
    for (auto& [root, list] : members) {
        int corners = 0;
        for (const int g : list) corners += corners_of(glues[g]);
        if (list.size() > 1 && corners <= kMostBlockJoints) blocks.push_back(std::move(list));
    }
    return blocks;
}

}  // namespace pliant
