#include "pliant/base/message.h"

#include <gtest/gtest.h>

namespace pliant {

TEST(Message, FillsInValuesOfAnyKind)
{
    EXPECT_EQ(message("{} of {}: {}", 3, std::string("box"), "wide"), "3 of box: wide");
    EXPECT_EQ(message("{}{}", 'x', static_cast<std::size_t>(7)), "x7");
    EXPECT_EQ(message("none"), "none");
}

TEST(Message, NumbersAreAsShortAsTheyCanBe)
{
    EXPECT_EQ(message("{} {} {}", 0.1, 0.1F, 1e30), "0.1 0.1 1e+30");
    EXPECT_EQ(message("{} {} {} {}", 100000.0, 1e5F, 0.001, 0.0), "100000 100000 0.001 0");
    EXPECT_EQ(message("{} {}", 1e-7, -2.5e20), "1e-07 -2.5e+20");
    EXPECT_EQ(message("{:.3g}, {:.2g}", 1234.5678, 0.05), "1.23e+03, 0.05");
}

}  // namespace pliant
