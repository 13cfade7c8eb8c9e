#pragma once
// What a scene says about its pictures: how bodies look, and where they are seen from.

#include "pliant/base/fields.h"
#include "pliant/render/picture.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

enum class Finish { plain, fabric, wood, metal, skin, paper, glow, hair, rope, leaf };
constexpr auto enum_names(Finish)
{
    return std::array{"plain", "fabric", "wood", "metal", "skin", "paper", "glow", "hair", "rope", "leaf"};
}

/// Of the bodies that it names.
struct Look {
    std::vector<std::string> of;
    std::string color;
    std::optional<Finish> finish;
    Pattern pattern = Pattern::none;
    std::string accent;
    double repeat = 0.1;
    bool shown = true;

    static constexpr auto fields()
    {
        using L = Look;
        return std::tuple{
            Field{"of", &L::of, "", "names of bodies and colliders; a * at the end stands for the rest of a name"},
            Field{"color", &L::color, "", "as in \"#c8402f\"; without it one of a palette"},
            Field{"finish", &L::finish, "", "what it seems to be made of; without it, what suits its kind"},
            Field{"pattern", &L::pattern, "", "drawn on it in the second colour"},
            Field{"accent", &L::accent, "", "the second colour; without it white"},
            Field{"repeat", &L::repeat, "m", "length of the pattern", kPositive},
            Field{"shown", &L::shown, "", "whether it is seen at all"},
        };
    }
};

/// The last look that names a body counts; null if none does.
const Look* find_look(const std::vector<Look>& looks, const std::string& body);

/// 0xRRGGBB of "#c8402f"; none for what is no such text.
std::optional<std::uint32_t> read_color(const std::string& text);

/// What is wrong with a look, and what to do about it; empty for nothing.
std::string find_mistake(const Look& look, const std::vector<std::string>& bodies);

/// Puts colours and patterns into the layers of a frame of this world, and marks those that are not shown. Patterns lie on
/// a body as they did in the first frame of `frame`; on cloth they run along the threads.
void apply_looks(const std::vector<Look>& looks, const World& world, Frame& frame);

struct CameraKey {
    double time = 0;
    Vec3d position{0, 1, 5};
    Vec3d target;
    double fov = 28;
    std::optional<double> frame;  // in place of the time; of scene files, which turn it into one

    static constexpr auto fields()
    {
        using K = CameraKey;
        return std::tuple{
            Field{"time", &K::time, "s", "when the camera is there", kNonNegative},
            Field{"position", &K::position, "m", "of the eye"},
            Field{"target", &K::target, "m", "what it looks at"},
            Field{"fov", &K::fov, "deg", "field of view from the top of the picture to its bottom",
                  Limits{.low = 1, .high = 150}},
            Field{"frame", &K::frame, "1", "when the camera is there, in frames, in place of the time", kNonNegative},
        };
    }
};

/// The camera at a time, on a smooth path through its keys (a cubic Hermite spline): held before the first and after the
/// last. Requires a key, and keys in order of time.
Camera camera_at(const std::vector<CameraKey>& keys, double time);

}  // namespace pliant
