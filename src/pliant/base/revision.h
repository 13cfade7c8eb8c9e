#pragma once
// The version of a description. Whatever is compiled from it remembers the revision that it was made from, and is made
// again when that has changed. Every change takes a number that no other description of the process has, so that two
// copies of a world that part ways are never taken for each other. Only equality means anything: no result depends on
// the numbers.

#include <atomic>
#include <cstdint>

namespace pliant {

class Revision {
  public:
    Revision() { bump(); }
    void bump() { value_ = next_.fetch_add(1, std::memory_order_relaxed); }
    friend bool operator==(const Revision&, const Revision&) = default;

  private:
    static inline std::atomic<std::uint64_t> next_{1};
    std::uint64_t value_ = 0;
};

}  // namespace pliant
