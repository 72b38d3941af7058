// Row locks: a fixed number of mutexes. The hash of a row's key determines the row's mutex. A
// writer locks the mutexes of its rows in ascending order, so writers cannot deadlock.

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

// The row locks of a database. Thread-safe.
class LockTable {
 public:
  // The hash of a row's key. Rows with equal hashes share their lock.
  using RowHash = std::uint64_t;
  static RowHash HashOf(const EncodedKey& row);

  // The kind of work for which rows are locked. kUpkeep is work that changes no item, such as the
  // backfill of an index. Other requests do not treat a lock for kUpkeep as a conflict.
  enum class Holder : std::uint8_t { kSingleWrite, kTransaction, kUpkeep };

  // The locks of one writer. The destructor releases the locks. It must run in the thread that
  // locked them.
  class Guard {
   public:
    // REQUIRES: the LockTable outlives the guard.
    explicit Guard(LockTable& table) : table_(table) {}
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    // Locks the rows and returns an empty vector. Waits for other holders of the rows. Under
    // kFail, Lock does not wait for transactions: if a transaction holds one of the rows, Lock
    // locks nothing and returns one value for each of `rows`. The value is true if a transaction
    // holds that row. The rows may have any order, and the same row may occur twice.
    // REQUIRES: Lock is called once, and the calling thread has no other guard that holds rows.
    std::vector<bool> Lock(std::span<const RowHash> rows, Holder holder, OnConflict on_conflict);

   private:
    struct Row {
      RowHash hash;
      std::size_t position;  // the row's position in the argument `rows`
    };
    using Rows = boost::container::small_vector<Row, 8>;
    // Returns the rows in the order in which their mutexes are locked.
    static Rows SortByStripe(std::span<const RowHash> rows);
    // Locks the row's mutex unless this guard holds it. Returns false if on_conflict is kFail and
    // a transaction holds the row.
    bool LockRow(RowHash row, Holder holder, OnConflict on_conflict);
    // Releases all rows.
    void Unlock();

    LockTable& table_;
    boost::container::small_vector<std::uint16_t, 8> held_;  // the stripes, ascending, each once
  };

  // Returns true if a single write or a transaction holds the row now.
  bool IsBeingWritten(RowHash row) const;

  // Waits until every guard that holds rows now has released them. Guards that lock rows later may
  // still hold them. REQUIRES: the calling thread holds no row.
  void WaitForAll();

 private:
  // The number of mutexes: a power of two, and so large that writers of different rows seldom share
  // a mutex.
  static constexpr std::size_t kStripes = 1024;

  // A stripe's mutex protects rows in the store, not variables. So no variable is annotated with
  // DOLMEN_GUARDED_BY(mutex).
  struct Stripe {
    std::mutex mutex;
    // The HolderMark of the row for which the mutex is held; 0 if the mutex is free or held for
    // kUpkeep. If a guard holds several rows of one stripe, `holder` is the mark of only one of
    // these rows. Writers that want one of the other rows wait, even under kFail.
    std::atomic<RowHash> holder = 0;
  };

  static std::uint16_t StripeOf(RowHash row) { return static_cast<std::uint16_t>(row % kStripes); }
  // Returns a mark of the row and its holder: the row's hash with two bits replaced. Bit 0 becomes
  // 1 for a transaction and 0 for a single write. Bit 1 becomes 1. Returns 0 for kUpkeep.
  static RowHash HolderMark(RowHash row, Holder holder);
  // Returns true if a transaction holds the row now.
  bool IsHeldByTransaction(RowHash row) const;

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace dolmen::engine
