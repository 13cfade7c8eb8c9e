#pragma once
// Scenes, files and pictures: the public interface of the library pliant::scene, with all of the engine.

#include "pliant/files/mesh_files.h"
#include "pliant/files/writer.h"
#include "pliant/pliant.h"
#include "pliant/render/frame.h"
#include "pliant/scene/scene.h"
