#include "pliant/render/look.h"

#include "pliant/render/display.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>

namespace pliant {

namespace {

bool names(const std::string& pattern, const std::string& body)
{
    if (!pattern.ends_with('*')) return pattern == body;
    return body.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
}

/// Speed of a path at a key: the slope between its neighbours, and zero at both ends.
template <class Value>
Value slope_at(const std::vector<CameraKey>& keys, std::size_t k, Value CameraKey::* member)
{
    if (k == 0 || k + 1 == keys.size()) return {};
    return (keys[k + 1].*member - keys[k - 1].*member) / (keys[k + 1].time - keys[k - 1].time);
}

/// Between keys k and k + 1, at `t` of the way.
template <class Value>
Value hermite(const std::vector<CameraKey>& keys, std::size_t k, double t, Value CameraKey::* member)
{
    const double span = keys[k + 1].time - keys[k].time, s = 1 - t;
    return (s * s * (1 + 2 * t)) * (keys[k].*member) + (t * t * (1 + 2 * s)) * (keys[k + 1].*member) +
           (s * s * t * span) * slope_at(keys, k, member) - (t * t * s * span) * slope_at(keys, k + 1, member);
}

Finish usual_finish(const DisplayLayer& layer)
{
    return std::string_view(layer.kind) == "cloth" ? Finish::fabric : Finish::plain;
}

std::shared_ptr<const Paint> make_paint(const Look& look, DisplayLayer&& display, const Layer& layer)
{
    const bool woven = look.finish.value_or(usual_finish(display)) == Finish::fabric;
    const bool has_threads = woven && display.uvs.size() == layer.points.size();
    return std::make_shared<const Paint>(Paint{look.pattern, read_color(look.accent).value_or(0xffffff), look.repeat,
                                               has_threads ? std::move(display.uvs) : places_along_axes(layer.points)});
}

/// For all layers that lack one.
void add_paints(const std::vector<const Look*>& looks, const World& world, Frame& frame)
{
    std::vector<DisplayLayer> displays;
    for (std::size_t i = 0; i < looks.size(); ++i) {
        Layer& layer = frame.layers[i];
        if (looks[i] == nullptr || looks[i]->pattern == Pattern::none || layer.paint) continue;
        if (displays.empty()) displays = make_display(world, frame, RodDisplay::tubes);
        layer.paint = make_paint(*looks[i], std::move(displays[i]), layer);
    }
}

}  // namespace

const Look* find_look(const std::vector<Look>& looks, const std::string& body)
{
    const Look* found = nullptr;
    for (const Look& look : looks)
        if (std::ranges::any_of(look.of, [&](const std::string& name) { return names(name, body); })) found = &look;
    return found;
}

std::optional<std::uint32_t> read_color(const std::string& text)
{
    std::uint32_t color = 0;
    if (text.size() != 7 || text[0] != '#') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, color, 16);
    if (error != std::errc() || end != text.data() + 7) return std::nullopt;
    return color;
}

std::string find_mistake(const Look& look, const std::vector<std::string>& bodies)
{
    for (const std::string& color : {look.color, look.accent})
        if (!color.empty() && !read_color(color))
            return fmt::format("\"{}\" is no colour; write it like \"#c8402f\"", color);
    if (look.of.empty()) return "names no body; list some in `of`";
    for (const std::string& name : look.of)
        if (std::ranges::none_of(bodies, [&](const std::string& body) { return names(name, body); }))
            return fmt::format("there is no body or collider \"{}\"", name);
    return {};
}

void apply_looks(const std::vector<Look>& looks, const World& world, Frame& frame)
{
    std::vector<const Look*> found;
    for (Layer& layer : frame.layers) {
        const Look* look = found.emplace_back(find_look(looks, layer.name));
        if (look == nullptr) continue;
        layer.color = read_color(look->color);
        layer.shown = look->shown;
    }
    add_paints(found, world, frame);
}

Camera camera_at(const std::vector<CameraKey>& keys, double time)
{
    std::size_t k = 0;
    while (k + 2 < keys.size() && keys[k + 1].time <= time) ++k;
    const double radians = std::numbers::pi / 180;
    if (keys.size() == 1) return {keys[0].position, keys[0].target, radians * keys[0].fov};
    const double t = std::clamp((time - keys[k].time) / (keys[k + 1].time - keys[k].time), 0.0, 1.0);
    return {hermite(keys, k, t, &CameraKey::position), hermite(keys, k, t, &CameraKey::target),
            radians * hermite(keys, k, t, &CameraKey::fov)};
}

}  // namespace pliant
