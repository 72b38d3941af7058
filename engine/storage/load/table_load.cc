#include "engine/storage/load/table_load.h"

#include <rocksdb/env.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/files/database_files.h"
#include "engine/storage/files/owner_only.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

Status WhileWriting(const rocksdb::Status& status) {
  return FromRocks(status, "writing table files");
}

}  // namespace

Result<std::unique_ptr<TableLoad>> TableLoad::Begin(Store* store, std::string_view name) {
  DOLMEN_RETURN_IF_ERROR(store->CheckCanWrite(0));
  const std::string all = ImportsIn(store->directory());
  std::unique_ptr<TableLoad> load(
      new TableLoad(store, std::string(all).append("/").append(name).append("/")));
  load->options_ = store->FileOptions();
  rocksdb::Env* const env = load->options_.env;
  DOLMEN_RETURN_IF_ERROR(WhileWriting(env->CreateDirIfMissing(all)));
  if (!store->is_in_memory()) RestrictDirectoryToOwner(all);
  DOLMEN_RETURN_IF_ERROR(WhileWriting(env->CreateDirIfMissing(load->directory_)));
  return load;
}

TableLoad::~TableLoad() {
  file_.reset();
  rocksdb::Env* const env = options_.env;
  if (env == nullptr) return;
  for (const std::string& file : files_) env->DeleteFile(file).PermitUncheckedError();
  // The directory "imports" stays, because another load may begin in it.
  env->DeleteDir(directory_).PermitUncheckedError();
}

std::unique_ptr<Sorter> TableLoad::NewSort() {
  return std::make_unique<Sorter>(
      SortPlace{.store = store_,
                .path = directory_ + "sort" + std::to_string(++sorts_) + "-",
                .memory_bytes = options_.write_buffer_size});
}

Status TableLoad::Append(std::string_view key, std::string_view value) {
  if (file_ == nullptr) {
    DOLMEN_RETURN_IF_ERROR(store_.CheckCanWrite(options_.target_file_size_base));
    files_.push_back(directory_ + std::to_string(files_.size() + 1) + ".sst");
    file_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), options_);
    DOLMEN_RETURN_IF_ERROR(WhileWriting(file_->Open(files_.back())));
  }
  DOLMEN_RETURN_IF_ERROR(WhileWriting(file_->Put(rocksdb::Slice(key), rocksdb::Slice(value))));
  return file_->FileSize() < options_.target_file_size_base ? Status() : FinishFile();
}

Status TableLoad::FinishFile() {
  if (file_ == nullptr) return {};
  const rocksdb::Status finished = file_->Finish();
  file_.reset();
  return WhileWriting(finished);
}

Result<std::vector<std::string>> TableLoad::Finish() {
  DOLMEN_RETURN_IF_ERROR(FinishFile());
  return files_;
}

void DeleteUnfinishedLoads(const Store& store) {
  if (store.is_in_memory() || !store.CheckWritable().ok()) return;
  std::error_code ignored;
  std::filesystem::remove_all(ImportsIn(store.directory()), ignored);
}

}  // namespace dolmen::engine
