#include "engine/storage/table_files.h"

#include <rocksdb/convenience.h>
#include <rocksdb/metadata.h>

#include <algorithm>

#include "engine/storage/rocks_status.h"

namespace dolmen::engine {

std::vector<TableFile> ListTableFiles(rocksdb::DB* db) {
  std::vector<rocksdb::LiveFileMetaData> live;
  db->GetLiveFilesMetaData(&live);
  std::vector<TableFile> files;
  for (const rocksdb::LiveFileMetaData& file : live) files.push_back({file.name, file.size});
  return files;
}

Status CheckTableFile(rocksdb::DB* db, const std::string& directory, const TableFile& file) {
  const rocksdb::Status read = rocksdb::VerifySstFileChecksum(
      db->GetOptions(), rocksdb::EnvOptions(), directory + file.name);
  if (read.ok()) return {};
  // Ignores the error if a compaction has deleted the file meanwhile.
  const std::vector<TableFile> live = ListTableFiles(db);
  const bool is_live = std::any_of(live.begin(), live.end(),
                                   [&](const TableFile& one) { return one.name == file.name; });
  return is_live ? FromRocks(read, "reading " + file.name.substr(1)) : Status();
}

}  // namespace dolmen::engine
