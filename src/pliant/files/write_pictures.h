#pragma once
// Pictures one by one, seen by the camera of the scene, or, if it has none, from where all is in view at the start.
//
//   shot.####.png   every frame, with its number in place of the marks
//   shot@120.png    frame 120 alone, larger
//   shot.mp4, .webm a video, where ffmpeg is installed

#include "pliant/files/writer.h"

#include <optional>

namespace pliant {

constexpr int kPictureWidth = 1280, kPictureHeight = 720, kStillWidth = 1920, kStillHeight = 1080;  // [pixels]

/// "shot.", 4 and ".png" for "shot.####.png".
struct NumberedPath {
    std::string before;
    std::size_t digits = 0;
    std::string after;

    std::string path(int number) const;
};
/// The last run of # in the name of the file; none if there is none.
std::optional<NumberedPath> find_marks(const std::string& path);
/// 120 of "shot@120.png"; none for other paths.
std::optional<int> find_still(const std::string& path);

std::unique_ptr<FrameWriter> make_picture_writer(const NumberedPath& path, const RunInfo& run);
std::unique_ptr<FrameWriter> make_still_writer(const std::string& path, int frame, const RunInfo& run);
/// Writing fails with a FileError that says what to do if there is no ffmpeg.
std::unique_ptr<FrameWriter> make_movie_writer(const std::string& path, const RunInfo& run);

}  // namespace pliant
