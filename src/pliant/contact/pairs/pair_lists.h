#pragma once
// Lists of pairs: sorted by the share of a budget at which each counts, and laid out eight at a time.

#include "pliant/contact/pairs/pairs.h"

namespace pliant {

inline int size_of(const auto& v) { return static_cast<int>(v.size()); }

/// The lanes of pairs of renewed points become padding lanes.
void drop_pairs_of_renewed(const PairPoints& points, PairList& list);

/// Adds pairs in parts of a size, each of which a thread sorts; without those of the points that are `gone`.
void add_parts(std::span<const FoundPair> all, std::span<const char> gone, std::vector<PairPart>& parts);

/// Makes a list of all pairs in pairs.parts.
void fill_list(int padding_point, Pairs& pairs, PairList& list);

}  // namespace pliant
