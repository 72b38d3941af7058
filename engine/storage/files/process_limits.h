// The limits that a process has for its files.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// Returns the size that a file may have at most (RLIMIT_FSIZE). The system sends SIGXFSZ to a thread
// that writes more, and the signal ends the process by default. So each writer asks before it writes.
std::uint64_t FileBytesMax();
// Returns what the latest call of FileBytesMax() returned, or the greatest number. Asks nobody.
std::uint64_t LatestFileBytesMax();

// Checks that the file may have `bytes` bytes.
// - kStorage: the limit is lower.
Status CheckFileBytes(std::string_view path, std::uint64_t bytes);

// Returns the text of `error`, an errno. The text names the limit if there is one.
std::string ErrorText(int error);

// Returns the number of files that one database may keep open, a part of RLIMIT_NOFILE. The program
// needs the rest.
int OpenFilesMax();

// Returns EMFILE or ENFILE if the operating system's text for this error is in `text`, or 0.
int DescriptorErrorIn(std::string_view text);

// Checks that the process can open `files` more files. Opens none, so that no other thread lacks a
// descriptor meanwhile.
// - kStorage: the limit of descriptors is lower.
Status CheckDescriptors(int files);

}  // namespace dolmen::engine
