// What a look through the database finds, and how far it is.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "dolmen/verify.h"

namespace dolmen::engine {

// For one thread.
class Report {
 public:
  // The handler may be empty, and outlives this.
  explicit Report(const VerifyProgressHandler& handler) : handler_(handler) {}

  void CountItem() { ++output_.items; }
  void CountIndexEntry() { ++output_.index_entries; }
  void CountStreamRecord() { ++output_.stream_records; }
  void AddUnfinished(UnfinishedIndex index) {
    output_.unfinished_indexes.push_back(std::move(index));
  }

  void Find(VerifyFinding finding) {
    ++output_.finding_count;
    if (output_.findings.size() < kFindingsMax) output_.findings.push_back(std::move(finding));
  }

  // So many bytes more are to be read.
  void Expect(std::uint64_t bytes) { expected_ += bytes; }
  // Of those, so many are done.
  void Finish(std::uint64_t bytes) { done_ += bytes; }

  // Tells how far it is, with so many bytes of what is being done at the moment.
  void Tell(const std::string& table, std::uint64_t bytes) {
    if (!handler_ || !output_.complete) return;
    const auto done = static_cast<double>(done_ + bytes);
    const auto all = static_cast<double>(std::max<std::uint64_t>(expected_, 1));
    fraction_ = std::clamp(done / all, fraction_, 1.0);  // estimates may go back
    output_.complete = handler_({table, output_.items, fraction_});
  }
  // The handler wants no more.
  bool is_ended() const { return !output_.complete; }

  VerifyOutput Take() { return std::move(output_); }

 private:
  static constexpr std::size_t kFindingsMax = 100;

  const VerifyProgressHandler& handler_;
  VerifyOutput output_;
  std::uint64_t expected_ = 0;
  std::uint64_t done_ = 0;
  double fraction_ = 0;
};

}  // namespace dolmen::engine
