#pragma once
// `.html`: one file that plays a run in any browser, from the disk, with no server and no network.
//
// The file is the player, which `make player` builds from web/page, with the run in its middle as JSON. Positions are whole
// multiples of a unit, 0.03 mm for a body of a metre, so that nothing is off by more than that. What bends is
// predicted by going on as in the two frames before, and the differences are written as few bits (residuals.h); rigid bodies
// and colliders have a pose a frame. Frames come in chunks that do not need each other, so that a page can go to any of
// them; each chunk goes to the disk when it is full, so that a long run needs no more memory than a short one.
// web/page/src/player/data.ts reads it.

#include "pliant/files/writer.h"

namespace pliant {

/// Writing fails with a FileError that says what to do if there is no player.
std::unique_ptr<FrameWriter> make_page_writer(const std::string& path, const RunInfo& run);

/// The distance that positions in a page are multiples of, for bodies of this size [m].
double page_unit(double size);

}  // namespace pliant
