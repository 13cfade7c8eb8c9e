#pragma once
// What is fuzzed: every reader of bytes from outside. A target may throw InputError or FileError; anything else is a finding.

#include <span>
#include <string_view>

namespace pliant::fuzz {

struct Target {
    const char* name;  // of its folder in tests/fuzz/corpus
    void (*run)(std::string_view bytes);
};

std::span<const Target> targets();

/// Runs the target of that name; errors that are meant for users are taken as they should be.
void run_target(std::string_view name, std::string_view bytes);

}  // namespace pliant::fuzz
