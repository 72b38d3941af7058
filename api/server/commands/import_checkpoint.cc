#include "server/commands/import_checkpoint.h"

namespace dolmen::server {
namespace {

constexpr const char* kAnnotation = "import";
constexpr const char* kInputs = "inputs";
constexpr const char* kFile = "file";
constexpr const char* kLines = "lines";
constexpr const char* kBytes = "bytes";
constexpr const char* kItems = "items";
constexpr const char* kSkipped = "skipped";

// The member, if it is a T.
template <typename T>
const T* Member(const Map& map, const char* name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second.get_if<T>();
}

std::optional<std::uint64_t> Unsigned(const Map& map, const char* name) {
  const auto* number = Member<Number>(map, name);
  const auto value = number == nullptr ? std::nullopt : number->ToInt64();
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

Map ToMap(const ImportCheckpoint& checkpoint) {
  return {{kInputs, checkpoint.inputs},        {kFile, checkpoint.file},
          {kLines, checkpoint.position.lines}, {kBytes, checkpoint.position.bytes},
          {kItems, checkpoint.items},          {kSkipped, checkpoint.skipped}};
}

}  // namespace

std::optional<ImportCheckpoint> ImportCheckpoints::Read() const {
  const Map* map = Member<Map>(annotations_, kAnnotation);
  if (map == nullptr) return std::nullopt;
  const auto* inputs = Member<std::string>(*map, kInputs);
  const auto file = Unsigned(*map, kFile);
  const auto lines = Unsigned(*map, kLines);
  const auto bytes = Unsigned(*map, kBytes);
  const auto items = Unsigned(*map, kItems);
  const auto skipped = Unsigned(*map, kSkipped);
  if (inputs == nullptr || !file || !lines || !bytes || !items || !skipped) return std::nullopt;
  return ImportCheckpoint{.inputs = *inputs,
                          .file = static_cast<std::size_t>(*file),
                          .position = {.lines = *lines, .bytes = *bytes},
                          .items = *items,
                          .skipped = *skipped};
}

Status ImportCheckpoints::Write(const ImportCheckpoint& checkpoint) {
  annotations_.insert_or_assign(kAnnotation, ToMap(checkpoint));
  return Update();
}

Status ImportCheckpoints::Remove() {
  return annotations_.erase(kAnnotation) == 0 ? Status() : Update();
}

Status ImportCheckpoints::Update() {
  return database_.UpdateTable({.name = table_, .annotations = annotations_}).status();
}

}  // namespace dolmen::server
