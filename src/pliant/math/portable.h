#pragma once
// Elementary functions of our own, made of + - * / and of scaling by powers of two. C libraries disagree about the last
// bit of theirs; with these every platform computes the same bits. Sine and cosine are in trigonometry.h.
//
// All are within 2 units in the last place of the exact value and treat zeros, infinities and NaN as <cmath> does, but
// set no error flags. They are for setting things up, a few calls a body or a frame, and not tuned for speed.

namespace pliant::portable {

/// ln(1 + x), accurate near zero.
double log1p(double x);

/// e^x - 1, accurate near zero.
double expm1(double x);

/// The angle of the point (x, y) [rad], from -pi to pi.
double atan2(double y, double x);

/// The real cube root.
double cbrt(double x);

}  // namespace pliant::portable
