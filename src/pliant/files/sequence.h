#pragma once
// What the writers of one file per frame share.

#include "pliant/files/writer.h"
#include "pliant/render/frame.h"

#include <memory>
#include <string>

namespace pliant {

/// `out/bunny.obj` and 7 give `out/bunny.0007.obj`.
std::string sequence_path(const std::string& path, int number);

/// For FrameWriter::resume of a sequence: throws FileError unless the files of frames 0 to `last` are there.
void check_sequence(const std::string& path, int last);

/// A name that fits on one line of a text format: control characters become underscores.
std::string one_line(const std::string& name);

std::unique_ptr<FrameWriter> make_obj_writer(const std::string& path);
std::unique_ptr<FrameWriter> make_ply_writer(const std::string& path);

}  // namespace pliant
