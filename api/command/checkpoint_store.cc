#include "command/checkpoint_store.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "command/item_lines.h"
#include "command/line_reader.h"
#include "command/output_file.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "http/sha256.h"

namespace dolmen::command {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnnotation = "dolmen:import";
constexpr const char* kName = "inputs";
constexpr std::size_t kCheckpointsMax = 8;

template <typename T>
const T* MemberOf(const Map& map, const char* name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second.get_if<T>();
}

bool HasName(const AttributeValue& checkpoint, const std::string& name) {
  const Map* map = checkpoint.get_if<Map>();
  const auto* text = map == nullptr ? nullptr : MemberOf<std::string>(*map, kName);
  return text != nullptr && *text == name;
}

class Annotations final : public CheckpointStore {
 public:
  Annotations(Database database, const TableDescription& table)
      : database_(std::move(database)), table_(table.name), annotations_(table.annotations) {
    const List* checkpoints = MemberOf<List>(annotations_, kAnnotation);
    if (checkpoints != nullptr) checkpoints_ = *checkpoints;
    annotations_.erase(kAnnotation);
  }

  std::optional<Map> Read(const std::string& name) const override {
    const auto found = std::ranges::find_if(
        checkpoints_, [&](const AttributeValue& checkpoint) { return HasName(checkpoint, name); });
    if (found == checkpoints_.end()) return std::nullopt;
    return *found->get_if<Map>();
  }

  Status Write(const std::string& name, Map checkpoint) override {
    Erase(name);
    if (checkpoints_.size() >= kCheckpointsMax) checkpoints_.erase(checkpoints_.begin());
    checkpoint.insert_or_assign(kName, name);
    checkpoints_.emplace_back(std::move(checkpoint));
    return Update();
  }

  Status Remove(const std::string& name) override { return Erase(name) ? Update() : Status(); }

 private:
  bool Erase(const std::string& name) {
    return std::erase_if(checkpoints_, [&](const AttributeValue& checkpoint) {
             return HasName(checkpoint, name);
           }) > 0;
  }

  Status Update() {
    Map annotations = annotations_;
    AttributeValue& own = annotations[kAnnotation];  // null by default, which removes it
    if (!checkpoints_.empty()) own = checkpoints_;
    return database_.UpdateTable({.name = table_, .annotations = std::move(annotations)}).status();
  }

  Database database_;
  std::string table_;
  Map annotations_;   // the table's annotations without the checkpoints
  List checkpoints_;  // from the earliest to the latest
};

// Files of one line of JSON. The name of a file is a hash of the table and the checkpoint's name.
class Files final : public CheckpointStore {
 public:
  Files(fs::path directory, std::string table)
      : directory_(std::move(directory)), table_(std::move(table)) {}

  std::optional<Map> Read(const std::string& name) const override {
    auto reader = LineReader::Open(PathOf(name).string());
    if (!reader.ok()) return std::nullopt;
    const auto line = reader->Next();
    if (!line.ok() || !*line) return std::nullopt;
    ItemLineParser parser;
    Result<Item> checkpoint = parser.Parse(**line);
    if (!checkpoint.ok()) return std::nullopt;
    return *std::move(checkpoint);
  }

  Status Write(const std::string& name, Map checkpoint) override {
    std::error_code error;
    fs::create_directories(directory_, error);
    const fs::path path = PathOf(name);
    // A run that was killed can have left the file that OutputFile renames.
    fs::remove(path.string() + ".partial", error);
    DOLMEN_ASSIGN_OR_RETURN(const StoredItem& stored, internal::ToStored(checkpoint));
    std::string line;
    AppendItemLine(stored.view(), &line);
    DOLMEN_ASSIGN_OR_RETURN(OutputFile file,
                            OutputFile::Create(path.string(), {.overwrite = true}));
    DOLMEN_RETURN_IF_ERROR(file.Write(line));
    return file.Commit();
  }

  Status Remove(const std::string& name) override {
    std::error_code error;
    fs::remove(PathOf(name), error);
    return error ? Status::Storage("can't remove " + PathOf(name).string()) : Status();
  }

 private:
  fs::path PathOf(const std::string& name) const {
    std::string file;
    http::AppendHex(http::Sha256Of(table_ + "\n" + name), &file);
    return directory_ / (file.substr(0, 32) + ".json");
  }

  fs::path directory_;
  std::string table_;
};

Result<fs::path> StateDirectory() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state != '\0') return fs::path(state) / "dolmen";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".local/state/dolmen";
  return Status::Validation(
      "there is no directory for the checkpoint: set XDG_STATE_HOME or HOME to a directory");
}

}  // namespace

Result<std::unique_ptr<CheckpointStore>> CheckpointsOf(const Database& database,
                                                       const DatabaseWords& words,
                                                       const TableDescription& table) {
  if (!IsRemote(database)) {
    return std::unique_ptr<CheckpointStore>(std::make_unique<Annotations>(database, table));
  }
  DOLMEN_ASSIGN_OR_RETURN(fs::path directory, StateDirectory());
  // A table that was deleted and created again has no checkpoint.
  std::string name = words.name() + "\n" + words.endpoint.region + "\n" + words.endpoint.profile +
                     "\n" + table.name + "\n" + ToIso8601(table.created_at);
  return std::unique_ptr<CheckpointStore>(
      std::make_unique<Files>(std::move(directory), std::move(name)));
}

std::optional<std::string> TextIn(const Map& checkpoint, const char* name) {
  const auto* text = MemberOf<std::string>(checkpoint, name);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::int64_t> IntegerIn(const Map& checkpoint, const char* name) {
  const auto* number = MemberOf<Number>(checkpoint, name);
  return number == nullptr ? std::nullopt : number->ToInt64();
}

std::optional<std::uint64_t> UnsignedIn(const Map& checkpoint, const char* name) {
  const auto value = IntegerIn(checkpoint, name);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

}  // namespace dolmen::command
