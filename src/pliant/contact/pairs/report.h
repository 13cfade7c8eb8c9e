#pragma once

#include <array>
#include <string>

namespace pliant {

/// Counts of the feature contacts in a frame.
struct FeatureContactReport {
    int contacts = 0;                      // in the last iteration
    int searches = 0;                      // for pairs that could touch
    int passes = 0;                        // over the contacts
    long long held = 0;                    // points held back from passing through something, summed over the substeps
    int open = 0;                          // pairs that could not be kept apart, because what moves them is keyed
    std::array<std::string, 2> squeezing;  // names of what moves one of these; the second may be empty
};

}  // namespace pliant
