// The places FROM and TO of `dolmen copy`.

#pragma once

#include <cstdint>
#include <string>

#include "command/database_command.h"

namespace dolmen::command {

struct CopyPlace {
  enum class Kind : std::uint8_t {
    kService,   // a URL
    kDatabase,  // the directory of a database
    kExport,    // files of items
  };
  Kind kind = Kind::kDatabase;
  DatabaseWords database = {};  // unless it is an export
  std::string text = {};        // as it is given

  bool is_export() const { return kind == Kind::kExport; }
};

// Returns the place to copy from: a URL is a service, a directory that holds a database is a database,
// and every other path is an export or a file that `dolmen import` reads.
CopyPlace CopySource(const std::string& text);

// Returns the place to copy to: a URL is a service. A path that ends in a slash, .json or .json.gz, and -
// are an output of `dolmen export`. Every other path is a database, which may not exist yet.
CopyPlace CopyTarget(const std::string& text);

}  // namespace dolmen::command
