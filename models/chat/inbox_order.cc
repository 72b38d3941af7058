// Inboxes that the table keeps sorted by activity.
//
// The index of the inbox (GSI2) contains participants, so its sort key and its preview are copies
// in each participant. This fan-out follows the stream of the table: after each change of a
// conversation it writes one item per participant. A send therefore stays three writes in groups of
// any size.

#include <utility>

#include "models/chat/chat.h"

namespace dolmen::chat {
namespace {

constexpr const char* kFanOut = "inboxes";

// Copies what an inbox shows of the conversation to each of its participants.
Status CopyToInboxes(const EntityTable& table, const Conversation& conversation) {
  auto pages = table.Query<Participant>()
                   .With<&Participant::id, &ParticipantId::conversation_id>(conversation.id)
                   .Pages();
  for (const EntityPage<Participant>& page : pages) {
    for (const Participant& reader : page.items) {
      Status copied =
          table.Update(reader).Set<&Participant::summary>(conversation.Summary()).Commit().status();
      const bool has_left = copied.code() == StatusCode::kResourceNotFound;
      if (!copied.ok() && !has_left) return copied;
    }
  }
  return pages.status();
}

Result<Subscription> Follow(const EntityTable& table, bool in_background) {
  return table.Subscribe<Conversation>({.name = kFanOut,
                                        .start = {.type = ShardIteratorType::kLatest},
                                        .in_background = in_background},
                                       [table](const EntityChange<Conversation>& change) {
                                         return change.after ? CopyToInboxes(table, *change.after)
                                                             : Status();
                                       });
}

// Copies all conversations, unless an earlier call has. A conversation can change meanwhile, so the
// position in the stream is stored first: the fan-out then copies these changes again.
Status CopyAll(const EntityTable& table) {
  const auto settings = table.Find(Settings{});
  if (!settings.ok()) return settings.status();
  if (*settings && (*settings)->order_by_activity) return {};
  const auto position = Follow(table, false);
  if (!position.ok()) return position.status();
  auto pages = table.Scan<Conversation>().Pages();
  for (const EntityPage<Conversation>& page : pages) {
    for (const Conversation& conversation : page.items) {
      if (Status copied = CopyToInboxes(table, conversation); !copied.ok()) return copied;
    }
  }
  if (!pages.status().ok()) return pages.status();
  return table.Put(Settings{.order_by_activity = true}).status();
}

}  // namespace

Result<Subscription> Chat::SortInboxes(bool in_background) {
  if (Status copied = CopyAll(table_); !copied.ok()) return copied;
  return Follow(table_, in_background);
}

Result<EntityPage<InboxEntry>> Chat::ListRecent(const std::string& user_id, std::string cursor,
                                                std::uint32_t limit) const {
  const auto page = table_.Query<Participant>("GSI2")
                        .With<&Participant::id, &ParticipantId::user_id>(user_id)
                        .Backward()
                        .Limit(limit)
                        .From(std::move(cursor))
                        .Page();
  if (!page.ok()) return page.status();
  return ToInbox(page->items).transform([&](std::vector<InboxEntry> entries) {
    return EntityPage<InboxEntry>{std::move(entries), page->next_cursor};
  });
}

Status Chat::StopSortingInboxes() {
  // The setting changes first: after an error a later SortInboxes then copies everything again.
  Status stopped = table_.Put(Settings{.order_by_activity = false}).status();
  if (stopped.ok()) stopped = table_.table().Unsubscribe(kFanOut);
  const bool is_repeated = stopped.code() == StatusCode::kResourceNotFound;
  if (!stopped.ok() && !is_repeated) return stopped;
  return table_.Migrate<Participant>([](Participant& reader) { reader.summary.reset(); }).status();
}

}  // namespace dolmen::chat
