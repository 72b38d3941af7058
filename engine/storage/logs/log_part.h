// The parts that RocksDB's logs consist of: whole records, and the first, middle and last parts of
// larger records. https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace dolmen::engine {

inline constexpr std::size_t kLogBlockBytes = 32'768;  // no part crosses the end of a block
inline constexpr std::size_t kLogHeaderBytes = 7;      // checksum, length, type

// The types of parts in Dolmen's logs.
enum class PartType : std::uint8_t { kWhole = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

struct LogPart {
  PartType type = PartType::kWhole;
  std::string_view payload;
  std::size_t end = 0;  // the position in the block after the part
};

// Returns true if the part, which begins at this position of its block, can be one that RocksDB
// wrote.
using PossiblePart = std::function<bool(const LogPart& part, std::size_t at)>;

// In the following functions `block` is a block of a log. Only a log's last block may be shorter
// than kLogBlockBytes.

// Returns the part that begins at `at`. Returns nothing if the part is not whole, if its checksum
// is wrong, or if RocksDB writes no part of this type and length at `at`.
std::optional<LogPart> ReadPart(std::string_view block, std::size_t at);

// Returns true if a sector of the unreadable part at `at` ends with zeros that may never have been
// written: if a power cut may have torn the part. If the log is encrypted, the decryption may have made
// other bytes of the first zeros.
bool HasLostSector(std::string_view block, std::size_t at, bool is_encrypted);

// Returns the true end of the unreadable part at `at` if only the length or the type in its header
// is damaged. Finds the end by the checksum: the checksum is correct for some type and length, and
// the part ends at the end of the block or before a readable part.
std::optional<std::size_t> EndByChecksum(std::string_view block, std::size_t at);

// Returns the position of the next readable part after the unreadable part at `at`. Returns the
// block's size if no readable part follows. Bytes of a value may look like a part. So the function
// searches inside the unreadable part only if its header is damaged. It accepts a part only if
// `is_possible` does.
std::size_t NextPart(std::string_view block, std::size_t at, const PossiblePart& is_possible);

}  // namespace dolmen::engine
