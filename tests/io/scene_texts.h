#pragma once
// Scenes that are written where they are tested.

#include "pliant/base/check.h"
#include "pliant/io/scene.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pliant::testing_scenes {

using Sets = std::vector<std::string>;

inline Scene read(const std::string& text, const Sets& sets = {}) { return read_scene_text(text, "s.json", ".", sets); }

inline std::string error_of(const std::string& text, const Sets& sets = {})
{
    try {
        read(text, sets);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Both the place and the words must be in the message.
inline void expect_error(const std::string& text, const std::string& start, const std::string& part,
                         const Sets& sets = {})
{
    const std::string error = error_of(text, sets);
    EXPECT_EQ(error.find(start), 0u) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

}  // namespace pliant::testing_scenes
