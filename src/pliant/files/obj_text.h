#pragma once

#include "pliant/files/frame_meshes.h"
#include "pliant/render/frame.h"

#include <string>

namespace pliant {

/// A frame as Wavefront OBJ.
std::string obj_text(const Frame& frame);
/// One body alone.
std::string obj_of_body(const BodyMesh& body);

}  // namespace pliant
