#pragma once
// Figures of physics that take longer than a unit test may: closed forms and derived tables against runs of the engine.
// `pliant bench --physics` prints them. A family of cases is a file with a table of them; main.cpp lists the families.

#include <span>
#include <string>
#include <vector>

namespace pliant::physics {

/// What one case measures.
struct Figure {
    std::string what;
    double expected, measured;
    double limit;      // how far off it may be [%]
    double scale = 0;  // what 100 % are; 0 stands for the expected value
};

struct Case {
    const char* name;
    std::vector<Figure> (*measure)();
};

/// Far from its expected value by this much [%].
double error_of(const Figure& figure);

std::span<const Case> rod_bending_cases();
std::span<const Case> rod_buckling_cases();

}  // namespace pliant::physics
