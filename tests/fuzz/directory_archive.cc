#include "tests/fuzz/directory_archive.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace dolmen::fuzz {
namespace {

constexpr std::size_t kNameBytesMax = 64;

bool IsPlainName(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
           c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kNameBytesMax && name != "." && name != ".." &&
         std::ranges::all_of(name, is_plain);
}

std::string_view Take(std::size_t size, std::string_view* rest) {
  const std::string_view taken = rest->substr(0, size);
  rest->remove_prefix(taken.size());
  return taken;
}

}  // namespace

std::vector<ArchivedFile> ParseArchive(std::string_view archive) {
  std::vector<ArchivedFile> files;
  while (!archive.empty()) {
    std::string_view size_text = Take(archive.find('\n'), &archive);
    Take(1, &archive);
    const std::string_view name = Take(size_text.find(' '), &size_text);
    Take(1, &size_text);
    std::uint32_t size = 0;
    std::from_chars(size_text.data(), size_text.data() + size_text.size(), size);
    const std::string_view bytes = Take(size, &archive);
    Take(1, &archive);
    const bool is_known = std::ranges::find(files, name, &ArchivedFile::name) != files.end();
    if (IsPlainName(name) && !is_known) files.push_back({std::string(name), std::string(bytes)});
  }
  return files;
}

bool IsForged(const std::vector<ArchivedFile>& files) {
  return std::ranges::find(files, kForged, &ArchivedFile::name) != files.end();
}

void MarkAsForged(std::vector<ArchivedFile>* files) {
  if (!IsForged(*files)) files->push_back({.name = kForged});
}

std::string FormatArchive(const std::vector<ArchivedFile>& files) {
  std::string archive;
  for (const ArchivedFile& file : files) {
    archive += file.name + " " + std::to_string(file.bytes.size()) + "\n" + file.bytes + "\n";
  }
  return archive;
}

}  // namespace dolmen::fuzz
