#pragma once

namespace pliant {

/// Counts of the feature contacts in a frame.
struct FeatureContactReport {
    int contacts = 0;    // in the last iteration
    int searches = 0;    // for pairs that could touch
    int passes = 0;      // over the contacts
    long long held = 0;  // points held back from passing through something, summed over the substeps
    int open = 0;        // pairs that could not be kept apart, because what moves them is keyed
};

}  // namespace pliant
