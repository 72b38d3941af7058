// The text of the marker file, which names the format of a database. FORMAT.md describes it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/open_options.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// The format of a database whose files are not encrypted, and of one whose files are. The content
// of their files is the same.
inline constexpr int kPlainFormat = 1;
inline constexpr int kEncryptedFormat = 2;

// The number of bytes that is greater than the size of every valid marker file.
inline constexpr std::size_t kMarkerBytesMax = 256;

// The last line of the marker file of a database that has a list of its logs (log_list.h).
inline constexpr std::string_view kListNote = "DOLMEN.logs lists its logs\n";

// Returns the part of a marker file's text that NewMarker() made. After it comes kListNote, or
// nothing, or what a power cut has left of kListNote.
std::string_view WithoutListNote(std::string_view text);

// Returns the text of the marker file of a new database.
// - kStorage: the operating system has no random bytes.
Result<std::string> NewMarker(const std::optional<EncryptionKey>& key);

// Checks that `text` is the text of a marker file whose database this release reads with `key`.
// Messages name the database by its directory.
// - kUnsupportedFormat: a newer release wrote the text.
// - kCorruption: the text is damaged.
// - kValidation: the key is missing, is another one, or the database is not encrypted.
Status CheckMarker(std::string_view text, const std::string& directory,
                   const std::optional<EncryptionKey>& key);

}  // namespace dolmen::engine
