#pragma once
// `.png`: a contact sheet, some frames of the run, evenly chosen, side by side.

#include "pliant/files/writer.h"

#include <memory>
#include <string>

namespace pliant {

constexpr int kSheetColumns = 4, kSheetTiles = 12;
constexpr int kTileWidth = 480, kTileHeight = 360, kTileGap = 8;  // [pixels]

/// Up to kSheetTiles frames of those expected, always with the first and the last; after an early end, with the latest.
std::unique_ptr<FrameWriter> make_sheet_writer(const std::string& path, const RunInfo& run);

}  // namespace pliant
