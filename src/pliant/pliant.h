#pragma once
// Pliant: things that bend, and what holds them together. What is included here is the public interface.

#include "pliant/base/check.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/mesh.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "pliant/io/frame.h"
#include "pliant/io/mesh_files.h"
#include "pliant/io/scene.h"
#include "pliant/io/writers/writer.h"
#include "pliant/math/procrustes.h"
#include "pliant/math/types.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"
#include "pliant/world/world.h"
