#pragma once
// Our own sine and cosine, so that every machine computes the same bits whatever its C library. For
// setting up rotations; nothing in a step needs them more than a few times.

namespace pliant {

struct SinCos {
    double sin, cos;
};

/// Of an angle in degrees; exact at multiples of 90, within 2e-16 elsewhere up to a million turns.
SinCos sin_cos_degrees(double degrees);

}  // namespace pliant
