#pragma once
// High-precision test vectors, read from the file that PLIANT_GOLDEN names or from the copy beside this
// header. A quantity q passes when every entry is within 32 eps cond[q] of the expected value.

#include "pliant/math/types.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace pliant::golden {

using Json = nlohmann::json;

inline std::string path()
{
    const char* given = std::getenv("PLIANT_GOLDEN");
    return given != nullptr ? given : PLIANT_SOURCE_DIR "/tests/golden/public.json";
}

struct Case {
    Json json;
    const Json& input(const char* key) const { return json.at("input").at(key); }
    const Json& expected(const char* key) const { return json.at("expected").at(key); }
    std::string kind() const { return json.at("kind"); }
};

/// All cases of a system; a test that finds none fails, since it would show nothing.
inline std::vector<Case> cases(const std::string& system)
{
    std::ifstream file(path());
    EXPECT_TRUE(file.good()) << "cannot read " << path();
    const Json all = Json::parse(file);
    std::vector<Case> found;
    for (const Json& c : all.at("cases")) {
        if (c.at("system") == system) found.push_back({c});
    }
    EXPECT_FALSE(found.empty()) << path() << " has no case of system " << system;
    return found;
}

template <class T>
Vector3<T> vector(const Json& j)
{
    return {j.at(0).get<T>(), j.at(1).get<T>(), j.at(2).get<T>()};
}
template <class T>
std::vector<Vector3<T>> vectors(const Json& j)
{
    std::vector<Vector3<T>> r;
    for (const Json& v : j) r.push_back(vector<T>(v));
    return r;
}
template <class T>
Matrix3<T> matrix(const Json& rows)
{
    Matrix3<T> m;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) m(i, k) = rows.at(i).at(k).get<T>();
    return m;
}

/// Compares computed numbers with an expected number, vector or matrix.
template <class T>
class Check {
  public:
    explicit Check(const Case& c) : case_(c) {}

    void operator()(const char* quantity, double computed, const Json& expected) const
    {
        compare(quantity, computed, expected);
    }
    void operator()(const char* quantity, const Vector3<T>& computed, const Json& expected) const
    {
        for (int i = 0; i < 3; ++i) compare(quantity, double(computed[i]), expected.at(i));
    }
    void operator()(const char* quantity, const Matrix3<T>& computed, const Json& expected) const
    {
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) compare(quantity, double(computed(i, k)), expected.at(i).at(k));
    }

  private:
    void compare(const char* quantity, double computed, const Json& expected) const
    {
        if (sizeof(T) == 4) {
            for (const Json& skipped : case_.json.at("f32_skip"))
                if (skipped == quantity) return;
        }
        const double tolerance =
            32 * double(std::numeric_limits<T>::epsilon()) * case_.json.at("cond").at(quantity).get<double>();
        EXPECT_LE(std::abs(computed - expected.get<double>()), tolerance)
            << case_.json.at("id") << ": " << quantity << " is " << computed << ", not " << expected;
        EXPECT_TRUE(std::isfinite(computed)) << case_.json.at("id") << ": " << quantity;
    }

    const Case& case_;
};

}  // namespace pliant::golden
