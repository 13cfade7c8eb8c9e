#include "pliant/files/usd_glue.h"

#include "pliant/files/paths.h"
#include "pliant/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace pliant {

namespace {

/// The side that the Xform moves with: what does not bend, if one of them does not.
const Anchor& base_of(const Glue& glue)
{
    const auto rank = [](const Anchor& anchor) {
        return anchor.kind == AnchorKind::motion ? 0 : anchor.kind == AnchorKind::rigid ? 1 : 2;
    };
    return rank(glue.a) < rank(glue.b) ? glue.a : glue.b;
}

/// The index of the body that an anchor is on, over all kinds; -1 for none.
int body_of(const World& world, const Anchor& anchor)
{
    if (anchor.kind == AnchorKind::rigid)
        return static_cast<int>(world.solids.size() + world.cloths.size() + world.rods.size()) + anchor.body;
    int found = -1, index = 0;
    for_each_body(world, [&](const auto& body) {
        if (!anchor.parents.empty() && particles_of(body).contains(anchor.parents[0])) found = index;
        ++index;
    });
    return found;
}

std::vector<int> nearest_three(const std::vector<Float3>& points, const Float3& at)
{
    std::vector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, order.size()));
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](int i, int k) { return (points[i] - at).squared_norm() < (points[k] - at).squared_norm(); });
    order.erase(middle, order.end());
    return order;
}

/// The points of a body that carry an anchor.
std::vector<int> points_of(const Anchor& anchor, int first_particle, const UsdBody& body, const Float3& at)
{
    std::vector<int> points;
    for (const int parent : anchor.parents) {
        const auto i = static_cast<std::size_t>(parent - first_particle);
        if (i < body.point_of.size() && body.point_of[i] >= 0) points.push_back(body.point_of[i]);
    }
    return points.empty() ? nearest_three(body.points, at) : points;
}

}  // namespace

UsdGlue::UsdGlue(const World& world, const WriterOptions& options, const std::string& spool, StreamFile::Start start)
    : options_(options)
{
    for (const Glue& glue : world.glues) names_.push_back(glue.name);
    if (names_.empty()) return;
    if (start == StreamFile::Start::as_it_is && kind_of_path(spool) != PathKind::file)
        throw FileError(
            fmt::format("'{}' of the run to resume is missing; run without --resume to start again", spool));
    file_ = std::make_unique<StreamFile>(spool, start);
}

UsdGlue::Sample UsdGlue::sample(const World& world, const Glue& glue) const
{
    const Anchor& base = base_of(glue);
    const Mat3d turned = rotation_of(base, world.time, world.particles, world.rigid_bodies);
    const bool up = options_.up == UpAxis::y;
    const std::array<Vec3d, 3> axes{Vec3d{1, 0, 0}, up ? Vec3d{0, 1, 0} : Vec3d{0, 0, -1},
                                    up ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0}};
    Sample sample;
    for (int i = 0; i < 3; ++i) sample.rows[i] = options_.turn((turned * axes[i]).cast<float>());
    sample.place = options_.convert(place_of(base, world.time, world.particles, world.rigid_bodies).cast<Real>());
    const Anchor& other = &base == &glue.a ? glue.b : glue.a;
    sample.other = options_.convert(place_of(other, world.time, world.particles, world.rigid_bodies).cast<Real>());
    sample.on = glue.on ? 1 : 0;
    return sample;
}

void UsdGlue::append(const World& world)
{
    if (names_.empty()) return;
    std::map<std::string, const Glue*> there;
    for (const Glue& glue : world.glues) there.emplace(glue.name, &glue);
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const auto found = there.find(names_[i]);
        if (found != there.end()) samples.push_back(sample(world, *found->second));
        else if (frames() > 0) samples.push_back(read(frames() - 1, i));
        else samples.emplace_back();
        if (found == there.end()) samples.back().on = 0;
    }
    file_->append({reinterpret_cast<const char*>(samples.data()), sizeof(Sample) * samples.size()});
}

void UsdGlue::shrink(int frames)
{
    if (file_) file_->shrink(static_cast<std::int64_t>(sizeof(Sample) * names_.size()) * frames);
}

void UsdGlue::remove_spool()
{
    if (file_) remove_path(file_->path());
}

UsdGlue::Sample UsdGlue::read(int frame, std::size_t glue) const
{
    const std::size_t at = sizeof(Sample) * (names_.size() * static_cast<std::size_t>(frame) + glue);
    const std::string bytes = file_->read(static_cast<std::int64_t>(at), sizeof(Sample));
    Sample sample;
    std::memcpy(&sample, bytes.data(), sizeof(Sample));
    return sample;
}

std::string UsdGlue::transforms(std::size_t glue, int frames) const
{
    std::string text = "            matrix4d xformOp:transform.timeSamples = {\n";
    for (int k = 0; k < frames; ++k) {
        const Sample s = read(k, glue);
        text += fmt::format("                {}: (", k);
        for (const Float3& row : s.rows) text += fmt::format("({}, {}, {}, 0), ", row.x, row.y, row.z);
        text += fmt::format("({}, {}, {}, 1)),\n", s.place.x, s.place.y, s.place.z);
    }
    return text + "            }\n            uniform token[] xformOpOrder = [\"xformOp:transform\"]\n";
}

std::string UsdGlue::switches(std::size_t glue, int frames) const
{
    std::string samples;
    int changes = 0;
    float before = -1;
    for (int k = 0; k < frames; ++k) {
        const float on = read(k, glue).on;
        if (on != before) samples += fmt::format("                    {}: {},\n", k, static_cast<int>(on));
        if (on != before) ++changes;
        before = on;
    }
    if (changes < 2) return fmt::format("                bool physics:attachmentEnabled = {}\n", before > 0 ? 1 : 0);
    return "                bool physics:attachmentEnabled.timeSamples = {\n" + samples + "                }\n";
}

std::string UsdGlue::attachment(const Glue& glue, const Anchor& anchor, const World& world,
                                std::span<const UsdBody> bodies, std::size_t number) const
{
    const int index = body_of(world, anchor);
    if (index < 0 || index >= static_cast<int>(bodies.size())) return {};
    const UsdBody& body = bodies[static_cast<std::size_t>(index)];
    int first = 0, count = 0;
    for_each_body(world, [&](const auto& b) {
        if (count++ == index) first = particles_of(b).first;
    });
    const Sample start = read(0, number);
    const Float3 at = &anchor == &base_of(glue) ? start.place : start.other;
    const std::vector<int> points = points_of(anchor, first, body, at);
    std::vector<Float3> local;
    for (const int i : points) {
        const Float3 d = body.points[i] - at;
        local.push_back({d.dot(start.rows[0]), d.dot(start.rows[1]), d.dot(start.rows[2])});
    }
    return fmt::format(
        "                rel physics:src0 = <{}>\n                int[] physics:vtxIndicesSrc0 = {}\n"
        "                point3f[] physics:localPositionsSrc1 = {}\n",
        body.prim, usd_list(points), usd_list(local));
}

void UsdGlue::write_one(const Glue& glue, std::size_t number, const std::string& prim, const World& world,
                        std::span<const UsdBody> bodies, const Out& out) const
{
    const std::string when = switches(number, frames());
    for (const auto& [side, anchor] : {std::pair{"a", &glue.a}, std::pair{"b", &glue.b}}) {
        const std::string binding = attachment(glue, *anchor, world, bodies, number);
        if (binding.empty()) continue;
        const bool soft = glue.params.stiffness && &base_of(glue) != anchor;  // one of the two gives way
        out(fmt::format("            def PhysicsVtxXformAttachment \"{}\"\n            {{\n", side));
        out(binding);
        out(fmt::format("                rel physics:src1 = <{}>\n", prim));
        if (soft)  // without these it is hard
            out(fmt::format(
                "                float physics:stiffness = {}\n                float physics:damping = {}\n",
                *glue.params.stiffness, glue.params.damping));
        out(when + "            }\n");
    }
}

void UsdGlue::write(const World& world, std::span<const UsdBody> bodies, const std::string& scope, const Out& out) const
{
    if (names_.empty()) return;
    std::set<std::string> taken;
    out(fmt::format("    def Scope \"{}\"\n    {{\n", scope));
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::string name = usd_name(names_[i], taken);
        out(fmt::format("        def Xform \"{}\" (\n            displayName = \"{}\"\n        )\n        {{\n", name,
                        names_[i]));
        out(transforms(i, frames()));
        for (const Glue& glue : world.glues)
            if (glue.name == names_[i])
                write_one(glue, i, fmt::format("/World/{}/{}", scope, name), world, bodies, out);
        out("        }\n");
    }
    out("    }\n");
}

int UsdGlue::frames() const
{
    return static_cast<int>(file_->size() / static_cast<std::int64_t>(sizeof(Sample) * names_.size()));
}

}  // namespace pliant
