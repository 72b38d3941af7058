// Repeatable random numbers for the decisions of a simulation.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dolmen::database {

// A sequence of random numbers. It depends only on the values that were mixed in before the first
// draw, on every platform. Not thread-safe.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  // Mix a value into the seed.
  Draws& Mix(std::uint64_t value) {
    state_ ^= value;
    state_ = Next();
    return *this;
  }
  Draws& Mix(std::string_view text) {
    for (const char c : text) Mix(static_cast<unsigned char>(c));
    return Mix(text.size());
  }

  // Returns 64 random bits (the algorithm SplitMix64).
  std::uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
  }

  // Returns true with the probability `chance`.
  bool Happens(double chance) { return static_cast<double>(Next() >> 11) * 0x1.0p-53 < chance; }
  // Returns a number from `low` to `high`, both included. REQUIRES: low <= high
  std::uint64_t Between(std::uint64_t low, std::uint64_t high) {
    const std::uint64_t range = high - low + 1;  // 0 for all 64-bit numbers
    return range == 0 ? Next() : low + Next() % range;
  }
  // Returns a number less than `bound`. REQUIRES: bound > 0
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(Next() % bound); }

 private:
  std::uint64_t state_;
};

}  // namespace dolmen::database
