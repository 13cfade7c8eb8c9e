#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pliant {

/// How far a body is from its rest shape. Each measure_strain says what it measures.
struct Strain {
    double max = 0;
    double p99 = 0;
};

/// Statistics over the strains of all parts of a body.
inline Strain strain_of(std::vector<double> values)
{
    if (values.empty()) return {};
    const auto p99 = values.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), p99, values.end());
    return {*std::max_element(p99, values.end()), *p99};
}

}  // namespace pliant
