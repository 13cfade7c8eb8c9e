#pragma once
// The `expect` block: what a scene promises about its own result. Each entry measures one number in every
// frame, reduces the series to one value and bounds it:
//
//     { "what": "angular_momentum", "of": "cube", "when": "relative_change", "max": 0.01, "why": "nothing turns it" }
//
// Of a vector the length is taken, and of its change the length of the difference.

#include "pliant/base/fields.h"
#include "pliant/snapshot/members.h"
#include "pliant/world/world.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant {

enum class Quantity {
    kinetic_energy,
    potential_energy,
    total_energy,
    linear_momentum,
    angular_momentum,
    max_strain,
    p99_strain,
    height,
    center_x,
    center_y,
    center_z,
    lowest,
    highest,
    size_x,
    size_y,
    size_z,
    max_speed,
    rotation,
    contacts,
    intersections,
    glue_gap,
};
constexpr auto enum_names(Quantity)
{
    return std::array{"kinetic_energy", "potential_energy", "total_energy", "linear_momentum", "angular_momentum",
                      "max_strain",     "p99_strain",       "height",       "center_x",        "center_y",
                      "center_z",       "lowest",           "highest",      "size_x",          "size_y",
                      "size_z",         "max_speed",        "rotation",     "contacts",        "intersections",
                      "glue_gap"};
}

enum class When { last, first, max, min, change, relative_change };
constexpr auto enum_names(When) { return std::array{"last", "first", "max", "min", "change", "relative_change"}; }

struct Expectation {
    Quantity what = Quantity::height;
    std::string of{};
    When when = When::last;
    std::optional<int> frame{};
    std::optional<double> min{}, max{};
    std::string why{};

    static constexpr auto fields()
    {
        using E = Expectation;
        return std::tuple{
            Field{
                "what", &E::what, "",
                "energies [J], momenta [kg m/s, kg m^2/s; angular about the centre of mass], strains (of a solid parts "
                "of a cluster's radius, of a cloth elongation of the edges, of a rod change of their lengths), height "
                "and "
                "center_x, _y, _z of the centre of mass, lowest and highest particle, size_x, _y, _z of the bounding "
                "box [m], max_speed "
                "[m/s], rotation of a whole solid, cloth or rigid body from its rest shape [deg], contacts with "
                "colliders (a "
                "count), intersections of edges with triangles (a count, of the bodies in contact), glue_gap: the "
                "widest gap "
                "of a glue that holds [m]"},
            Field{"of", &E::of, "", "name of a solid, cloth, rod or rigid body; without it the whole world"},
            Field{"when", &E::when, "",
                  "last, first, max, min: value over the frames; change: largest difference from the first; "
                  "relative_change: that as a part of the largest value"},
            Field{"frame", &E::frame, "1", "look at the frames up to this one only", kNonNegative},
            Field{"min", &E::min, "", "smallest value allowed, in the unit of the quantity"},
            Field{"max", &E::max, "", "largest value allowed, in the unit of the quantity"},
            Field{"why", &E::why, "", "one line for whoever sees it fail"},
        };
    }
};

/// The error in an expectation, empty if there is none. `bodies` are the names that `of` may have.
std::string find_mistake(const Expectation& expectation, std::span<const std::string> bodies, int frames);

struct ExpectResult {
    bool met = false;
    double value = 0;
    std::string text;  // measured value and bounds, one line
};

/// Samples a run: pass every frame, the initial state included, then ask for the results.
class ExpectCheck {
  public:
    explicit ExpectCheck(std::vector<Expectation> expectations);

    void sample(int frame, const World& world, int contacts);
    std::vector<ExpectResult> results() const;

    struct Samples {
        std::vector<int> frames;                 // per sample
        std::vector<std::vector<Vec3d>> series;  // per expectation and sample; a plain number in x
    };
    /// What has been sampled so far, for a run that is resumed with the same expectations.
    const Samples& samples() const { return samples_; }
    void resume(Samples samples) { samples_ = std::move(samples); }

  private:
    std::vector<Expectation> expectations_;
    Samples samples_;
};
PLIANT_MEMBERS(ExpectCheck::Samples, frames, series)

}  // namespace pliant
