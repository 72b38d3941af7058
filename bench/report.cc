#include "bench/report.h"

#include <benchmark/benchmark.h>
#include <lmdb.h>
#include <rocksdb/version.h>
#include <sqlite3.h>

#include <boost/version.hpp>
#include <cstdio>
#include <fstream>
#include <string>

#include "bench/stored_rows.h"

namespace dolmen::bench {
namespace {

std::string Version(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string LmdbVersion() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  mdb_version(&major, &minor, &patch);
  return Version(major, minor, patch);
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

}  // namespace

void AddMachineHead() {
  benchmark::AddCustomContext("processor", Processor());
  benchmark::AddCustomContext("compiler", Compiler());
  benchmark::AddCustomContext("rocksdb", Version(ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH));
  benchmark::AddCustomContext(
      "boost", Version(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100));
  benchmark::AddCustomContext("sqlite", sqlite3_libversion());
  benchmark::AddCustomContext("lmdb", LmdbVersion());
}

void AddReportHead(const Stores& stores) {
  AddMachineHead();
  benchmark::AddCustomContext("messages", std::to_string(stores.data().messages()));
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
  reason = "this build has sanitizers";
#endif
  if (reason == nullptr) return;
  std::fprintf(stderr,
               "WARNING: %s, so the figures are not valid.  Build with the release preset.\n",
               reason);
}

}  // namespace dolmen::bench
