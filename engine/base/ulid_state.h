// The state of a UlidGenerator. Only ids.cc and its test include this header.

#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <random>
#include <utility>

#include "dolmen/clock.h"
#include "dolmen/ulid.h"

namespace dolmen {

struct UlidGenerator::State {
  State(SharedClock time, std::uint64_t seed) : clock(std::move(time)), random(seed) {}

  // REQUIRES: `mutex` is held, except in the constructor of UlidGenerator.
  void Randomize();
  void Increment();

  SharedClock clock;
  std::mutex mutex;
  std::mt19937_64 random;
  std::uint64_t milliseconds = 0;
  std::array<std::uint16_t, 5> randomness = {};  // 80 bits, most significant first
};

}  // namespace dolmen
