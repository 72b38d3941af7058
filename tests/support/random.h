// Randomness for tests that can be had again: everything follows from one seed, which is printed
// when a test starts and can be given back through the environment.
//
//   DOLMEN_SEED=42    the seed of every random test; otherwise each run takes a new one
//   DOLMEN_STEPS=...  how many random steps a test takes, to make it longer

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::test {

// DOLMEN_SEED, or a seed of its own for each process.
std::uint64_t TestSeed();

// DOLMEN_STEPS, or `otherwise`.
std::size_t TestSteps(std::size_t otherwise);

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // The standard's distributions differ between libraries, which would make a seed worth less.
  std::uint64_t Next() { return engine_(); }
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(Next() % bound); }
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(Next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool OneIn(std::size_t n) { return Below(n) == 0; }

  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[Below(from.size())];
  }

  template <typename T>
  void Shuffle(std::vector<T>* what) {
    for (std::size_t i = what->size(); i > 1; --i) std::swap((*what)[i - 1], (*what)[Below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

// Prints the seed at once, as a test that ends in a crash prints nothing later.
class SeededTest : public testing::Test {
 protected:
  SeededTest();

  Random random_{TestSeed()};
};

}  // namespace dolmen::test
