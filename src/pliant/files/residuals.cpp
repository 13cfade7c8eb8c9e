#include "pliant/files/residuals.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kBlock = 32;
constexpr int kEscape = 20;  // ones that announce a number in full
constexpr int kParameterBits = 5;
constexpr std::uint32_t kAllZero = 31;

std::uint32_t zigzag(std::int32_t n) { return (static_cast<std::uint32_t>(n) << 1) ^ (n < 0 ? ~std::uint32_t(0) : 0); }

int code_length(std::uint32_t u, int k)
{
    const std::uint32_t ones = u >> k;
    return ones < kEscape ? static_cast<int>(ones) + 1 + k : kEscape + 32;
}

/// The parameter that makes the shortest code: near the logarithm of the mean.
int best_parameter(std::span<const std::uint32_t> block)
{
    std::uint64_t sum = 0;
    for (const std::uint32_t u : block) sum += u;
    int guess = 0;
    while (guess < 30 && (sum >> (guess + 1)) > block.size()) ++guess;
    int best = guess, shortest = 0;
    for (int k = std::max(0, guess - 1); k <= std::min(30, guess + 1); ++k) {
        int length = 0;
        for (const std::uint32_t u : block) length += code_length(u, k);
        if (shortest != 0 && length >= shortest) continue;
        best = k;
        shortest = length;
    }
    return best;
}

}  // namespace

void ResidualWriter::put(std::span<const std::int32_t> numbers)
{
    for (std::size_t at = 0; at < numbers.size(); at += kBlock)
        put_block(numbers.subspan(at, std::min(kBlock, numbers.size() - at)));
}

std::string ResidualWriter::take()
{
    put_bits(0, (8 - state_.pending_count) % 8);
    return std::exchange(state_.bytes, {});
}

void ResidualWriter::put_block(std::span<const std::int32_t> numbers)
{
    std::array<std::uint32_t, kBlock> codes{};
    std::ranges::transform(numbers, codes.begin(), zigzag);
    const std::span<const std::uint32_t> block = std::span(codes).first(numbers.size());
    if (std::ranges::all_of(block, [](std::uint32_t u) { return u == 0; })) return put_bits(kAllZero, kParameterBits);
    const int k = best_parameter(block);
    put_bits(static_cast<std::uint64_t>(k), kParameterBits);
    for (const std::uint32_t u : block) {
        const std::uint32_t ones = u >> k;
        if (ones < kEscape) {
            put_bits((std::uint64_t(1) << ones) - 1, static_cast<int>(ones) + 1);
            put_bits(u & ((std::uint64_t(1) << k) - 1), k);
        } else {
            put_bits((std::uint64_t(1) << kEscape) - 1, kEscape);
            put_bits(u, 32);
        }
    }
}

void ResidualWriter::put_bits(std::uint64_t bits, int count)
{
    state_.pending |= bits << state_.pending_count;
    state_.pending_count += count;
    for (; state_.pending_count >= 8; state_.pending_count -= 8) {
        state_.bytes += static_cast<char>(state_.pending & 0xff);
        state_.pending >>= 8;
    }
}

}  // namespace pliant
