// What surrounds the figures: on what they were measured, and how the contenders compare.

#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
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

// The report in the format asked for on the command line, and at the end, on stderr, how many times
// as long as RocksDB each other contender of a workload took: the ratio of the medians, of CPU
// time, as others may want the processor too.
class RatioReporter : public benchmark::BenchmarkReporter {
 public:
  RatioReporter() : inner_(benchmark::CreateDefaultDisplayReporter()) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  // Whether a contender gave up while it was timed.
  bool failed() const { return failed_; }

 private:
  std::unique_ptr<benchmark::BenchmarkReporter> inner_;
  std::map<std::string, std::vector<double>> seconds_;  // of each row's repetitions
  bool failed_ = false;
};

}  // namespace dolmen::bench
