// A contender runs one workload on one store.  A new workload is a new file that registers its
// contenders.  A new store is a new file that the workloads' files use for their contenders.

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

// Describes the first difference of two answers.  Returns nothing if their bytes are equal.
std::optional<std::string> Difference(const Answer& expected, const Answer& actual);

// One row of the report.
class Contender {
 public:
  virtual ~Contender() = default;

  virtual std::string name() const = 0;  // "<workload>/<store>"

  // Returns true if the row reports time by the clock, because other threads do the work and
  // google-benchmark does not count their CPU time.
  virtual bool takes_real_time() const { return false; }

  // Returns true if the contender only reads and asks Stores for its store at each repetition.
  virtual bool can_be_cold() const { return false; }

  // Returns true if the contender calls Stores::ToWrite.  Contenders that write are prepared before
  // the others.
  virtual bool writes() const { return false; }

  // Returns the highest number of threads.  The contender is timed with 1, 2, 4 and so on up to
  // this number; each thread calls Time.
  virtual int threads_max() const { return 1; }

  // Gets the store, compares a sample of answers with the data, and reads once all rows that the
  // questions ask for.
  virtual Status Prepare(Stores& stores) = 0;

  // Runs the timed loop.  The loop is in the derived class, so its calls are not virtual.
  virtual void Time(benchmark::State& state) = 0;
};

// Returns the contenders of all workloads, in the order in which they were added.
std::vector<std::unique_ptr<Contender>>& Contenders();

// Adds a T to the contenders.  For variables at namespace scope.
template <typename T>
struct Registered {
  Registered() { Contenders().push_back(std::make_unique<T>()); }
};

}  // namespace dolmen::bench
