#include "pliant/world/source.h"

#include "pliant/base/check.h"
#include "pliant/state/writable.h"
#include "pliant/world/bodies.h"

#include <algorithm>
#include <utility>

namespace pliant {

namespace {

using Source = std::shared_ptr<const SurfaceSource>;

template <class Body>
Body& body_of(World& world, Id<Body> id)
{
    return writable(list_of(world, id))[index_of(world, id, "set_source")];
}

void check_source(const Source& source, std::size_t vertices, const std::string& body)
{
    if (source == nullptr) return;
    const auto loose = static_cast<std::size_t>(std::ranges::count(source->vertex, -1));
    const auto is_wrong = [&](int v) { return v < -1 || v >= static_cast<int>(vertices); };
    if (loose != source->loose.size() || std::ranges::any_of(source->vertex, is_wrong))
        throw InputError("set_source: this is not the mesh that \"" + body + "\" was made of; it has " +
                         std::to_string(vertices) + " vertices");
}

std::size_t skin_vertices(const Solid& solid)
{
    return solid.skin.particle.empty() ? solid.skin.rest.size() : solid.skin.particle.size();
}

}  // namespace

void set_source(World& world, SolidId id, Source source)
{
    Solid& solid = body_of(world, id);
    check_source(source, skin_vertices(solid), solid.name);
    solid.source = std::move(source);
}

void set_source(World& world, ClothId id, Source source)
{
    Cloth& cloth = body_of(world, id);
    check_source(source, cloth.rest.vertices.size(), cloth.name);
    cloth.source = std::move(source);
}

void set_source(World& world, RigidId id, Source source)
{
    Rigid& rigid = body_of(world, id);
    check_source(source, rigid.points.size(), rigid.name);
    const Mat3d to_body = rigid.properties.axes.transposed();
    rigid.source = move_loose(std::move(source), to_body, -(to_body * rigid.properties.center));
}

void set_render_source(World& world, SolidId id, Source source)
{
    Solid& solid = body_of(world, id);
    check_source(source, solid.render.offset.size(), solid.name);
    solid.render.source = std::move(source);
}

void set_render_source(World& world, ClothId id, Source source)
{
    Cloth& cloth = body_of(world, id);
    check_source(source, cloth.render.offset.size(), cloth.name);
    cloth.render.source = std::move(source);
}

}  // namespace pliant
