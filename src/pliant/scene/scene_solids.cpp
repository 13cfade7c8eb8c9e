#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pliant {

namespace {

void set_skin(const SolidEntry& entry, bool contact, const std::string& path, double most, const SceneSource& source,
              SolidShape& shape)
{
    const bool may = !shape.surface.triangles.empty() && entry.clustering != Clustering::lists;
    if (entry.skin == true && !may)
        source.fail(path + "/skin", shape.surface.triangles.empty()
                                        ? "needs a surface, which points have not; use false"
                                        : "is not for lists of clusters, which name particles inside; use false");
    if (!entry.skin.value_or(may && contact)) return shape.surface_points.clear();
    if (!shape.surface_points.empty()) return;  // those of tetrahedra are there
    add_skin(shape, static_cast<double>(entry.density));
    if (static_cast<double>(shape.points.size()) > most)
        source.fail(path + "/skin",
                    fmt::format("makes {} particles of a solid; {:.0f} are left in the scene. Use fewer divisions, a "
                                "coarser mesh, or false",
                                shape.points.size(), most));
}

void set_mass(double mass, const std::string& path, const SceneSource& source, SolidShape& shape, SolidParams& params)
{
    const Real density = spread_mass(mass, shape.volume, "m^3", path, source);
    for (double& m : shape.mass) m *= mass / (static_cast<double>(params.density) * shape.volume);
    params.density = density;
}

void check_clusters(const SolidEntry& entry, const std::string& path, const SolidShape& shape,
                    const SceneSource& source)
{
    const double radius = static_cast<double>(entry.cluster_radius);
    if (entry.clustering != Clustering::lists) {
        if (!entry.clusters.empty()) source.fail(path + "/clusters", "are used with \"clustering\": \"lists\" only");
        if (radius > 0 && radius < shape.spacing && shape.points.size() > 1)
            source.fail(path + "/cluster_radius", fmt::format("{:.4g} m covers no neighbour: particles are {:.4g} "
                                                              "m apart; use {:.2g} m or more, or 0 to choose",
                                                              radius, shape.spacing, 2 * shape.spacing));
        return;
    }
    if (entry.clusters.empty()) source.fail(path + "/clusters", "are missing; \"clustering\": \"lists\" needs them");
    std::vector<int> seen_in(shape.points.size(), -1);
    for (std::size_t c = 0; c < entry.clusters.size(); ++c) {
        const std::string cluster = fmt::format("{}/clusters/{}", path, c);
        if (entry.clusters[c].empty()) source.fail(cluster, "covers nothing: it has no particle");
        for (const int i : entry.clusters[c]) {
            if (i >= static_cast<int>(shape.points.size()))
                source.fail(cluster, fmt::format("there is no particle {}; the solid has {}", i, shape.points.size()));
            int& seen = seen_in[static_cast<std::size_t>(i)];
            if (seen == static_cast<int>(c)) source.fail(cluster, fmt::format("particle {} stands in it twice", i));
            seen = static_cast<int>(c);
        }
    }
    const auto alone = std::find(seen_in.begin(), seen_in.end(), -1);
    if (alone != seen_in.end())
        source.fail(path + "/clusters",
                    fmt::format("cover particle {} nowhere; every particle needs a cluster", alone - seen_in.begin()));
}

}  // namespace

PreparedSolid prepare_solid(const SolidEntry& entry, const std::string& path, const SceneSource& source, bool contact,
                            double most)
{
    MadeShape made = make_shape(entry, path, source, most);
    SolidParams params = static_cast<const SolidParams&>(entry);
    set_skin(entry, contact, path, most, source, made.shape);
    if (entry.mass) set_mass(*entry.mass, path, source, made.shape, params);
    check_clusters(entry, path, made.shape, source);
    made.shape.clusters = entry.clusters;
    return {std::move(made.shape), params, std::move(made.source)};
}

}  // namespace pliant
