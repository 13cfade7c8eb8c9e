#pragma once
// Write access to guarded values, for the edits and the step. See state/guarded.h.

#include "pliant/state/guarded.h"

#include <tuple>
#include <utility>

namespace pliant {

struct Writable {
    template <class T>
    static T& of(Guarded<T>& guarded)
    {
        return guarded.value_;
    }
    template <class Body>
    static std::span<Body> of(BodyList<Body>& list)
    {
        return list.items_;
    }
    template <class Body>
    static Id<Body> append(BodyList<Body>& list, Body body)
    {
        list.items_.push_back(std::move(body));
        return list.ids_.add();
    }
    template <class Body>
    static void erase(BodyList<Body>& list, Id<Body> id)
    {
        const int index = list.ids_.index(id);
        if (index < 0) return;
        list.items_.erase(list.items_.begin() + index);
        list.ids_.remove(id);
    }

    /// All that a list is made of, for snapshots.
    template <class List>
        requires requires(List& list) { list.items_; }
    static auto parts(List& list)
    {
        return std::tie(list.items_, list.ids_);
    }
    template <class Table>
        requires requires(Table& table) { table.slot_at_; }
    static auto parts(Table& table)
    {
        return std::tie(table.index_, table.generation_, table.slot_at_);
    }
};

template <class T>
T& writable(Guarded<T>& guarded)
{
    return Writable::of(guarded);
}
template <class Body>
std::span<Body> writable(BodyList<Body>& list)
{
    return Writable::of(list);
}

}  // namespace pliant
