#include "engine/storage/backup/plain_digits.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "engine/value/number_text.h"

namespace dolmen::engine {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

constexpr std::string_view kBeforeChecksum = " crc32 ";

// A list that RocksDB writes. Keeps its text until it is synced or closed.
class WrittenList : public rocksdb::FSWritableFile {
 public:
  explicit WrittenList(std::unique_ptr<rocksdb::FSWritableFile> file) : file_(std::move(file)) {}

  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    text_.append(data.data(), data.size());
    return IOStatus::OK();
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    IOStatus written = WriteText(options, debug);
    return written.ok() ? file_->Sync(options, debug) : written;
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    IOStatus written = WriteText(options, debug);
    IOStatus closed = file_->Close(options, debug);
    return written.ok() ? closed : written;
  }
  std::uint64_t GetFileSize(const IOOptions& options, IODebugContext* debug) override {
    return file_->GetFileSize(options, debug) + text_.size();
  }

 private:
  IOStatus WriteText(const IOOptions& options, IODebugContext* debug) {
    if (text_.empty()) return IOStatus::OK();
    return file_->Append(WithPlainDigits(std::exchange(text_, {})), options, debug);
  }

  const std::unique_ptr<rocksdb::FSWritableFile> file_;
  std::string text_;
};

// A list that RocksDB reads.
class ReadList : public rocksdb::FSSequentialFile {
 public:
  explicit ReadList(std::string text) : text_(std::move(text)) {}

  IOStatus Read(std::size_t bytes, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    const std::size_t count = std::min(bytes, text_.size() - at_);
    std::memcpy(scratch, text_.data() + at_, count);
    *result = Slice(scratch, count);
    at_ += count;
    return IOStatus::OK();
  }
  IOStatus Skip(std::uint64_t bytes) override {
    at_ += std::min<std::uint64_t>(bytes, text_.size() - at_);
    return IOStatus::OK();
  }

 private:
  const std::string text_;
  std::size_t at_ = 0;
};

class PlainDigits : public rocksdb::FileSystemWrapper {
 public:
  PlainDigits(std::shared_ptr<rocksdb::FileSystem> files, const std::string& directory)
      : FileSystemWrapper(std::move(files)), lists_(directory + "/meta/") {}

  const char* Name() const override { return "DolmenPlainDigits"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    IOStatus made = target()->NewWritableFile(path, options, file, debug);
    if (made.ok() && IsList(path)) *file = std::make_unique<WrittenList>(std::move(*file));
    return made;
  }

  IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             IODebugContext* debug) override {
    if (!IsList(path)) return target()->NewSequentialFile(path, options, file, debug);
    std::string text;
    IOStatus read = rocksdb::ReadFileToString(target(), path, &text);
    if (read.ok()) *file = std::make_unique<ReadList>(WithPlainDigits(text));
    return read;
  }

 private:
  bool IsList(const std::string& path) const { return path.starts_with(lists_); }

  const std::string lists_;
};

}  // namespace

// A line with a number alone begins with a digit. The names of files begin with a letter, and a checksum ends its line.
std::string WithPlainDigits(std::string_view list) {
  std::string plain;
  while (!list.empty()) {
    const std::string_view line = list.substr(0, list.find('\n'));
    const std::size_t name = line.find(kBeforeChecksum);
    std::size_t number = line.size();
    if (IsDecimalDigit(line.empty() ? '\0' : line[0])) {
      number = 0;
    } else if (name != line.npos) {
      number = name + kBeforeChecksum.size();
    }
    plain.append(line.substr(0, number));
    std::ranges::copy_if(line.substr(number), std::back_inserter(plain), IsDecimalDigit);
    if (line.size() < list.size()) plain += '\n';
    list.remove_prefix(std::min(line.size() + 1, list.size()));
  }
  return plain;
}

std::shared_ptr<rocksdb::FileSystem> WithPlainDigits(std::shared_ptr<rocksdb::FileSystem> files,
                                                     const std::string& directory) {
  return std::make_shared<PlainDigits>(std::move(files), directory);
}

}  // namespace dolmen::engine
