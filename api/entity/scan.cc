#include "dolmen/entity/scan.h"

#include <functional>

#include "engine/base/status_macros.h"
#include "entity/cursor.h"

namespace dolmen::entity {
namespace {

// Reads pages from `cursor` and passes each to `visit`, until `visit` returns false.
Status Scan(const RequestSender& sender, const EntityMatcher& matcher, ScanInput input,
            const std::string& cursor,
            const std::function<Result<bool>(const ScanOutput&)>& visit) {
  input.exact_end = true;
  DOLMEN_RETURN_IF_ERROR(SetScanStart(*matcher.entities().front(), cursor, &input));
  return sender.ScanPages(std::move(input), visit);
}

}  // namespace

Status SetScanStart(const EntitySpec& entity, const std::string& cursor, ScanInput* input) {
  const KeySpec* key = entity.FindKey(input->index);
  if (key == nullptr) {
    return Status::Validation(std::string(entity.name) + " has no key in " + input->index);
  }
  if (cursor.empty()) return {};
  DOLMEN_ASSIGN_OR_RETURN(input->exclusive_start_key, DecodeCursor(cursor, entity.primary(), *key));
  return {};
}

Status ScanPage(const RequestSender& sender, const EntityMatcher& matcher, ScanInput input,
                const std::string& cursor, AnyPage* page) {
  const auto read_page = [&](const ScanOutput& output) -> Result<bool> {
    DOLMEN_RETURN_IF_ERROR(ReadPage(matcher, output, page));
    return false;
  };
  return Scan(sender, matcher, std::move(input), cursor, read_page);
}

Status ScanAll(const RequestSender& sender, const EntityMatcher& matcher, ScanInput input,
               const std::string& cursor, AnyPage* page) {
  const std::optional<std::uint32_t> limit = input.limit;
  const auto read_page = [&](const ScanOutput& output) {
    return ReadWholePage(matcher, output, limit, page);
  };
  DOLMEN_RETURN_IF_ERROR(Scan(sender, matcher, std::move(input), cursor, read_page));
  DropAfter(limit, page);
  return {};
}

}  // namespace dolmen::entity
