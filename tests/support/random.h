// Random values for repeatable tests. All random values follow from one seed. A test prints the
// seed when it starts. An environment variable can set the seed.
//
//   DOLMEN_SEED=42    the seed of every random test; by default each run takes a new one
//   DOLMEN_STEPS=...  the number of random steps of a test, to make the test longer

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::test {

// Returns the value of the environment variable DOLMEN_SEED. If it is not set, returns a random
// seed that stays the same in this process.
std::uint64_t TestSeed();

// Returns the value of the environment variable DOLMEN_STEPS. If it is not set, returns `otherwise`,
// or half of it under AddressSanitizer, with which a step takes three times as long.
std::size_t TestSteps(std::size_t otherwise);

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // This class uses no distribution of the standard library. Distributions differ between
  // libraries, so the same seed would give different values.
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

// A test with a random generator. It prints the seed at its start, because a test that crashes
// prints nothing later.
class SeededTest : public testing::Test {
 protected:
  SeededTest();

  Random random_{TestSeed()};
};

}  // namespace dolmen::test
