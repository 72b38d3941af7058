#include "engine/storage/files/whole_file.h"

#include <algorithm>
#include <memory>

#include "engine/storage/files/owner_only.h"

namespace dolmen::engine {

using rocksdb::IOStatus;

IOStatus SyncDirectory(rocksdb::FileSystem* files, const std::string& directory) {
  std::unique_ptr<rocksdb::FSDirectory> opened;
  const IOStatus status = files->NewDirectory(directory, {}, &opened, nullptr);
  return status.ok() ? opened->Fsync({}, nullptr) : status;
}

IOStatus ReplaceFile(rocksdb::FileSystem* files, const std::string& path, const std::string& text) {
  const std::string temporary = path + ".new";
  // What an interrupted call has left, or a link, is not written into. An error comes again below.
  files->DeleteFile(temporary, {}, nullptr).PermitUncheckedError();
  const IOStatus written = rocksdb::WriteStringToFile(files, text, temporary, /*should_sync=*/true);
  RestrictFileToOwner(temporary);
  if (!written.ok()) return written;
  const IOStatus renamed = files->RenameFile(temporary, path, {}, nullptr);
  return renamed.ok() ? SyncDirectory(files, path.substr(0, path.rfind('/'))) : renamed;
}

IOStatus CopyFile(rocksdb::FileSystem* source, const std::string& from, rocksdb::FileSystem* target,
                  const std::string& to, std::uint64_t size) {
  std::unique_ptr<rocksdb::FSSequentialFile> input;
  std::unique_ptr<rocksdb::FSWritableFile> output;
  IOStatus status = source->NewSequentialFile(from, {}, &input, nullptr);
  if (status.ok()) status = target->NewWritableFile(to, {}, &output, nullptr);
  constexpr std::size_t kCopyBytes = 1 << 20;
  const auto buffer_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, kCopyBytes));
  const auto buffer = std::make_unique_for_overwrite<char[]>(buffer_bytes);
  while (status.ok() && size > 0) {
    rocksdb::Slice part;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer_bytes));
    status = input->Read(wanted, {}, &part, buffer.get(), nullptr);
    if (status.ok() && part.empty()) status = IOStatus::Corruption(from + " is too short");
    if (status.ok()) status = output->Append(part, {}, nullptr);
    size -= part.size();
  }
  if (status.ok()) status = output->Sync({}, nullptr);
  return status.ok() ? output->Close({}, nullptr) : status;
}

}  // namespace dolmen::engine
