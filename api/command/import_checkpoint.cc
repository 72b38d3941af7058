#include "command/import_checkpoint.h"

#include "command/checkpoint_store.h"

namespace dolmen::command {
namespace {

constexpr const char* kFile = "file";
constexpr const char* kLines = "lines";
constexpr const char* kBytes = "bytes";
constexpr const char* kHash = "hash";
constexpr const char* kItems = "items";
constexpr const char* kSkipped = "skipped";

}  // namespace

Map ToMap(const ImportCheckpoint& checkpoint) {
  return {{kFile, checkpoint.place.file},
          {kLines, checkpoint.place.position.lines},
          {kBytes, checkpoint.place.position.bytes},
          {kHash, static_cast<std::int64_t>(checkpoint.place.position.hash)},
          {kItems, checkpoint.items},
          {kSkipped, checkpoint.skipped}};
}

std::optional<ImportCheckpoint> ImportCheckpointIn(const std::string& inputs, const Map& map) {
  const auto file = UnsignedIn(map, kFile);
  const auto lines = UnsignedIn(map, kLines);
  const auto bytes = UnsignedIn(map, kBytes);
  const auto hash = IntegerIn(map, kHash);
  const auto items = UnsignedIn(map, kItems);
  const auto skipped = UnsignedIn(map, kSkipped);
  if (!file || !lines || !bytes || !hash || !items || !skipped) return std::nullopt;
  return ImportCheckpoint{.inputs = inputs,
                          .place = {.file = static_cast<std::size_t>(*file),
                                    .position = {.lines = *lines,
                                                 .bytes = *bytes,
                                                 .hash = static_cast<std::uint64_t>(*hash)}},
                          .items = *items,
                          .skipped = *skipped};
}

}  // namespace dolmen::command
