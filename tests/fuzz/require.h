// Check functions for all fuzz targets. A check that fails is a finding.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>

#include "dolmen/result.h"
#include "engine/value/utf8.h"

namespace dolmen::fuzz {

// Ends the process if `holds` is false, in builds with and without assertions.
inline void Require(bool holds, std::string_view what,
                    std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: does not hold: %.*s\n", where.file_name(),
               static_cast<unsigned>(where.line()), static_cast<int>(what.size()), what.data());
  std::abort();
}

// Checks that `status` is ok, or has this code and a message in UTF-8.
inline void RequireShowable(const Status& status, StatusCode code,
                            std::source_location where = std::source_location::current()) {
  if (status.ok()) return;
  Require(status.code() == code, status.ToString(), where);
  Require(!status.message().empty(), "an error has a message", where);
  Require(engine::IsUtf8(status.message()), "an error's message is UTF-8", where);
}

}  // namespace dolmen::fuzz
