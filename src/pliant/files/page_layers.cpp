#include "pliant/files/page_layers.h"

#include "pliant/files/base64.h"
#include "pliant/files/write_page.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double kLargest = 1 << 28;       // of a quantised number: second differences stay within 2^30
constexpr double kRotationUnit = 0x1p-20;  // of the entries of a rotation
constexpr double kTextureUnit = 1e-5;      // [m] or turns
constexpr double kFarthest = 1e5;          // what is farther at the start does not stretch the grid [m]

std::int32_t to_integer(double x)
{
    return std::isfinite(x) ? static_cast<std::int32_t>(std::lround(std::clamp(x, -kLargest, kLargest))) : 0;
}

/// Differences from `stride` numbers before.
std::vector<std::int32_t> differences(const std::vector<std::int32_t>& values, std::size_t stride)
{
    std::vector<std::int32_t> out(values);
    for (std::size_t k = values.size(); k-- > stride;) out[k] -= values[k - stride];
    return out;
}

std::vector<std::int32_t> as_integers(const std::vector<std::uint32_t>& values)
{
    return {values.begin(), values.end()};
}

std::vector<std::int32_t> as_integers(const std::vector<std::array<float, 2>>& uvs)
{
    std::vector<std::int32_t> out;
    for (const auto& uv : uvs)
        for (const float value : uv) out.push_back(to_integer(static_cast<double>(value) / kTextureUnit));
    return out;
}

}  // namespace

double page_unit(double size) { return 3e-5 * std::max(size, 1e-3); }

std::int32_t PageGrid::quantise(double x, int axis) const { return to_integer((x - low[axis]) / unit); }

PageLayers::PageLayers(const World& world, const Frame& frame)
{
    measure(world, frame);
    for (DisplayLayer& display : make_display(world, frame, RodDisplay::lines)) {
        const int i = static_cast<int>(layers_.size());
        PageLayer& layer = layers_.emplace_back();
        layer.display = std::move(display);
        quantise_points(world, frame, i, layer.start);
        const std::optional<DisplayPose> pose = display_pose(world, i);
        using Moves = PageTrack::Moves;
        PageTrack& track = trail_.tracks.emplace_back();
        if (pose) layer.center = pose->position;
        if (pose) track.turn = pose->rotation;
        track.moves = !can_move(world, i) ? Moves::still : pose ? Moves::pose : Moves::points;
    }
}

/// The unit is that of the largest body: a scene may be wide without being coarse.
void PageLayers::measure(const World& world, const Frame& frame)
{
    double size = 0;
    bool empty = true;
    std::vector<Vec3> scratch;
    for (int i = 0; i < static_cast<int>(frame.layers.size()); ++i) {
        if (frame.layers[static_cast<std::size_t>(i)].scenery) continue;
        Vec3d low{kFarthest, kFarthest, kFarthest}, high = -low;
        for (const Vec3& point : display_points(world, frame, i, RodDisplay::lines, scratch)) {
            const Vec3d p = point.cast<double>();
            if (!(p.norm() < kFarthest)) continue;  // NaN, too
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], p[axis]);
                high[axis] = std::max(high[axis], p[axis]);
            }
        }
        if (!(low.x <= high.x)) continue;
        size = std::max(size, (high - low).norm());
        for (int axis = 0; axis < 3; ++axis)
            trail_.grid.low[axis] = empty ? low[axis] : std::min(trail_.grid.low[axis], low[axis]);
        empty = false;
    }
    trail_.grid.unit = page_unit(size > 0 ? size : 1);
}

Json PageLayers::describe() const
{
    static constexpr const char* kMoves[] = {"still", "pose", "points"};
    Json list = Json::array();
    for (const PageLayer& layer : layers_) {
        const DisplayLayer& d = layer.display;
        const Vec3d& c = layer.center;
        list.push_back({{"name", d.name},
                        {"kind", d.kind},
                        {"body", list.size()},
                        {"scenery", d.scenery},
                        {"ground", d.ground},
                        {"primitive", d.primitive},
                        {"radius", d.radius},
                        {"sharp", d.sharp},
                        {"vertices", d.vertices},
                        {"moves", kMoves[static_cast<int>(trail_.tracks[list.size()].moves)]},
                        {"center", {c.x, c.y, c.z}},
                        {"indices", d.indices.size()},
                        {"uvs", 2 * d.uvs.size()},
                        {"strands", d.strands.size()}});
    }
    return list;
}

std::string PageLayers::encode_constants() const
{
    ResidualWriter out;
    for (const PageLayer& layer : layers_) {
        out.put(differences(as_integers(layer.display.indices), 1));
        out.put(differences(as_integers(layer.display.uvs), 2));
        out.put(differences(as_integers(layer.display.strands), 1));
        out.put(differences(layer.start, 3));
    }
    return encode_base64(out.take());
}

void PageLayers::encode(const World& world, const Frame& frame, bool first, ResidualWriter& out)
{
    std::vector<std::int32_t> now, rest;
    for (int i = 0; i < static_cast<int>(trail_.tracks.size()); ++i) {
        PageTrack& track = trail_.tracks[static_cast<std::size_t>(i)];
        if (track.moves == PageTrack::Moves::still) continue;
        if (track.moves == PageTrack::Moves::pose) quantise_pose(world, i, now);
        else quantise_points(world, frame, i, now);
        // The bodies of a run stay as they are: the number of points does not change.
        if (first) {
            track.one.clear();
            track.two.clear();
            rest = differences(now, 3);
        } else {
            rest = now;
            for (std::size_t k = 0; k < now.size(); ++k)
                rest[k] -= track.two.empty() ? track.one[k] : 2 * track.one[k] - track.two[k];
        }
        out.put(rest);
        std::swap(track.two, track.one);
        track.one = now;
    }
}

void PageLayers::quantise_points(const World& world, const Frame& frame, int layer,
                                 std::vector<std::int32_t>& out) const
{
    std::vector<Vec3> scratch;
    const std::vector<Vec3>& points = display_points(world, frame, layer, RodDisplay::lines, scratch);
    out.resize(3 * points.size());
    for (std::size_t k = 0; k < out.size(); ++k) {
        const int axis = static_cast<int>(k % 3);
        out[k] = trail_.grid.quantise(static_cast<double>(points[k / 3][axis]), axis);
    }
}

/// The position, and two columns of the rotation since the start.
void PageLayers::quantise_pose(const World& world, int layer, std::vector<std::int32_t>& out) const
{
    const DisplayPose pose = display_pose(world, layer).value();
    const Mat3d turn = pose.rotation * trail_.tracks[static_cast<std::size_t>(layer)].turn.transposed();
    out.clear();
    for (int axis = 0; axis < 3; ++axis) out.push_back(trail_.grid.quantise(pose.position[axis], axis));
    for (int column = 0; column < 2; ++column)
        for (int row = 0; row < 3; ++row) out.push_back(to_integer(turn.c[column][row] / kRotationUnit));
}

}  // namespace pliant
