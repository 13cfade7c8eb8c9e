#pragma once
// Scenes that are written where they are tested.

#include "pliant/base/check.h"
#include "pliant/scene/scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace pliant::testing_scenes {

using Sets = std::vector<std::string>;

inline Scene read(const std::string& text, const Sets& sets = {}, const std::string& folder = ".")
{
    return read_scene_text(text, "s.json", folder, sets);
}

inline std::string error_of(const std::string& text, const Sets& sets = {}, const std::string& folder = ".")
{
    try {
        read(text, sets, folder);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Both the place and the words must be in the message.
inline void expect_error(const std::string& text, const std::string& start, const std::string& part,
                         const Sets& sets = {}, const std::string& folder = ".")
{
    const std::string error = error_of(text, sets, folder);
    EXPECT_EQ(error.find(start), 0u) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

/// A scene with one body of a list, named "a", of a shape, to which `more` is added.
inline std::string one_body(const char* list, const std::string& shape, const std::string& more)
{
    return fmt::format("{{\"{}\": [\n{{\"name\": \"a\", \"shape\": {}{}{}}}]}}", list, shape, more.empty() ? "" : ",\n",
                       more);
}

inline double mass_of(const World& world)
{
    double mass = 0;
    for (const Real m : world.particles->mass) mass += static_cast<double>(m);
    return mass;
}

/// A folder of files that goes away with the test; every test program run has its own.
class FolderTest : public testing::Test {
  protected:
    explicit FolderTest(const char* name)
        : folder_(std::filesystem::path(testing::TempDir()) / (name + std::to_string(getpid())))
    {}
    ~FolderTest() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::filesystem::path folder_;
};

}  // namespace pliant::testing_scenes
