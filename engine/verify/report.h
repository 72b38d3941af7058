// The findings and the progress of a verification.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "dolmen/verify.h"

namespace dolmen::engine {

// A collector of findings that also reports progress to the caller's handler. For one thread.
class Report {
 public:
  // Borrows the handler, which may be empty and must outlive the Report.
  explicit Report(const VerifyProgressHandler& handler) : handler_(handler) {}

  void CountItem() { ++output_.items; }
  void CountIndexEntry() { ++output_.index_entries; }
  void CountStreamRecord() { ++output_.stream_records; }
  void AddUnfinished(UnfinishedIndex index) {
    output_.unfinished_indexes.push_back(std::move(index));
  }

  // Counts the finding, and keeps it if it is one of the first 100.
  void AddFinding(VerifyFinding finding) {
    ++output_.finding_count;
    if (output_.findings.size() < kFindingsMax) output_.findings.push_back(std::move(finding));
  }

  // Adds to the number of bytes that the verification will read.
  void AddExpectedBytes(std::uint64_t bytes) { expected_ += bytes; }
  // Adds to the number of bytes that the verification has read.
  void AddFinishedBytes(std::uint64_t bytes) { done_ += bytes; }

  // Calls the handler with the progress. `bytes` is the number of bytes that were read since the
  // last AddFinishedBytes(). `table` is the table that is being read, or empty. Does nothing
  // after the handler has returned false.
  void ReportProgress(const std::string& table, std::uint64_t bytes) {
    if (!handler_ || !output_.complete) return;
    const auto done = static_cast<double>(done_ + bytes);
    const auto all = static_cast<double>(std::max<std::uint64_t>(expected_, 1));
    fraction_ =
        std::clamp(done / all, fraction_, 1.0);  // an estimate may fall; the fraction must not
    output_.complete = handler_({table, output_.items, fraction_});
  }
  // Returns true if the handler has ended the verification.
  bool is_stopped() const { return !output_.complete; }

  // Moves the output out of the Report.
  VerifyOutput TakeOutput() { return std::move(output_); }

 private:
  static constexpr std::size_t kFindingsMax = 100;

  const VerifyProgressHandler& handler_;
  VerifyOutput output_;
  std::uint64_t expected_ = 0;
  std::uint64_t done_ = 0;
  double fraction_ = 0;
};

}  // namespace dolmen::engine
