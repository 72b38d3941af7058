#include "command/copy_place.h"

#include "command/output_file.h"

namespace dolmen::command {
namespace {

bool IsUrl(const std::string& text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

CopyPlace PlaceOf(const std::string& text, CopyPlace::Kind path_kind) {
  CopyPlace place{.kind = IsUrl(text) ? CopyPlace::Kind::kService : path_kind, .text = text};
  if (place.kind == CopyPlace::Kind::kService) place.database.endpoint.url = text;
  if (place.kind == CopyPlace::Kind::kDatabase) place.database.path = text;
  return place;
}

}  // namespace

CopyPlace CopySource(const std::string& text) {
  return PlaceOf(text, IsDatabase(text) ? CopyPlace::Kind::kDatabase : CopyPlace::Kind::kExport);
}

CopyPlace CopyTarget(const std::string& text) {
  const bool is_output = text == kStandardOutput || text.ends_with('/') ||
                         text.ends_with(".json") || text.ends_with(".json.gz");
  return PlaceOf(text, is_output ? CopyPlace::Kind::kExport : CopyPlace::Kind::kDatabase);
}

}  // namespace dolmen::command
