// What surrounds the figures: on what they were measured, and how the contenders compare.

#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/contender.h"

namespace dolmen::bench {

// Adds processor, versions and sizes to the head of the report, in whatever format it has.
void AddReportHead(const Stores& stores);

// Warns on stderr if the figures are not those of an optimised build.
void WarnUnlessRelease();

// The report in the format asked for on the command line, with one row for each contender: of its
// repetitions the one at the lower quartile of CPU time, as whoever else uses the machine can only
// make some of them slower.  At the end, on stderr, how many times as long as RocksDB each other
// contender of a workload took.  A file (--benchmark_out) has every repetition.
class QuartileReporter : public benchmark::BenchmarkReporter {
 public:
  QuartileReporter() : inner_(benchmark::CreateDefaultDisplayReporter()) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  // Whether a contender gave up while it was timed.
  bool failed() const { return failed_; }

 private:
  std::unique_ptr<benchmark::BenchmarkReporter> inner_;
  std::map<std::string, double> seconds_;  // by row
  bool failed_ = false;
};

}  // namespace dolmen::bench
