#pragma once
// Values that anyone may read but only the edits (add_, set_, remove_) and the step may write: an edit checks the
// limits and tells the solver what to compile again, and a plain assignment would do neither. Write access is in
// state/writable.h, which is not part of the public interface.

#include "pliant/state/ids.h"

#include <cstddef>
#include <span>
#include <vector>

namespace pliant {

struct Writable;

template <class T>
class Guarded {
  public:
    Guarded() = default;
    explicit Guarded(const T& value) : value_(value) {}

    const T& operator*() const { return value_; }
    const T* operator->() const { return &value_; }
    operator const T&() const { return value_; }

  private:
    friend struct Writable;
    T value_{};
};

/// The bodies of one kind, in the order in which they were added, and their ids.
template <class Body>
class BodyList {
  public:
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }
    std::size_t size() const { return items_.size(); }
    bool empty() const { return items_.empty(); }
    const Body* data() const { return items_.data(); }
    const Body& operator[](std::size_t index) const { return items_[index]; }
    const Body& front() const { return items_.front(); }
    const Body& back() const { return items_.back(); }

    /// Position of a body in the list; -1 for an id whose body has been removed.
    int index(Id<Body> id) const { return ids_.index(id); }
    Id<Body> id_at(int index) const { return ids_.id_at(index); }
    /// Null for an id whose body has been removed.
    const Body* find(Id<Body> id) const { return index(id) < 0 ? nullptr : &items_[index(id)]; }

  private:
    friend struct Writable;
    std::vector<Body> items_;
    IdTable<Body> ids_;
};

}  // namespace pliant
