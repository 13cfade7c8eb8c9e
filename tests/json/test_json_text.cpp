#include "pliant/base/check.h"
#include "pliant/json/json_text.h"
#include "pliant/json/nearest_name.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

std::string parse_error(std::string_view text)
{
    try {
        parse_json(text, "x.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(JsonText, AllowsComments)
{
    const JsonText json = parse_json("// first\n{\"a\": /* inside */ 1}\n", "x.json");
    EXPECT_EQ(json.root["a"], 1);
}

TEST(JsonText, KnowsTheLineOfEveryValue)
{
    const JsonText json =
        parse_json("{\n  \"a\": 1,\n  \"b\": [\n    10\n    ,\n    20\n  ],\n  \"c\":\n    {\"d\": true}\n}", "x");
    EXPECT_EQ(place_of(json, "a"), "x:2: a: ");
    EXPECT_EQ(place_of(json, "b"), "x:3: b: ");
    EXPECT_EQ(place_of(json, "b/0"), "x:4: b/0: ") << "a number ends at the line break behind it";
    EXPECT_EQ(place_of(json, "b/1"), "x:6: b/1: ");
    EXPECT_EQ(place_of(json, "c"), "x:8: c: ") << "a member stands where its key stands";
    EXPECT_EQ(place_of(json, "c/d"), "x:9: c/d: ");
}

TEST(JsonText, CountsLinesInComments)
{
    const JsonText json = parse_json("/* one\ntwo */\n{ // three\n\"a\": 1 // four\n,\"b\": 2}", "x");
    EXPECT_EQ(place_of(json, "a"), "x:4: a: ");
    EXPECT_EQ(place_of(json, "b"), "x:5: b: ");
}

TEST(JsonText, PlacesWhatIsMissingAtItsParent)
{
    const JsonText json = parse_json("{\n\"solids\": [\n{\"name\": \"a\"}]}", "x");
    EXPECT_EQ(place_of(json, "solids/0/shape/file"), "x:3: solids/0/shape/file: ");
    EXPECT_EQ(place_of(json, "forces"), "x:1: forces: ");
}

TEST(JsonText, RefusesAKeyGivenTwiceAndNamesBothLines)
{
    const std::string error = parse_error("{\n\"a\": 1,\n\"b\": 2,\n\"a\": 3}");
    EXPECT_EQ(error.find("x.json:4: key \"a\" is given twice; the first is in line 2"), 0u) << error;
}

TEST(JsonText, SaysWhereAndWhatIsNoJson)
{
    EXPECT_EQ(parse_error("  \n "), "x.json:1: the file is empty");
    EXPECT_NE(parse_error("{\n\"a\": [1, 2,]\n}").find("x.json:2: "), std::string::npos);
    EXPECT_NE(parse_error("{\n\"a\": [1, 2,]\n}").find("remove the comma"), std::string::npos);
    EXPECT_NE(parse_error("{\"a\": 1,\n \"b\": NaN}").find("x.json:2: "), std::string::npos);
    EXPECT_NE(parse_error("{\"a\": 1,\n \"b\": NaN}").find("must be finite"), std::string::npos);
    EXPECT_NE(parse_error("{\"a\": -Infinity}").find("must be finite"), std::string::npos);
    EXPECT_NE(parse_error("{\"a\": 1\n \"b\": 2}").find("x.json:2: "), std::string::npos);
    EXPECT_NE(parse_error("{\"a\": 1\n \"b\": 2}").find("is a comma missing"), std::string::npos);
    EXPECT_NE(parse_error("{a: 1}").find("double quotes"), std::string::npos);
    EXPECT_NE(parse_error("{\"a\": 1e999}").find("x.json:1: "), std::string::npos);
    EXPECT_NE(parse_error("{} {}").find("x.json:1: "), std::string::npos);
    EXPECT_NE(parse_error("{\"a\": 1").find("x.json:1: "), std::string::npos);
}

TEST(JsonText, SurvivesDeepNesting)
{
    EXPECT_NE(parse_error(std::string(1'000'000, '[')).find("levels deep"), std::string::npos);
}

TEST(JsonText, SurvivesRandomDamage)
{
    const std::string good =
        "// c\n{\"solids\": [{\"name\": \"a\", \"x\": [1, -2.5e3, true, null]}], \"b\": \"\\u00e9\"}\n";
    std::mt19937 generator(1);
    for (int i = 0; i < 20000; ++i) {
        std::string text = good;
        for (int k = 0; k < 3; ++k) text[generator() % text.size()] = static_cast<char>(generator() % 256);
        if (i % 3 == 0) text.resize(generator() % text.size());
        const std::string error = parse_error(text);  // nothing but an InputError may leave it
        for (const char c : error) EXPECT_TRUE(c >= ' ' && c < 0x7f) << "unprintable in: " << error;
    }
}

TEST(JsonText, CollectsProblemsAndCutsTheList)
{
    Problems problems;
    EXPECT_NO_THROW(problems.raise());
    for (int i = 0; i < 25; ++i) problems.add("problem " + std::to_string(i));
    try {
        problems.raise();
        FAIL();
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("problem 0\nproblem 1\n"), std::string::npos);
        EXPECT_NE(text.find("and 5 more"), std::string::npos);
    }
}

TEST(JsonText, CutsLongValuesInMessages)
{
    EXPECT_EQ(brief(Json({1, 2})), "[1,2]");
    EXPECT_EQ(brief(Json(std::vector<int>(1000))), "an array of 1000");
    EXPECT_LT(brief(Json(std::string(1000, 'x'))).size(), 80u);
}

TEST(NearestName, CountsSlips)
{
    EXPECT_EQ(edit_distance("gamma", "gamma"), 0);
    EXPECT_EQ(edit_distance("gama", "gamma"), 1);
    EXPECT_EQ(edit_distance("gmama", "gamma"), 1) << "two neighbours swapped are one slip";
    EXPECT_EQ(edit_distance("", "abc"), 3);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(NearestName, SuggestsOrLists)
{
    const std::vector<std::string> known{"alpha", "gamma", "omega"};
    EXPECT_EQ(suggest_name("gama", known), "; did you mean \"gamma\"?");
    EXPECT_EQ(suggest_name("stiffness", known), "; known are alpha, gamma, omega");
}

}  // namespace
}  // namespace pliant
