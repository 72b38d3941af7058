#include "command/import_checkpoint.h"

#include <algorithm>
#include <utility>

namespace dolmen::command {
namespace {

constexpr const char* kAnnotation = "dolmen:import";
constexpr const char* kInputs = "inputs";
constexpr const char* kFile = "file";
constexpr const char* kLines = "lines";
constexpr const char* kBytes = "bytes";
constexpr const char* kHash = "hash";
constexpr const char* kItems = "items";
constexpr const char* kSkipped = "skipped";

// Returns the member if it exists and has the type T, otherwise null.
template <typename T>
const T* Member(const Map& map, const char* name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second.get_if<T>();
}

std::optional<std::int64_t> Integer(const Map& map, const char* name) {
  const auto* number = Member<Number>(map, name);
  return number == nullptr ? std::nullopt : number->ToInt64();
}

std::optional<std::uint64_t> Unsigned(const Map& map, const char* name) {
  const auto value = Integer(map, name);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

Map ToMap(const ImportCheckpoint& checkpoint) {
  return {{kInputs, checkpoint.inputs},
          {kFile, checkpoint.file},
          {kLines, checkpoint.position.lines},
          {kBytes, checkpoint.position.bytes},
          {kHash, static_cast<std::int64_t>(checkpoint.position.hash)},
          {kItems, checkpoint.items},
          {kSkipped, checkpoint.skipped}};
}

// Returns true if an import of `inputs` wrote the checkpoint. `inputs` is the text that
// ImportInputs::Identity returns.
bool IsCheckpointFor(const AttributeValue& checkpoint, const std::string& inputs) {
  const Map* map = checkpoint.get_if<Map>();
  const auto* text = map == nullptr ? nullptr : Member<std::string>(*map, kInputs);
  return text != nullptr && *text == inputs;
}

}  // namespace

ImportCheckpoints::ImportCheckpoints(Database database, const TableDescription& table)
    : database_(std::move(database)), table_(table.name), annotations_(table.annotations) {
  const List* checkpoints = Member<List>(annotations_, kAnnotation);
  if (checkpoints != nullptr) checkpoints_ = *checkpoints;
  annotations_.erase(kAnnotation);
}

std::optional<ImportCheckpoint> ImportCheckpoints::Read(const std::string& inputs) const {
  const auto found = std::ranges::find_if(checkpoints_, [&](const AttributeValue& checkpoint) {
    return IsCheckpointFor(checkpoint, inputs);
  });
  if (found == checkpoints_.end()) return std::nullopt;
  const Map& map = *found->get_if<Map>();
  const auto file = Unsigned(map, kFile);
  const auto lines = Unsigned(map, kLines);
  const auto bytes = Unsigned(map, kBytes);
  const auto hash = Integer(map, kHash);
  const auto items = Unsigned(map, kItems);
  const auto skipped = Unsigned(map, kSkipped);
  if (!file || !lines || !bytes || !hash || !items || !skipped) return std::nullopt;
  return ImportCheckpoint{
      .inputs = inputs,
      .file = static_cast<std::size_t>(*file),
      .position = {.lines = *lines, .bytes = *bytes, .hash = static_cast<std::uint64_t>(*hash)},
      .items = *items,
      .skipped = *skipped};
}

Status ImportCheckpoints::Write(const ImportCheckpoint& checkpoint) {
  Erase(checkpoint.inputs);
  if (checkpoints_.size() >= kCheckpointsMax) checkpoints_.erase(checkpoints_.begin());
  checkpoints_.emplace_back(ToMap(checkpoint));
  return Update();
}

Status ImportCheckpoints::Remove(const std::string& inputs) {
  return Erase(inputs) ? Update() : Status();
}

bool ImportCheckpoints::Erase(const std::string& inputs) {
  return std::erase_if(checkpoints_, [&](const AttributeValue& checkpoint) {
           return IsCheckpointFor(checkpoint, inputs);
         }) > 0;
}

Status ImportCheckpoints::Update() {
  Map annotations = annotations_;
  AttributeValue& own = annotations[kAnnotation];  // null by default, which removes the annotation
  if (!checkpoints_.empty()) own = checkpoints_;
  return database_.UpdateTable({.name = table_, .annotations = std::move(annotations)}).status();
}

}  // namespace dolmen::command
