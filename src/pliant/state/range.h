#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pliant {

/// Consecutive particles [first, first + count) of the world.
struct Range {
    int first = 0;
    int count = 0;

    int end() const { return first + count; }
    bool contains(int i) const { return i >= first && i < end(); }

    /// The part of an array over all particles that belongs to the range.
    template <class T>
    std::span<T> of(std::vector<T>& values) const
    {
        return std::span(values).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    }
    template <class T>
    std::span<const T> of(const std::vector<T>& values) const
    {
        return std::span(values).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    }
};

}  // namespace pliant
