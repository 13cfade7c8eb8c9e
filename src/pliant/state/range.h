#pragma once

namespace pliant {

/// Consecutive particles [first, first + count) of the world.
struct Range {
    int first = 0;
    int count = 0;

    int end() const { return first + count; }
    bool contains(int i) const { return i >= first && i < end(); }
};

}  // namespace pliant
