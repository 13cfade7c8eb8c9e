#pragma once
// What a program that reads the files may want differently.

#include "pliant/base/fields.h"
#include "pliant/math/types.h"

#include <array>
#include <cmath>

namespace pliant {

enum class UpAxis { y, z };
constexpr auto enum_names(UpAxis) { return std::array{"y", "z"}; }

struct WriterOptions {
    int frames = 1;         // that the run is expected to write
    double dt = 1.0 / 60;   // between frames [s]
    UpAxis up = UpAxis::y;  // of the files; the engine has y
    double unit = 1;        // a unit of length of the files [m]

    /// Frames a second: 60, though 1/60 is rounded in single precision.
    double rate() const
    {
        const double exact = 1 / dt, whole = std::round(1000 * exact) / 1000;
        return std::abs(exact - whole) < 1e-6 * exact ? whole : exact;
    }

    /// A place or a velocity in the axes and the unit of the files.
    Vector3<float> convert(const Vec3& p) const
    {
        const Vector3<float> turned = turn(p.cast<float>());
        return unit == 1 ? turned : (static_cast<float>(1 / unit)) * turned;
    }
    /// The same of a direction.
    Vector3<float> turn(const Vector3<float>& d) const { return up == UpAxis::y ? d : Vector3<float>{d.x, -d.z, d.y}; }
};

}  // namespace pliant
