#pragma once
// Checks of sizes that all generated surfaces share.

namespace pliant {

inline constexpr int kMaxDivisions = 2048;

/// Throws InputError unless `size` is a length above zero.
void check_size(double size, const char* shape, const char* what);

/// Throws InputError unless `divisions` is from `least` to kMaxDivisions.
void check_divisions(int divisions, int least, const char* shape, const char* what = "divisions");

}  // namespace pliant
