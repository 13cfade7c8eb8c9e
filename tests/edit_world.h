#pragma once
// Short ways for tests to change a world.

#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

namespace pliant {

/// Changes some of the settings of contact.
template <class Change>
void change_contact(World& world, const Change& change)
{
    ContactParams params = world.contact;
    change(params);
    set_contact(world, params);
}

}  // namespace pliant
