// Writes the keys and values of a database again with RocksDB's SstFileWriter, and prints the seconds that it took. This
// is the least that an import of the same bytes can take. The keys are read first, and in order.

#include <rocksdb/db.h>
#include <rocksdb/sst_file_writer.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/temporary_directory.h"
#include "dolmen/result.h"
#include "engine/storage/options.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::bench {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

Result<Entries> Read(const std::string& directory) {
  const auto db = engine::OpenRocksReadOnly(rocksdb::Options(), directory);
  if (!db.ok()) return db.status();
  Entries entries;
  const std::unique_ptr<rocksdb::Iterator> row((*db)->NewIterator({}));
  for (row->SeekToFirst(); row->Valid(); row->Next()) {
    entries.emplace_back(row->key().ToString(), row->value().ToString());
  }
  if (!row->status().ok()) return Status::Storage(row->status().ToString());
  return entries;
}

rocksdb::Status Write(const Entries& entries, const std::string& directory) {
  const rocksdb::Options options = engine::RocksOptions({}, nullptr);
  rocksdb::Status status;
  std::unique_ptr<rocksdb::SstFileWriter> file;
  int files = 0;
  for (const auto& [key, value] : entries) {
    if (file == nullptr) {
      file = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), options);
      status = file->Open(directory + "/" + std::to_string(++files) + ".sst");
    }
    if (status.ok()) status = file->Put(key, value);
    if (status.ok() && file->FileSize() >= options.target_file_size_base) {
      status = file->Finish();
      file.reset();
    }
    if (!status.ok()) return status;
  }
  return file != nullptr ? file->Finish() : status;
}

int Run(const std::string& directory) {
  const Result<Entries> entries = Read(directory);
  if (!entries.ok()) {
    std::fprintf(stderr, "%s\n", entries.status().message().c_str());
    return 1;
  }
  const TemporaryDirectory files({});
  const auto begin = std::chrono::steady_clock::now();
  const rocksdb::Status written = Write(*entries, files.path().string());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%zu keys in %.3f s\n", entries->size(), seconds.count());
  if (!written.ok()) std::fprintf(stderr, "%s\n", written.ToString().c_str());
  return written.ok() ? 0 : 1;
}

}  // namespace
}  // namespace dolmen::bench

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "Usage: dolmen_sorted_files DIRECTORY\n");
    return 2;
  }
  return dolmen::bench::Run(arguments[1]);
}
