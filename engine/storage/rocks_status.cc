#include "engine/storage/rocks_status.h"

#include <string>

#include "engine/value/utf8.h"

namespace dolmen::engine {

Status FromRocks(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return {};
  // RocksDB quotes damaged bytes of its files.
  std::string message = ToUtf8(std::string(doing).append(": ").append(status.ToString()));
  // Reports a missing file as damage, because no other program may delete files in the directory.
  if (status.IsCorruption() || status.IsPathNotFound()) {
    return Status::Corruption(std::move(message));
  }
  if (status.IsNoSpace()) {
    return Status::Storage(std::move(message) + " (the disk is full: free some space and retry)");
  }
  return Status::Storage(std::move(message));
}

}  // namespace dolmen::engine
