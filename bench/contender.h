// Who competes: a workload's question put to one store.  A new workload is a new file that
// registers its contenders; a new store is a new file that a workload's file makes a contender of.

#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/stored_rows.h"
#include "bench/stores.h"
#include "dolmen/status.h"

namespace dolmen::bench {

using Answer = std::vector<StoredRow>;

// Where two answers differ first, for people; nothing if they are the same, byte by byte.
std::optional<std::string> Difference(const Answer& expected, const Answer& actual);

// One row of the report.
class Contender {
 public:
  virtual ~Contender() = default;

  virtual std::string name() const = 0;  // "<workload>/<store>"

  // Its work is done by other threads, whose CPU time nobody sees.
  virtual bool takes_real_time() const { return false; }

  // It only reads, and gets its store from Stores anew each time that it is timed.
  virtual bool can_be_cold() const { return false; }

  // It asks for Stores::ToWrite; those who do are prepared before the others.
  virtual bool writes() const { return false; }

  // It is timed with 1, 2, 4 and so on up to so many threads, each of which calls Time.
  virtual int threads_max() const { return 1; }

  // Gets its store, compares a sample of answers with what the data say, and reads everything that
  // will be asked for once.
  virtual Status Prepare(Stores& stores) = 0;

  // All of the timed loop: how it asks is known where it is compiled.
  virtual void Time(benchmark::State& state) = 0;
};

// The contenders of all workloads, in the order in which they were added.
std::vector<std::unique_ptr<Contender>>& Contenders();

// For a variable at namespace scope: adds a T to the contenders.
template <typename T>
struct Registered {
  Registered() { Contenders().push_back(std::make_unique<T>()); }
};

}  // namespace dolmen::bench
