// Who may write which rows: a fixed number of mutexes, a row's being chosen by the hash of its key.
// A writer takes all that it needs in ascending order, so writers never wait for each other in a
// ring.

#pragma once

#include <array>
#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "dolmen/open_options.h"
#include "engine/key/encoded_key.h"

namespace dolmen::engine {

class LockTable {
 public:
  using RowHash = std::uint64_t;
  static RowHash HashOf(const EncodedKey& row);

  // kUpkeep changes no row, and nobody is told of it.
  enum class Holder : std::uint8_t { kSingleWrite, kTransaction, kUpkeep };

  // Holds the rows that it has locked until it is destroyed.
  class Guard {
   public:
    explicit Guard(LockTable& table) : table_(table) {}
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    // Takes the rows, which may be given in any order and more than once; to be called once.  Waits
    // for those who hold them; but under kFail not for transactions: if one holds one of the rows,
    // nothing is locked, and the result says which of the rows they hold.  Empty: all are locked.
    std::vector<bool> Lock(std::span<const RowHash> rows, Holder holder, OnConflict on_conflict);

   private:
    struct Row {
      RowHash hash;
      std::size_t place;  // among those that were asked for
    };
    using Rows = boost::container::small_vector<Row, 8>;
    static Rows InOrder(std::span<const RowHash> rows);
    bool Take(RowHash row, Holder holder, OnConflict on_conflict);
    void Unlock();

    LockTable& table_;
    boost::container::small_vector<std::uint16_t, 8> held_;  // ascending, each once
  };

  // Whether somebody is writing the row at this moment.
  bool IsBeingWritten(RowHash row) const;

  // Returns when every guard that is there now is gone.
  void WaitForAll();

 private:
  // Enough that writers of different rows seldom meet; a power of two.
  static constexpr std::size_t kStripes = 1024;

  struct Stripe {
    std::mutex mutex;
    // For whom the mutex is held: a row's hash, of which the lowest bit says whether by a
    // transaction; 0 if by nobody.  Of several rows of one stripe it is one: a conflict on another
    // of them is then waited for, not seen.
    std::atomic<RowHash> holder = 0;
  };

  static std::uint16_t StripeOf(RowHash row) { return static_cast<std::uint16_t>(row % kStripes); }
  static RowHash Mark(RowHash row, Holder holder);
  bool IsInTransaction(RowHash row) const;

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace dolmen::engine
