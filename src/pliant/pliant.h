#pragma once
// Pliant: things that bend, and what holds them together. What is included here is the public interface of the engine,
// the library pliant::core. Scenes, files and pictures are in pliant_scene.h.
//
//   World     what there is                 world/world.h, changed by world/edits.h and world/access.h
//   Solver    the step                      solver/solver.h
//   shapes    what bodies are made of       geometry/, solids/solid_shape.h
//   glue      what holds bodies together    glue/, world/sew.h
//   snapshots a World as bytes          snapshot/snapshot.h
//   queries   rays, contacts, numbers       world/queries.h, world/measure.h

#include "pliant/base/build.h"
#include "pliant/base/check.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/convex_hull.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/mesh.h"
#include "pliant/geometry/patch.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "pliant/glue/binding.h"
#include "pliant/glue/glue.h"
#include "pliant/math/procrustes.h"
#include "pliant/math/rotation.h"
#include "pliant/math/types.h"
#include "pliant/rigid/mass_properties.h"
#include "pliant/snapshot/snapshot.h"
#include "pliant/solids/solid_shape.h"
#include "pliant/solver/solver.h"
#include "pliant/state/mobility.h"
#include "pliant/world/access.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/debug_lines.h"
#include "pliant/world/edits.h"
#include "pliant/world/embed.h"
#include "pliant/world/measure.h"
#include "pliant/world/queries.h"
#include "pliant/world/sew.h"
#include "pliant/world/source.h"
#include "pliant/world/world.h"
