#pragma once
// Sheets that touch.

#include "pliant/geometry/sheets.h"
#include "pliant/pliant.h"

namespace pliant {

inline World contact_world()
{
    World world;
    writable(world.settings).substeps = 20;
    writable(world.settings).iterations = 1;
    change_contact(world, [&](ContactParams& params) { params.on = true; });
    return world;
}

inline ClothId add_sheet(World& world, double size, int cells, const Placement& placement, const ClothParams& params,
                         const char* name = "sheet")
{
    const ClothId id = add_cloth(world, make_sheet(size, size, cells, cells, SheetPattern::alternating), params, name);
    place_cloth(world, id, placement);
    return id;
}

inline const ClothParams kThin{.thickness = Real(0.006), .damping = 1};

/// Turned by some degrees about an axis.
inline Mat3d turned(const Vec3d& axis, double degrees) { return rotation_of(degrees * axis.normalized()); }

}  // namespace pliant
