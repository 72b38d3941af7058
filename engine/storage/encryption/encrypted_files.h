// A file system that encrypts the content of files.

#pragma once

#include <rocksdb/file_system.h>

#include <cstddef>
#include <memory>

#include "dolmen/open_options.h"

namespace dolmen::engine {

// The number of bytes before the content of an encrypted file. FORMAT.md describes them. They are a
// page of the disk, so that a page which a power cut loses is a page of the content.
inline constexpr std::size_t kEncryptedPrefixBytes = 4096;

// Returns a file system that keeps its files in `base` and encrypts their content with `key`. Names
// and sizes stay visible. Offsets and sizes of the returned file system do not count the prefix.
//
// - A file that is shorter than the prefix is empty: a power cut may leave such a log. Holes, which a
//   power cut may leave in a log, read as zeros. The prefix of a log is synced when it is created.
// - The prefix says twice how to decrypt the file, and damage to one of the two has no effect. A file
//   with damage to both, or that was written with another key or with none, is not opened:
//   Corruption, or PathNotFound for RocksDB's file IDENTITY. Other damage changes the content, which the reader has to check.
// - Each byte of a file can be written only once, because a cipher in counter mode must not encrypt
//   two contents at one place. NotSupported: an append to a file that was reopened or truncated,
//   and a file that is open for reading and writing. RocksDB does neither with Dolmen's options.
// - RocksDB's own text log would not be encrypted and cannot be created: NotSupported.
std::shared_ptr<rocksdb::FileSystem> EncryptFiles(const std::shared_ptr<rocksdb::FileSystem>& base,
                                                  const EncryptionKey& key);

}  // namespace dolmen::engine
