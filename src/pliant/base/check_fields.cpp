#include "pliant/base/check_fields.h"

#include "pliant/base/message.h"

namespace pliant {

namespace {

constexpr bool has_low(const Limits& limits) { return limits.low > kAnyNumber.low; }
constexpr bool has_high(const Limits& limits) { return limits.high < kAnyNumber.high; }

}  // namespace

std::string broken_limit(double value, const Limits& limits)
{
    if (!std::isfinite(value)) return "a finite number";
    const bool low_kept = limits.open_low ? value > limits.low : value >= limits.low;
    if (low_kept && value <= limits.high) return {};
    if (limits.open_low && has_high(limits)) return message("greater than {} and at most {}", limits.low, limits.high);
    if (has_low(limits) && has_high(limits)) return message("between {} and {}", limits.low, limits.high);
    if (!low_kept) return message("{} {}", limits.open_low ? "greater than" : "at least", limits.low);
    return message("at most {}", limits.high);
}

void detail::fail_limit(const std::string& key, double value, const std::string& wanted)
{
    throw InputError(message("{}: must be {}, is {:.6g}", key, wanted, value));
}

}  // namespace pliant
