// Who may write which rows: a fixed number of mutexes, a row's being chosen by the hash of its key.
// A writer takes all that it needs in ascending order, so writers never wait for each other in a
// ring.

#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {

class LockTable {
 public:
  using Stripe = std::uint16_t;

  static Stripe StripeOf(const EncodedKey& row);

  // Holds the stripes until it is destroyed.
  class Guard {
   public:
    // Waits for the stripes, which may be given in any order and more than once.
    Guard(LockTable& table, std::span<const Stripe> stripes);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    LockTable& table_;
    boost::container::small_vector<Stripe, 8> held_;  // ascending, each once
  };

 private:
  // Enough that writers of different rows seldom meet; a power of two.
  static constexpr std::size_t kStripes = 1024;

  std::array<std::mutex, kStripes> mutexes_;
};

}  // namespace dolmen::engine
