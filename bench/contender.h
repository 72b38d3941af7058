// Contenders. A contender runs one workload on one store. To add a workload, add a file that
// registers the contenders of the workload. To add a store, add a file for the store, and register
// contenders of the store in the files of the workloads.

#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/stored_rows.h"
#include "bench/stores.h"
#include "dolmen/result.h"

namespace dolmen::bench {

using Answer = std::vector<StoredRow>;

// Describes the first difference between two answers. Returns nothing if the answers have equal
// bytes.
std::optional<std::string> Difference(const Answer& expected, const Answer& actual);

// A workload on a store. The report has one row per contender and number of threads.
class Contender {
 public:
  virtual ~Contender() = default;

  virtual std::string name() const = 0;  // "<workload>/<store>"

  // Returns true if the row reports wall-clock time instead of CPU time. google-benchmark's CPU
  // time leaves out other threads and the time of waiting for the disk.
  virtual bool takes_real_time() const { return false; }

  // Returns true if the contender can be timed with --cold: the contender only reads, and gets its
  // store from Stores at each repetition.
  virtual bool can_be_cold() const { return false; }

  // Returns true if the contender calls Stores::CopyOf. These contenders are prepared before all
  // others.
  virtual bool uses_copy() const { return false; }

  // Returns the highest number of threads. The contender is timed with 1, 2, 4 and so on up to
  // this number of threads. Each thread calls Time.
  virtual int threads_max() const { return 1; }

  // Prepares the contender: gets its store and compares a sample of the store's answers with the
  // data. Then runs once the queries that Time will measure, so that the caches hold the answers.
  virtual Status Prepare(Stores& stores) = 0;

  // Runs the timed loop. Each derived class has its own loop, so the calls in the loop are not
  // virtual.
  virtual void Time(benchmark::State& state) = 0;
};

// Returns the contenders of all workloads, in the order in which they were added.
std::vector<std::unique_ptr<Contender>>& Contenders();

// Adds a contender of type T to Contenders(). Define objects of this type at namespace scope.
template <typename T>
struct Registered {
  Registered() { Contenders().push_back(std::make_unique<T>()); }
};

}  // namespace dolmen::bench
