// Ends of rods that bodies carry, or that are let go: welds.

#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pliant {

namespace {

/// Welds ends of the rod of that name.
class EndWelder {
  public:
    EndWelder(const std::string& name, const SceneSource& source, World& world)
        : name_(name), source_(source), world_(world)
    {}

    const Rod& rod() const { return *std::ranges::find(world_.rods, name_, &Rod::name); }

    struct End {
        int strand;
        RodEnd end;
    };

    /// To a body, or, if `body` is empty, to the world in motion. `key` is the path of what asks for it.
    void weld(const End& end, const std::string& body, const Motion& motion, const GlueParams& params,
              const std::string& key, const std::string& glue) const
    {
        std::optional<BodyRef> carrier;
        if (!body.empty()) carrier = find_body(body, key, source_, world_);
        source_.guard(key, [&] {
            const Vec3d at = place_of(end);
            Anchor other = carrier ? anchor_at(*carrier, at, params.kind, world_) : anchor_on_motion(at, motion);
            add_glue(world_, anchor_of(end), std::move(other), params, glue);
        });
    }

  private:
    const Rod::Edge& edge_at(const End& end) const
    {
        const Rod& r = rod();
        return r.edges[end.end == RodEnd::start ? r.first_edge[end.strand] : r.first_edge[end.strand + 1] - 1];
    }
    Vec3d place_of(const End& end) const
    {
        const Rod::Edge& edge = edge_at(end);
        return world_.particles->x[rod().particles.first + (end.end == RodEnd::start ? edge.p0 : edge.p1)]
            .cast<double>();
    }
    /// The edge with its ghost has a frame.
    Anchor anchor_of(const End& end) const
    {
        const Rod::Edge& edge = edge_at(end);
        const int first = rod().particles.first;
        return anchor_on_particles(world_.particles, std::vector{first + edge.p0, first + edge.p1, first + edge.ghost},
                                   place_of(end));
    }

    const std::string& name_;
    const SceneSource& source_;
    World& world_;
};

/// Strands that are rings or grow from others have no roots.
void weld_roots(const RodEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
                World& world)
{
    if (entry.roots.empty()) return;
    if (entry.roots == name) source.fail(path + "/roots", "is the rod itself; name another body");
    const EndWelder welder(name, source, world);
    for (int s = 0; s < welder.rod().strands(); ++s) {
        if (welder.rod().closed[s] != 0 || welder.rod().parent_edge[s] >= 0) continue;
        welder.weld({s, RodEnd::start}, entry.roots, {}, {.kind = GlueKind::weld}, path + "/roots",
                    fmt::format("{}-root-{}", name, s));
    }
}

}  // namespace

void weld_ends(const RodEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
               World& world)
{
    weld_roots(entry, path, name, source, world);
    const EndWelder welder(name, source, world);
    for (std::size_t i = 0; i < entry.clamps.size(); ++i) {
        const ClampEntry& clamp = entry.clamps[i];
        if (!is_weld(clamp)) continue;
        const std::string key = fmt::format("{}/clamps/{}", path, i);
        if (!clamp.body.empty() && source.says(key + "/motion"))
            source.fail(key + "/motion", fmt::format("carries an end in the world, but \"{}\" carries this one; remove "
                                                     "motion or body",
                                                     clamp.body));
        GlueParams params{.kind = GlueKind::weld};
        if (clamp.release) params.keys.push_back({.time = *clamp.release, .on = false});
        welder.weld({clamp.strand, clamp.end}, clamp.body, clamp.motion, params,
                    clamp.body.empty() ? key : key + "/body", fmt::format("{}-clamp-{}", name, i));
    }
}

}  // namespace pliant
