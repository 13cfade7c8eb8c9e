#pragma once
// Whole numbers that are mostly small, as bits: Golomb-Rice codes [Rice79] whose parameter is chosen anew for every 32
// numbers. It suits what is left of a motion after prediction, needs no tables, and a page reads it in thirty lines
// (web/page/src/player/residuals.ts).
//
// A number n is u = 2 n for n >= 0 and -2 n - 1 below. A block of up to 32 numbers begins with five bits: 31 says that all
// are zero; k < 31 says that each is (u >> k) ones, a zero and the k low bits of u. Twenty ones say that 32 bits of u follow.
// Bits fill bytes from the lowest up.

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace pliant {

class ResidualWriter {
  public:
    /// What has been put so far.
    struct State {
        std::string bytes{};
        std::uint64_t pending = 0;
        int pending_count = 0;  // of bits, below 8 between calls
    };
    const State& state() const { return state_; }
    void go_on(State state) { state_ = std::move(state); }

    /// Appends blocks for these numbers, each within +-2^30. A reader has to know how many there are.
    void put(std::span<const std::int32_t> numbers);
    /// The bytes so far, the last one filled up with zeros. What follows starts anew.
    std::string take();

  private:
    void put_block(std::span<const std::int32_t> numbers);
    void put_bits(std::uint64_t bits, int count);

    State state_;
};

}  // namespace pliant
