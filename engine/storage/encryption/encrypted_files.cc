#include "engine/storage/encryption/encrypted_files.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/storage/encryption/file_cipher.h"

namespace dolmen::engine {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// The prefix consists of two halves. Each half begins with the same header, so that a reader can
// use the second header if the first one is damaged. The other bytes are zeros and mean nothing.
constexpr std::string_view kMagic = "dolmen aes ctr 1";
constexpr std::size_t kHeaderBytes = kMagic.size() + sizeof(Nonce) + sizeof(KeyCheck);
constexpr std::size_t kHalfBytes = kEncryptedPrefixBytes / 2;
static_assert(kHeaderBytes <= kHalfBytes);

constexpr std::size_t kWrittenMax = 256 << 10;  // bytes that are encrypted before they are written

std::string HeaderOf(const Nonce& nonce, const FileCipher& cipher) {
  std::string header(kMagic);
  header.append(nonce.begin(), nonce.end());
  header.append(cipher.check().begin(), cipher.check().end());
  return header;
}

std::string PrefixOf(const Nonce& nonce, const FileCipher& cipher) {
  std::string half = HeaderOf(nonce, cipher);
  half.resize(kHalfBytes);
  return half + half;
}

// Returns the cipher of the file with this prefix. Returns nothing if both headers are damaged.
std::optional<FileCipher> CipherOf(const EncryptionKey& key, std::string_view prefix) {
  for (std::size_t at = 0; at < kEncryptedPrefixBytes; at += kHalfBytes) {
    const std::string_view header = prefix.substr(at, kHeaderBytes);
    Nonce nonce;
    std::memcpy(nonce.data(), header.data() + kMagic.size(), nonce.size());
    const FileCipher cipher(key, nonce);
    if (header == HeaderOf(nonce, cipher)) return cipher;
  }
  return std::nullopt;
}

bool IsLog(std::string_view path) { return path.ends_with(".log"); }

bool IsZero(Slice bytes) {
  return std::all_of(bytes.data(), bytes.data() + bytes.size(), [](char c) { return c == 0; });
}

std::uint64_t ContentSize(std::uint64_t size) {
  return size - std::min<std::uint64_t>(size, kEncryptedPrefixBytes);
}

// Decrypts `*bytes`, which were read at `offset` of the content, into `scratch`. Without a cipher
// the file has no content.
void Decrypt(const std::optional<FileCipher>& cipher, std::uint64_t offset, Slice* bytes,
             char* scratch) {
  if (cipher) cipher->Crypt(offset, bytes->data(), scratch, bytes->size());
  *bytes = Slice(scratch, cipher ? bytes->size() : 0);
}

// The classes of files derive from RocksDB's abstract classes. RocksDB also has classes that pass all calls to
// another file: a function that a newer RocksDB adds to them would pass bytes and sizes that are encrypted.
// cmake/rocksdb_functions.cmake refuses a RocksDB with functions that this file does not know.

// A log or another file that is read from its start to its end. A power cut may leave a hole in a
// log, which reads as zeros: the file then has its size already, but lacks the bytes of a page. A
// hole is also a hole of the content, as in a file that is not encrypted. An encrypted block
// consists of zeros with a probability of 1 in 2^128.
class SequentialFile : public rocksdb::FSSequentialFile {
 public:
  // If there is no cipher, the prefix is incomplete or a hole, and all of the content is a hole.
  SequentialFile(std::unique_ptr<FSSequentialFile> file, std::optional<FileCipher> cipher)
      : file_(std::move(file)), cipher_(std::move(cipher)) {}

  IOStatus Read(std::size_t size, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) override {
    IOStatus read = file_->Read(size, options, result, scratch, debug);
    if (!read.ok()) return read;
    if (!cipher_ && !IsZero(*result)) return IOStatus::Corruption("the file has lost its prefix");
    if (cipher_) DecryptAroundHoles(result, scratch);
    offset_ += result->size();
    return read;
  }
  IOStatus Skip(std::uint64_t size) override {
    offset_ += size;
    in_hole_ = false;
    return file_->Skip(size);
  }

 private:
  void DecryptAroundHoles(Slice* bytes, char* scratch) {
    std::size_t start = 0;  // the bytes from here to the current block wait for their decryption
    const auto decrypt = [&](std::size_t end) {
      cipher_->Crypt(offset_ + start, bytes->data() + start, scratch + start, end - start);
    };
    for (std::size_t at = 0, count = 0; at < bytes->size(); at += count) {
      count = std::min<std::size_t>(AES_BLOCK_SIZE - (offset_ + at) % AES_BLOCK_SIZE,
                                    bytes->size() - at);
      // A part of a block continues a hole, but does not begin one.
      in_hole_ = (in_hole_ || count == AES_BLOCK_SIZE) && IsZero({bytes->data() + at, count});
      if (!in_hole_) continue;
      decrypt(at);
      std::memset(scratch + at, 0, count);
      start = at + count;
    }
    decrypt(bytes->size());
    *bytes = Slice(scratch, bytes->size());
  }

  const std::unique_ptr<FSSequentialFile> file_;
  const std::optional<FileCipher> cipher_;
  std::uint64_t offset_ = 0;
  bool in_hole_ = false;  // true if the block before offset_ is a part of a hole
};

class RandomAccessFile : public rocksdb::FSRandomAccessFile {
 public:
  RandomAccessFile(std::unique_ptr<FSRandomAccessFile> file, std::optional<FileCipher> cipher)
      : file_(std::move(file)), cipher_(std::move(cipher)) {}

  IOStatus Read(std::uint64_t offset, std::size_t size, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* debug) const override {
    IOStatus read =
        file_->Read(offset + kEncryptedPrefixBytes, size, options, result, scratch, debug);
    if (read.ok()) Decrypt(cipher_, offset, result, scratch);
    return read;
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    for (std::size_t i = 0; i < count; ++i) requests[i].offset += kEncryptedPrefixBytes;
    IOStatus read = file_->MultiRead(requests, count, options, debug);
    for (std::size_t i = 0; i < count; ++i) {
      rocksdb::FSReadRequest& request = requests[i];
      request.offset -= kEncryptedPrefixBytes;
      if (read.ok() && request.status.ok()) {
        Decrypt(cipher_, request.offset, &request.result, request.scratch);
      }
    }
    return read;
  }
  void Hint(AccessPattern pattern) override { file_->Hint(pattern); }
  IOStatus Prefetch(std::uint64_t offset, std::size_t size, const IOOptions& options,
                    IODebugContext* debug) override {
    return file_->Prefetch(offset + kEncryptedPrefixBytes, size, options, debug);
  }
  IOStatus InvalidateCache(std::size_t offset, std::size_t size) override {
    return file_->InvalidateCache(offset + kEncryptedPrefixBytes, size);
  }

 private:
  const std::unique_ptr<FSRandomAccessFile> file_;
  const std::optional<FileCipher> cipher_;
};

class WritableFile : public rocksdb::FSWritableFile {
 public:
  // The file has `size` bytes, prefix included. Without a cipher it accepts no content.
  WritableFile(std::unique_ptr<FSWritableFile> file, std::optional<FileCipher> cipher,
               std::uint64_t size)
      : file_(std::move(file)), cipher_(std::move(cipher)), size_(size) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    for (Slice rest = data; !rest.empty();) {
      if (!cipher_) return IOStatus::NotSupported("an encrypted file is written only once");
      const std::size_t count = std::min(rest.size(), kWrittenMax);
      if (buffer_.size() < count) buffer_.resize(count);
      cipher_->Crypt(ContentSize(size_), rest.data(), buffer_.data(), count);
      IOStatus written = file_->Append(Slice(buffer_.data(), count), options, debug);
      if (!written.ok()) {
        cipher_.reset();  // a part of the bytes may be in the file
        return written;
      }
      size_ += count;
      rest.remove_prefix(count);
    }
    return IOStatus::OK();
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus PositionedAppend(const Slice&, std::uint64_t, const IOOptions&,
                            IODebugContext*) override {
    return IOStatus::NotSupported("an encrypted file is written from its start to its end");
  }
  IOStatus PositionedAppend(const Slice& data, std::uint64_t offset, const IOOptions& options,
                            const rocksdb::DataVerificationInfo&, IODebugContext* debug) override {
    return PositionedAppend(data, offset, options, debug);
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    cipher_.reset();
    // Does not lengthen a file whose prefix is incomplete: the prefix would then be damaged.
    size_ = std::min(size_, size + kEncryptedPrefixBytes);
    return file_->Truncate(size_, options, debug);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return file_->Close(options, debug);
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return file_->Flush(options, debug);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return file_->Sync(options, debug);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return file_->Fsync(options, debug);
  }
  bool IsSyncThreadSafe() const override { return file_->IsSyncThreadSafe(); }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override {
    return ContentSize(size_);
  }
  IOStatus InvalidateCache(std::size_t offset, std::size_t size) override {
    return file_->InvalidateCache(offset + kEncryptedPrefixBytes, size);
  }
  IOStatus RangeSync(std::uint64_t offset, std::uint64_t size, const IOOptions& options,
                     IODebugContext* debug) override {
    return file_->RangeSync(offset + kEncryptedPrefixBytes, size, options, debug);
  }
  // The stored file allocates space before it is written, and frees what is left when it is closed.
  void SetPreallocationBlockSize(std::size_t size) override {
    file_->SetPreallocationBlockSize(size);
  }
  void GetPreallocationStatus(std::size_t* size, std::size_t* last) override {
    file_->GetPreallocationStatus(size, last);
  }
  void PrepareWrite(std::size_t offset, std::size_t size, const IOOptions& options,
                    IODebugContext* debug) override {
    file_->PrepareWrite(offset + kEncryptedPrefixBytes, size, options, debug);
  }
  void SetWriteLifeTimeHint(rocksdb::Env::WriteLifeTimeHint hint) override {
    file_->SetWriteLifeTimeHint(hint);
  }
  IOStatus Allocate(std::uint64_t offset, std::uint64_t size, const IOOptions& options,
                    IODebugContext* debug) override {
    return file_->Allocate(offset + kEncryptedPrefixBytes, size, options, debug);
  }

 private:
  const std::unique_ptr<FSWritableFile> file_;
  std::optional<FileCipher> cipher_;
  std::uint64_t size_;  // the size of the stored file
  std::string buffer_;  // encrypted bytes
};

class EncryptedFiles : public rocksdb::FileSystemWrapper {
 public:
  EncryptedFiles(const std::shared_ptr<rocksdb::FileSystem>& base, const EncryptionKey& key)
      : FileSystemWrapper(base), key_(key) {}

  const char* Name() const override { return "DolmenEncryptedFiles"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             IODebugContext* debug) override {
    IOStatus status = target()->NewSequentialFile(path, Buffered(options), file, debug);
    if (!status.ok()) return status;
    return AddCipher<SequentialFile>(path, file, [&](Slice* prefix, char* scratch) {
      return (*file)->Read(kEncryptedPrefixBytes, {}, prefix, scratch, debug);
    });
  }

  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               IODebugContext* debug) override {
    IOStatus status = target()->NewRandomAccessFile(path, Buffered(options), file, debug);
    if (!status.ok()) return status;
    return AddCipher<RandomAccessFile>(path, file, [&](Slice* prefix, char* scratch) {
      return (*file)->Read(0, kEncryptedPrefixBytes, {}, prefix, scratch, debug);
    });
  }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    const std::optional<Nonce> nonce = RandomNonce();
    if (!nonce) return IOStatus::IOError(path, "the operating system has no random bytes");
    const FileCipher cipher(key_, *nonce);
    IOStatus status = target()->NewWritableFile(path, Buffered(options), file, debug);
    if (status.ok()) status = (*file)->Append(PrefixOf(*nonce, cipher), {}, debug);
    // A log is read after a power cut. The other files are synced before RocksDB relies on them.
    if (status.ok() && IsLog(path)) status = (*file)->Sync({}, debug);
    if (!status.ok()) return status;
    *file = std::make_unique<WritableFile>(std::move(*file), cipher, kEncryptedPrefixBytes);
    return status;
  }

  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              IODebugContext* debug) override {
    IOStatus status = target()->FileExists(path, {}, debug);
    if (status.IsNotFound()) return NewWritableFile(path, options, file, debug);
    std::uint64_t size = 0;
    if (status.ok()) status = target()->GetFileSize(path, {}, &size, debug);
    if (status.ok()) status = target()->ReopenWritableFile(path, Buffered(options), file, debug);
    if (status.ok()) *file = std::make_unique<WritableFile>(std::move(*file), std::nullopt, size);
    return status;
  }

  IOStatus GetFileSize(const std::string& path, const IOOptions& options, std::uint64_t* size,
                       IODebugContext* debug) override {
    IOStatus status = target()->GetFileSize(path, options, size, debug);
    if (status.ok()) *size = ContentSize(*size);
    return status;
  }
  IOStatus GetChildrenFileAttributes(const std::string& directory, const IOOptions& options,
                                     std::vector<rocksdb::FileAttributes>* files,
                                     IODebugContext* debug) override {
    IOStatus status = target()->GetChildrenFileAttributes(directory, options, files, debug);
    for (rocksdb::FileAttributes& file : *files) file.size_bytes = ContentSize(file.size_bytes);
    return status;
  }

  IOStatus Truncate(const std::string& path, std::size_t, const IOOptions&,
                    IODebugContext*) override {
    return NotEncrypted(path);
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string&, const FileOptions&,
                             std::unique_ptr<rocksdb::FSWritableFile>*, IODebugContext*) override {
    return NotEncrypted(path);
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<rocksdb::FSRandomRWFile>*, IODebugContext*) override {
    return NotEncrypted(path);
  }
  IOStatus NewMemoryMappedFileBuffer(const std::string& path,
                                     std::unique_ptr<rocksdb::MemoryMappedFileBuffer>*) override {
    return NotEncrypted(path);
  }
  IOStatus NewLogger(const std::string& path, const IOOptions&, std::shared_ptr<rocksdb::Logger>*,
                     IODebugContext*) override {
    return NotEncrypted(path);
  }

 private:
  // Replaces `*file` by a `Decrypting` file that reads from `*file`. `read` reads the prefix.
  template <typename Decrypting, typename File, typename Read>
  IOStatus AddCipher(const std::string& path, std::unique_ptr<File>* file, const Read& read) const {
    std::string space(kEncryptedPrefixBytes, '\0');
    Slice prefix;
    IOStatus status = read(&prefix, space.data());
    if (!status.ok()) return status;
    std::optional<FileCipher> cipher;
    const bool is_hole = IsLog(path) && IsZero(prefix);
    if (prefix.size() == kEncryptedPrefixBytes && !is_hole) {
      cipher = CipherOf(key_, prefix.ToStringView());
      if (!cipher) {
        const char* const reason = "its prefix is damaged, or it is encrypted with another key";
        // RocksDB replaces a missing file IDENTITY. It ends the process if the code is Corruption.
        return path.ends_with("/IDENTITY") ? IOStatus::PathNotFound(path, reason)
                                           : IOStatus::Corruption(path, reason);
      }
    }
    *file = std::make_unique<Decrypting>(std::move(*file), std::move(cipher));
    return status;
  }

  // Returns the options without memory maps and direct I/O, which would need an aligned prefix.
  static FileOptions Buffered(FileOptions options) {
    options.use_mmap_reads = options.use_mmap_writes = false;
    options.use_direct_reads = options.use_direct_writes = false;
    return options;
  }
  static IOStatus NotEncrypted(const std::string& path) {
    return IOStatus::NotSupported(path, "this kind of access is not encrypted");
  }

  const EncryptionKey key_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> EncryptFiles(const std::shared_ptr<rocksdb::FileSystem>& base,
                                                  const EncryptionKey& key) {
  return std::make_shared<EncryptedFiles>(base, key);
}

}  // namespace dolmen::engine
