#pragma once
// Users hold ids, not indices: an id stays valid while other bodies are added and removed, and is known to be
// stale once its own body has been removed.

#include <vector>

namespace pliant {

struct Writable;

template <class Kind>
struct Id {
    int slot = -1;
    int generation = 0;

    friend bool operator==(const Id&, const Id&) = default;
};

/// Maps ids to positions in a dense array of bodies. Removing keeps the order of the rest.
template <class Kind>
class IdTable {
  public:
    /// The id of a body that was just put at the end of the array.
    Id<Kind> add()
    {
        const int index = static_cast<int>(slot_at_.size());
        for (int slot = 0; slot < static_cast<int>(index_.size()); ++slot) {
            if (index_[slot] < 0) {
                index_[slot] = index;
                slot_at_.push_back(slot);
                return {slot, generation_[slot]};
            }
        }
        index_.push_back(index);
        generation_.push_back(0);
        slot_at_.push_back(static_cast<int>(index_.size()) - 1);
        return {slot_at_.back(), 0};
    }

    /// Position in the array, or -1 for an id whose body has been removed.
    int index(Id<Kind> id) const
    {
        const bool known = id.slot >= 0 && id.slot < static_cast<int>(index_.size());
        return known && generation_[id.slot] == id.generation ? index_[id.slot] : -1;
    }

    Id<Kind> id_at(int index) const { return {slot_at_[index], generation_[slot_at_[index]]}; }

    void remove(Id<Kind> id)
    {
        const int gone = index(id);
        if (gone < 0) return;
        slot_at_.erase(slot_at_.begin() + gone);
        index_[id.slot] = -1;
        ++generation_[id.slot];
        for (int i = gone; i < static_cast<int>(slot_at_.size()); ++i) index_[slot_at_[i]] = i;
    }

  private:
    friend struct Writable;
    std::vector<int> index_;       // per slot: position in the array, -1 when free
    std::vector<int> generation_;  // per slot
    std::vector<int> slot_at_;     // per body: its slot
};

}  // namespace pliant
