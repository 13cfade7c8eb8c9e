#include "pliant/base/check.h"
#include "pliant/json/fields_json.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

enum class Colour { red, green };
constexpr auto enum_names(Colour) { return std::array{"red", "green"}; }

struct Inner {
    double depth = 1;
    static constexpr auto fields() { return std::tuple{Field{"depth", &Inner::depth, "m", "how deep", kPositive}}; }
};

struct Outer {
    bool flag = false;
    int count = 3;
    float ratio = 0.1f;
    double length = 2;
    std::string name = "none";
    Vector3<float> size{1, 2, 3};
    Colour colour = Colour::red;
    std::vector<double> weights;
    std::vector<Inner> inners;
    std::vector<std::vector<int>> lists;
    std::array<int, 2> pair{1, 2};
    std::optional<double> limit;
    Inner inner;

    static constexpr auto fields()
    {
        using O = Outer;
        return std::tuple{
            Field{"flag", &O::flag, "", "yes or no"},
            Field{"count", &O::count, "1", "how many", Limits{.low = 0, .high = 100}},
            Field{"ratio", &O::ratio, "1", "a part", kUnitInterval},
            Field{"length", &O::length, "m", "how long", kPositive},
            Field{"name", &O::name, "", "what"},
            Field{"size", &O::size, "m", "edges", kPositive},
            Field{"colour", &O::colour, "", "which"},
            Field{"weights", &O::weights, "kg", "each", kNonNegative},
            Field{"inners", &O::inners, "", "several"},
            Field{"lists", &O::lists, "1", "of lists", kNonNegative},
            Field{"pair", &O::pair, "1", "two"},
            Field{"limit", &O::limit, "1", "perhaps", kNonNegative},
            Field{"inner", &O::inner, "", "one"},
        };
    }
};

/// Reads and returns what was wrong, one problem a line.
std::string read_into(std::string_view text, Outer& out)
{
    Problems problems;
    read_fields(parse_json(text, "f.json"), problems, out);
    try {
        problems.raise();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string error_reading(std::string_view text)
{
    Outer out;
    return read_into(text, out);
}

TEST(FieldsJson, ReadsEveryType)
{
    Outer o;
    EXPECT_EQ(read_into(R"({"flag": true, "count": 7, "ratio": 0.25, "length": 3, "name": "n", "size": [4, 5, 6],
                       "colour": "green", "weights": [1, 2.5], "inners": [{"depth": 2}, {}], "lists": [[1, 2], []],
                       "pair": [3, 4], "limit": 0, "inner": {"depth": 9}})",
                        o),
              "");
    EXPECT_TRUE(o.flag);
    EXPECT_EQ(o.count, 7);
    EXPECT_EQ(o.ratio, 0.25f);
    EXPECT_EQ(o.length, 3);
    EXPECT_EQ(o.name, "n");
    EXPECT_EQ(o.size, (Vector3<float>{4, 5, 6}));
    EXPECT_EQ(o.colour, Colour::green);
    EXPECT_EQ(o.weights, (std::vector{1.0, 2.5}));
    ASSERT_EQ(o.inners.size(), 2u);
    EXPECT_EQ(o.inners[0].depth, 2);
    EXPECT_EQ(o.inners[1].depth, 1);
    EXPECT_EQ(o.lists, (std::vector<std::vector<int>>{{1, 2}, {}}));
    EXPECT_EQ(o.pair, (std::array{3, 4}));
    EXPECT_EQ(o.limit, 0.0);
    EXPECT_EQ(o.inner.depth, 9);
}

TEST(FieldsJson, KeepsDefaultsOfAbsentKeys)
{
    Outer o;
    EXPECT_EQ(read_into("{}", o), "");
    EXPECT_EQ(o.count, 3);
    EXPECT_FALSE(o.limit.has_value());
}

TEST(FieldsJson, NamesTheNearestKnownKey)
{
    EXPECT_EQ(error_reading("{\n\"lenght\": 1}"), "f.json:2: unknown key \"lenght\"; did you mean \"length\"?");
    EXPECT_EQ(error_reading("{\"inners\": [\n{\"dept\": 1}]}"),
              "f.json:2: unknown key \"dept\" in inners/0; did you mean \"depth\"?");
    EXPECT_NE(error_reading("{\"quux\": 1}").find("known are flag, count, ratio"), std::string::npos);
}

TEST(FieldsJson, ChecksTypes)
{
    EXPECT_EQ(error_reading("{\"flag\": 1}"), "f.json:1: flag: must be true or false, is 1");
    EXPECT_EQ(error_reading("{\"count\": 1.5}"), "f.json:1: count: must be a whole number, is 1.5");
    EXPECT_EQ(error_reading("{\"count\": \"many\"}"), "f.json:1: count: must be a whole number, is \"many\"");
    EXPECT_EQ(error_reading("{\"length\": \"long\"}"), "f.json:1: length: must be a number, is \"long\"");
    EXPECT_EQ(error_reading("{\"length\": null}"), "f.json:1: length: must be a number, is null");
    EXPECT_EQ(error_reading("{\"name\": 3}"), "f.json:1: name: must be a text in double quotes, is 3");
    EXPECT_EQ(error_reading("{\"size\": [1, 2]}"), "f.json:1: size: must be three numbers such as [0, 1, 0], is [1,2]");
    EXPECT_EQ(error_reading("{\"size\": [1, 2, \"x\"]}"), "f.json:1: size/2: must be a number, is \"x\"");
    EXPECT_EQ(error_reading("{\"weights\": 3}"), "f.json:1: weights: must be an array, is 3");
    EXPECT_EQ(error_reading("{\"inner\": 3}"), "f.json:1: inner: must be an object in braces, is 3");
    EXPECT_EQ(error_reading("{\"pair\": [1]}"), "f.json:1: pair: must be an array of 2, is [1]");
    EXPECT_EQ(error_reading("{\"colour\": \"gren\"}"),
              "f.json:1: colour: unknown name \"gren\"; did you mean \"green\"?");
    EXPECT_EQ(error_reading("{\"colour\": 1}"), "f.json:1: colour: must be one of \"red\", \"green\", is 1");
    EXPECT_EQ(error_reading("[]"), "f.json:1: must be an object in braces, is []");
}

TEST(FieldsJson, ChecksLimits)
{
    EXPECT_EQ(error_reading("{\"length\": -3}"), "f.json:1: length: must be greater than 0, is -3");
    EXPECT_EQ(error_reading("{\"length\": 0}"), "f.json:1: length: must be greater than 0, is 0");
    EXPECT_EQ(error_reading("{\"ratio\": 1.5}"), "f.json:1: ratio: must be between 0 and 1, is 1.5");
    EXPECT_EQ(error_reading("{\"count\": 101}"), "f.json:1: count: must be between 0 and 100, is 101");
    EXPECT_EQ(error_reading("{\"weights\": [1,\n-1]}"), "f.json:2: weights/1: must be at least 0, is -1");
    EXPECT_EQ(error_reading("{\"limit\": -1}"), "f.json:1: limit: must be at least 0, is -1");
    EXPECT_NE(error_reading("{\"pair\": [1, 3000000000]}").find("pair/1: must be between"), std::string::npos);
    EXPECT_NE(error_reading("{\"pair\": [1, 1e300]}").find("pair/1: must be between"), std::string::npos);
    EXPECT_EQ(error_reading("{\"lists\": [[-1]]}"), "f.json:1: lists/0/0: must be at least 0, is -1");
}

TEST(FieldsJson, ChecksWhatSinglePrecisionHolds)
{
    EXPECT_NE(error_reading("{\"size\": [1e39, 1, 1]}").find("single precision"), std::string::npos);
    EXPECT_NE(error_reading("{\"size\": [1e-60, 1, 1]}").find("single precision"), std::string::npos);
    EXPECT_EQ(error_reading("{\"length\": 1e300}"), "") << "a double holds it";
}

TEST(FieldsJson, TakesWholeNumbersInAnySpelling)
{
    Outer o;
    EXPECT_EQ(read_into("{\"count\": 1e2}", o), "");
    EXPECT_EQ(o.count, 100);
}

TEST(FieldsJson, ReportsAllProblemsAtOnce)
{
    EXPECT_EQ(error_reading("{\"flag\": 1,\n\"length\": -1,\n\"nam\": \"x\"}"),
              "f.json:1: flag: must be true or false, is 1\n"
              "f.json:2: length: must be greater than 0, is -1\n"
              "f.json:3: unknown key \"nam\"; did you mean \"name\"?");
}

TEST(FieldsJson, ReadsBackWhatItWrites)
{
    Outer o;
    o.ratio = 0.3f;
    o.colour = Colour::green;
    o.lists = {{1}, {2, 3}};
    o.limit = 5;
    const Json json = write_fields(o);
    EXPECT_EQ(json["ratio"].dump(), "0.3") << "not 0.30000001192092896";
    Outer again;
    EXPECT_EQ(read_into(json.dump(), again), "");
    EXPECT_EQ(write_fields(again), json);
}

TEST(FieldsJson, DescribesFieldsInASchema)
{
    const Json schema = make_schema<Outer>();
    EXPECT_EQ(schema["additionalProperties"], false);
    const Json& p = schema["properties"];
    EXPECT_EQ(p["length"], Json::parse(R"({"type": "number", "exclusiveMinimum": 0, "description": "how long [m]",
                                           "default": 2.0})"));
    EXPECT_EQ(p["count"]["type"], "integer");
    EXPECT_EQ(p["count"]["maximum"], 100);
    EXPECT_EQ(p["ratio"]["description"], "a part");
    EXPECT_EQ(p["ratio"]["default"].dump(), "0.1");
    EXPECT_EQ(p["colour"]["enum"], Json::parse(R"(["red", "green"])"));
    EXPECT_EQ(p["size"]["items"]["exclusiveMinimum"], 0);
    EXPECT_EQ(p["size"]["minItems"], 3);
    EXPECT_EQ(p["lists"]["items"]["items"]["type"], "integer");
    EXPECT_EQ(p["inner"]["properties"]["depth"]["default"], 1.0);
    EXPECT_FALSE(p["limit"].contains("default"));
}

}  // namespace
}  // namespace pliant
