// Every input that a fuzzer starts from, and every one that it has found a mistake with, is read again.

#include "fuzz/targets.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace pliant {
namespace {

TEST(FuzzCorpus, IsReadOrRefused)
{
    for (const fuzz::Target& target : fuzz::targets()) {
        int count = 0;
        for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(PLIANT_SOURCE_DIR) /
                                                                    "tests/fuzz/corpus" / target.name)) {
            std::ifstream stream(file.path(), std::ios::binary);
            const std::string bytes(std::istreambuf_iterator<char>(stream), {});
            SCOPED_TRACE(file.path().string());
            EXPECT_NO_THROW(fuzz::run_target(target.name, bytes));
            ++count;
        }
        EXPECT_GT(count, 0) << target.name;
    }
}

}  // namespace
}  // namespace pliant
