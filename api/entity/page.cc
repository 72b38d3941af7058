#include "dolmen/entity/page.h"

#include "engine/base/status_macros.h"
#include "entity/cursor.h"

namespace dolmen::entity {
namespace {

// Appends the item as the entity at a position in the query. On an error appends nothing.
Status AppendItem(const EntitySpec& entity, std::size_t position, ItemView item, AnyPage* page) {
  void* value = page->Append(position);
  Status read = DecodeItem(entity, item, value);
  if (read.ok()) {
    HideMembers(entity, value);
  } else {
    page->PopBack();
  }
  return read;
}

}  // namespace

Status ReadPage(const EntityMatcher& matcher, const QueryOutput& output, AnyPage* page) {
  for (const ItemView item : output) {
    Result<std::optional<std::size_t>> found = matcher.Guess(item);
    Status read;
    if (found.ok() && *found) {
      read = AppendItem(*matcher.entities()[**found], **found, item, page);
      if (!read.ok()) found = matcher.Find(item);
    }
    if (!found.ok()) return found.status();
    if (!*found) {
      ++page->skipped();
    } else if (!read.ok()) {
      page->damaged().push_back(std::move(read));
    }
  }
  page->next_cursor() = EncodeCursor(output.last_evaluated_key());
  return {};
}

Result<bool> ReadWholePage(const EntityMatcher& matcher, const QueryOutput& output,
                           std::optional<std::uint32_t> limit, AnyPage* page) {
  DOLMEN_RETURN_IF_ERROR(ReadPage(matcher, output, page));
  if (!page->damaged().empty()) return page->damaged().front();
  return !limit || page->size() < *limit;
}

void DropAfter(std::optional<std::uint32_t> limit, AnyPage* page) {
  while (limit && page->size() > *limit) page->PopBack();
}

}  // namespace dolmen::entity
