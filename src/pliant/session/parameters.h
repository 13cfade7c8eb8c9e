#pragma once
// The parameters that can be changed while a scene runs, by their names in the scene file: `forces.gravity`,
// `solids.bunny.gamma`, `glue.hand.stiffness`. They come from the parameter tables, and go through the set_ functions.

#include "pliant/world/world.h"

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// All tables with names, units, limits, help and values, as JSON: what ParameterTable of web/engine/index.d.ts says.
std::string list_parameters(const World& world);

/// Changes one; `value` is JSON, and null leaves an optional one to the engine. Throws InputError that names the parameter
/// and what is allowed.
void set_parameter(World& world, std::string_view path, std::string_view value);

/// The bodies of the world and then its colliders, as pages count them.
std::vector<BodyRef> list_bodies(const World& world);

}  // namespace pliant
