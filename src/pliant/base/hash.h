#pragma once
// A 64-bit fingerprint of bytes, the same on every machine of the same byte order.

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace pliant {

class Hash64 {
  public:
    /// Takes in the bits of plain values.
    template <class T>
    void add(std::span<const T> values)
    {
        static_assert(sizeof(T) % 4 == 0, "read four bytes at a time");
        const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
        for (std::size_t i = 0; i < values.size_bytes(); i += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes + i, 4);
            state_ = (std::rotl(state_, 5) ^ word) * 0x9E3779B97F4A7C15ULL;
        }
    }

    std::uint64_t value() const
    {
        std::uint64_t h = state_;
        h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9ULL;
        return h ^ (h >> 29);
    }

  private:
    std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

}  // namespace pliant
