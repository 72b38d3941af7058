#include "bench/report.h"

#include <rocksdb/version.h>

#include <algorithm>
#include <array>
#include <boost/version.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "bench/stored_rows.h"

namespace dolmen::bench {
namespace {

// What the other rows of a workload are compared with.
constexpr std::array<std::string_view, 2> kBaselines = {"/rocksdb", "/dolmen_table"};

std::string Version(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string Processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string Compiler() {
#if defined(__clang__)
  return __VERSION__;
#else
  return "GCC " __VERSION__;
#endif
}

double Seconds(const benchmark::BenchmarkReporter::Run& run) {
  const bool real = !run.run_name.time_type.empty();
  return (real ? run.real_accumulated_time : run.cpu_accumulated_time) /
         static_cast<double>(run.iterations);
}

// How far the repetitions are apart: their standard deviation as a part of their mean.
std::string Variation(const std::vector<benchmark::BenchmarkReporter::Run>& repetitions) {
  double sum = 0;
  double squares = 0;
  for (const auto& run : repetitions) {
    sum += Seconds(run);
    squares += Seconds(run) * Seconds(run);
  }
  const auto count = static_cast<double>(repetitions.size());
  const double mean = sum / count;
  const double variance = std::max(squares / count - mean * mean, 0.0);
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "cv of %zu: %.1f %%", repetitions.size(),
                100 * std::sqrt(variance) / mean);
  return text.data();
}

}  // namespace

void AddReportHead(const Stores& stores) {
  benchmark::AddCustomContext("processor", Processor());
  benchmark::AddCustomContext("compiler", Compiler());
  benchmark::AddCustomContext("rocksdb", Version(ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH));
  benchmark::AddCustomContext(
      "boost", Version(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100));
  benchmark::AddCustomContext("rows", std::to_string(stores.data().messages()));
  benchmark::AddCustomContext("bytes_in_rows",
                              std::to_string(BytesInRows(stores.data().data_set())));
  for (const auto& [store, bytes] : stores.BytesOnDisk()) {
    benchmark::AddCustomContext("bytes_on_disk_" + store, std::to_string(bytes));
  }
}

void WarnUnlessRelease() {
  const char* reason = nullptr;
#if !defined(NDEBUG) || defined(_GLIBCXX_ASSERTIONS)
  reason = "assertions are on";
#endif
#if !defined(__OPTIMIZE__)
  reason = "this build is not optimised";
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  reason = "this build is sanitised";
#endif
  if (reason == nullptr) return;
  std::fprintf(stderr, "WARNING: %s; the figures say nothing.  Use the release preset.\n", reason);
}

bool QuartileReporter::ReportContext(const Context& context) {
  inner_->SetOutputStream(&GetOutputStream());
  inner_->SetErrorStream(&GetErrorStream());
  return inner_->ReportContext(context);
}

void QuartileReporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> repetitions;
  for (const Run& run : runs) {
    if (run.error_occurred) {
      failed_ = true;
      inner_->ReportRuns({run});
    } else if (run.run_type == Run::RT_Iteration) {
      repetitions.push_back(run);
    }
  }
  if (repetitions.empty()) return;
  std::sort(repetitions.begin(), repetitions.end(),
            [](const Run& a, const Run& b) { return Seconds(a) < Seconds(b); });
  Run& shown = repetitions[repetitions.size() / 4];
  seconds_[shown.benchmark_name()] = Seconds(shown);
  shown.report_label = Variation(repetitions);
  inner_->ReportRuns({shown});
}

void QuartileReporter::Finalize() {
  inner_->Finalize();
  for (const auto& [name, seconds] : seconds_) {
    const std::string workload = name.substr(0, name.find('/'));
    for (const std::string_view row : kBaselines) {
      const auto baseline = seconds_.find(workload + std::string(row));
      if (baseline == seconds_.end() || baseline->first == name) continue;
      std::fprintf(stderr, "%s = %.3f x %s\n", name.c_str(), seconds / baseline->second,
                   baseline->first.c_str());
    }
  }
}

}  // namespace dolmen::bench
