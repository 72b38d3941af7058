// A user's conversations, and the messages that the user has not read.
//
// SortInboxes lets the table keep the inboxes sorted by activity. The index of a sorted inbox (GSI2)
// contains participants, so its sort key and its preview are copies in each participant. A fan-out
// follows the stream of the table: after each change of a conversation it writes one item per
// participant. A send therefore stays three writes in groups of any size.

#include <map>
#include <tuple>

#include "models/chat/chat.h"

namespace dolmen::chat {
namespace {

constexpr const char* kFanOut = "inboxes";

// Copies what an inbox shows of the conversation to each of its participants.
Status CopyToInboxes(const EntityTable& table, const Conversation& conversation) {
  return table.Query<Participant>()
      .With<&Participant::id, &ParticipantId::conversation_id>(conversation.id)
      .ForEach([&](const Participant& reader) {
        return table.Update(reader)
            .Set<&Participant::summary>(conversation.Summary())
            .CommitIgnoring(StatusCode::kResourceNotFound);  // the participant has left meanwhile
      });
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
  return table.Find(Settings{}).and_then([&](const std::optional<Settings>& settings) -> Status {
    if (settings && settings->order_by_activity) return {};
    const auto copy = [&](const Conversation& one) { return CopyToInboxes(table, one); };
    return Follow(table, false)
        .status()
        .and_then([&] { return table.Scan<Conversation>().ForEach(copy); })
        .and_then([&] { return table.Put(Settings{.order_by_activity = true}).status(); });
  });
}

}  // namespace

Result<std::vector<InboxEntry>> Chat::ListConversations(const std::string& user_id,
                                                        std::size_t limit) const {
  const auto found = table_.Query<Participant>("GSI1")
                         .With<&Participant::id, &ParticipantId::user_id>(user_id)
                         .All();
  if (!found.ok()) return found.status();
  std::vector<Conversation> keys;
  std::map<std::string, Participant> readers;
  for (const Participant& reader : *found) {
    readers[keys.emplace_back(Conversation{.id = reader.id.conversation_id}).id] = reader;
  }
  return table_.BatchGet(keys).and_then([&](const std::vector<Conversation>& conversations) {
    std::vector<Participant> inbox;
    for (const Conversation& conversation : conversations) {
      inbox.emplace_back(readers[conversation.id]).summary = conversation.Summary();
    }
    // The order of the index of ListRecent, read backwards.
    std::ranges::sort(inbox, std::greater(), [](const Participant& reader) {
      return std::tie(reader.summary->last_activity, reader.id.conversation_id);
    });
    inbox.resize(std::min(inbox.size(), limit));
    return ToInbox(inbox);
  });
}

Result<std::vector<InboxEntry>> Chat::ToInbox(const std::vector<Participant>& readers) const {
  std::vector<InboxEntry> entries;
  for (const Participant& reader : readers) {
    InboxEntry& entry = entries.emplace_back(InboxEntry{reader, *reader.summary});
    const auto& last = entry.conversation.last_message;
    if (!last || last->at <= reader.last_read_at) continue;
    const Result<std::uint64_t> unread = CountUnread(reader);
    if (!unread.ok()) return unread.status();
    entry.unread = *unread;
  }
  return entries;
}

Result<std::uint64_t> Chat::CountUnread(const Participant& reader, std::uint32_t limit,
                                        UnreadMethod method) const {
  auto messages = UnreadBy(reader);
  if (method == UnreadMethod::kFilter) {
    messages = MessagesOf(reader.id.conversation_id)
                   .Where(AttrOf<&Message::created_at>() > reader.last_read_at);
  }
  return messages.Project<&Message::id, &MessageId::ulid>().Limit(limit).All().transform(
      [](const std::vector<Message>& unread) { return std::uint64_t{unread.size()}; });
}

Result<Subscription> Chat::SortInboxes(bool in_background) {
  return CopyAll(table_).and_then([&] { return Follow(table_, in_background); });
}

Result<EntityPage<InboxEntry>> Chat::ListRecent(const std::string& user_id,
                                                const PageInput& page) const {
  const auto readers = table_.Query<Participant>("GSI2")
                           .With<&Participant::id, &ParticipantId::user_id>(user_id)
                           .Backward()
                           .Page(page);
  if (!readers.ok()) return readers.status();
  return ToInbox(readers->items).transform([&](const std::vector<InboxEntry>& entries) {
    return EntityPage<InboxEntry>{entries, readers->next_cursor};
  });
}

Status Chat::StopSortingInboxes() {
  // The setting changes first: after an error a later SortInboxes then copies everything again.
  const auto forget = [](Participant& reader) { reader.summary.reset(); };
  return table_.Put(Settings{.order_by_activity = false})
      .status()
      .and_then([&] { return table_.table().Unsubscribe(kFanOut); })
      .Ignoring(StatusCode::kResourceNotFound)  // the call is repeated
      .and_then([&] { return table_.Migrate<Participant>(forget).status(); });
}

}  // namespace dolmen::chat
