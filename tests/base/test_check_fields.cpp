// The limits of parameter tables, through all that a parameter may be made of.

#include "pliant/base/check_fields.h"

#include "messages.h"
#include "pliant/math/types.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

enum class Finish { matt, glossy };
constexpr auto enum_names(Finish) { return std::array{"matt", "glossy"}; }

struct Bolt {
    double size = 1;
    int turns = 3;

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"size", &Bolt::size, "m", "across", kPositive},
            Field{"turns", &Bolt::turns, "1", "of the thread", Limits{.low = 1, .high = 8}},
        };
    }
};

struct Shelf {
    std::string name = "shelf";
    bool on = true;
    Finish finish = Finish::matt;
    double load = 0;
    Real share = 0;
    double most = 0;
    Bolt bolt;
    std::optional<double> gap;
    std::optional<Bolt> spare;
    std::vector<double> boards;
    std::vector<Bolt> bolts;
    std::array<double, 2> ends{};
    Vec3 colour;
    std::optional<Vec3> light;

    static constexpr auto fields()
    {
        using S = Shelf;
        return std::tuple{
            Field{"name", &S::name, "", ""},
            Field{"on", &S::on, "", ""},
            Field{"finish", &S::finish, "", ""},
            Field{"load", &S::load, "N", "", kNonNegative},
            Field{"share", &S::share, "1", "", kUnitInterval},
            Field{"most", &S::most, "1", "", Limits{.high = 4}},
            Field{"bolt", &S::bolt, "", ""},
            Field{"gap", &S::gap, "m", "", kPositive},
            Field{"spare", &S::spare, "", ""},
            Field{"boards", &S::boards, "m", "", kPositive},
            Field{"bolts", &S::bolts, "", ""},
            Field{"ends", &S::ends, "m", "", kNonNegative},
            Field{"colour", &S::colour, "1", "", kUnitInterval},
            Field{"light", &S::light, "1", "", kUnitInterval},
        };
    }
};

/// What is said of a shelf that was changed.
template <class Change>
std::string refusal_of_shelf(const Change& change)
{
    Shelf shelf;
    change(shelf);
    return message_of([&] { check_fields(shelf, "shelf \"a\""); });
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(CheckFields, TakesWhatIsWithinTheLimits)
{
    EXPECT_EQ(refusal_of_shelf([](Shelf&) {}), "");
    EXPECT_EQ(refusal_of_shelf([](Shelf& s) {
                  s.load = 1e300;
                  s.share = 1;
                  s.most = -1e300;
                  s.bolt = {.size = 1e-300, .turns = 8};
                  s.gap = 0.1;
                  s.spare = Bolt{};
                  s.boards = {1, 2};
                  s.bolts = {{}, {}};
                  s.colour = {0, 1, Real(0.5)};
                  s.light = Vec3{1, 1, 1};
              }),
              "");
}

TEST(CheckFields, NamesTheParameterItsValueAndWhatIsAllowed)
{
    EXPECT_EQ(refusal_of_shelf([](Shelf& s) { s.load = -5; }), "shelf \"a\": load: must be at least 0, is -5");
    EXPECT_EQ(refusal_of_shelf([](Shelf& s) { s.share = 2; }), "shelf \"a\": share: must be between 0 and 1, is 2");
    EXPECT_EQ(refusal_of_shelf([](Shelf& s) { s.most = 4.5; }), "shelf \"a\": most: must be at most 4, is 4.5");
    EXPECT_EQ(refusal_of_shelf([](Shelf& s) { s.gap = 0; }), "shelf \"a\": gap: must be greater than 0, is 0");
    EXPECT_EQ(message_of([] { check_fields(Bolt{.size = -1}, ""); }), "size: must be greater than 0, is -1");
    EXPECT_EQ(message_of([] { check_fields(Bolt{.turns = 0}, ""); }), "turns: must be between 1 and 8, is 0");
}

TEST(CheckFields, NumbersAreFinite)
{
    for (const double value : {kNan, kInfinity, -kInfinity}) {
        EXPECT_PRED2(says, refusal_of_shelf([&](Shelf& s) { s.load = value; }), "load: must be a finite number, is ");
        EXPECT_PRED2(says, refusal_of_shelf([&](Shelf& s) { s.most = value; }), "most: must be a finite number, is ");
        EXPECT_PRED2(says, refusal_of_shelf([&](Shelf& s) { s.ends[1] = value; }), "ends[1]: must be a finite number");
        EXPECT_PRED2(says, refusal_of_shelf([&](Shelf& s) { s.light = Vec3{0, 0, static_cast<Real>(value)}; }),
                     "light[2]: must be a finite number");
    }
}

TEST(CheckFields, LooksIntoStructsOptionalsListsAndVectors)
{
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.bolt.size = 0; }), "\"a\": bolt.size: must be greater than 0");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.bolt.turns = 9; }),
                 "bolt.turns: must be between 1 and 8, is 9");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.gap = -1; }), "gap: must be greater than 0, is -1");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.spare = Bolt{.size = -2}; }), "spare.size: must be greater");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.boards = {1, 2, 0}; }), "boards[2]: must be greater than 0");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.bolts = {{}, {.turns = -1}}; }), "bolts[1].turns: must be");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.ends = {0, -1}; }), "ends[1]: must be at least 0, is -1");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.colour.y = 2; }), "colour[1]: must be between 0 and 1, is 2");
    EXPECT_PRED2(says, refusal_of_shelf([](Shelf& s) { s.light = Vec3{-1, 0, 0}; }), "light[0]: must be between");
}

}  // namespace
}  // namespace pliant
