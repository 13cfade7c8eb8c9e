#pragma once
// `.vtp` and `.pvd`: VTK's PolyData, a file a frame, for ParaView; with .pvd also the list of them with their times.

#include "pliant/files/writer.h"

#include <memory>
#include <string>

namespace pliant {

std::unique_ptr<FrameWriter> make_vtp_writer(const std::string& path, const WriterOptions& options);

}  // namespace pliant
