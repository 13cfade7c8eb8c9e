#pragma once
// An animation of a glTF document: keys of translations, rotations, scales and weights of morph targets, with what is between
// them held, straight, or a cubic spline.

#include "pliant/files/gltf_nodes.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

class GltfClip {
  public:
    /// The animation of that name; the first one without a name. InputError with the names that there are.
    GltfClip(GltfDocument& document, const GltfNodes& nodes, const std::string& name);

    /// From the first key of all to the last [s].
    double length() const { return last_ - first_; }
    /// Changes what the animation moves to where it is at a time from the first key on; each channel holds its ends.
    void pose_at(double time, GltfPose& pose) const;

  private:
    enum class Path { translation, rotation, scale, weights };
    enum class Between { step, linear, cubic };
    using Values = std::shared_ptr<const std::vector<double>>;
    struct Channel {
        std::size_t node = 0;
        Path path = Path::translation;
        Between between = Between::linear;
        Values times;           // [s]
        Values values;          // per key `width`; for cubic splines each with its tangents before and after
        std::size_t width = 0;  // numbers a key
    };

    const Json& find(const std::string& name);
    void add_channel(const Json& entry, const Json& samplers, const GltfNodes& nodes);
    Values read(std::uint64_t accessor, std::size_t components);
    Values read_times(std::uint64_t accessor);
    void check(const Channel& channel) const;
    [[noreturn]] void fail(const std::string& problem) const;
    static std::vector<double> sample(const Channel& channel, double time);

    GltfDocument& document_;
    std::string name_;                      // in messages
    std::map<std::uint64_t, Values> read_;  // by accessor
    std::uint64_t numbers_ = 0;             // in all of them
    std::vector<Channel> channels_;
    double first_ = 0, last_ = 0;  // [s]
};

}  // namespace pliant
