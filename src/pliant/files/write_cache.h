#pragma once
// `.pc2` and `.mdd`: a point cache and an .obj for every body.

#include "pliant/files/writer.h"

#include <memory>
#include <string>

namespace pliant {

std::unique_ptr<FrameWriter> make_cache_writer(const std::string& path, const WriterOptions& options);

}  // namespace pliant
