// A user's conversations, and the messages that the user has not read.

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include "models/chat/chat.h"

namespace dolmen::chat {
namespace {

// The participants sort after the messages in the partition. A range of one part of the key
// therefore ends where MSG# ends.
EntityQuery<Message> UnreadBy(const EntityTable& table, const Participant& reader) {
  auto query = table.Query<Message>();
  query.With<&Message::id, &MessageId::conversation_id>(reader.id.conversation_id);
  return query.AtLeast<&Message::id, &MessageId::ulid>(
      LowestUlid(reader.last_read_at + std::chrono::milliseconds(1)));
}

// Compares as the index of ListRecent does, read backwards.
bool IsMoreRecent(const Participant& a, const Participant& b) {
  return std::tie(a.summary->last_activity, a.id.conversation_id) >
         std::tie(b.summary->last_activity, b.id.conversation_id);
}

}  // namespace

Result<std::vector<InboxEntry>> Chat::ListConversations(const std::string& user_id,
                                                        std::size_t limit) const {
  const auto found = table_.Query<Participant>("GSI1")
                         .With<&Participant::id, &ParticipantId::user_id>(user_id)
                         .All();
  if (!found.ok()) return found.status();
  std::vector<Conversation> keys;
  std::map<std::string, Participant> by_conversation;
  for (const Participant& reader : *found) {
    by_conversation[keys.emplace_back(Conversation{.id = reader.id.conversation_id}).id] = reader;
  }
  return table_.BatchGet(keys).and_then([&](const std::vector<Conversation>& conversations) {
    std::vector<Participant> readers;
    for (const Conversation& conversation : conversations) {
      readers.push_back(by_conversation[conversation.id]);
      readers.back().summary = conversation.Summary();
    }
    std::ranges::sort(readers, IsMoreRecent);
    readers.resize(std::min(readers.size(), limit));
    return ToInbox(readers);
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
  auto messages = UnreadBy(table_, reader);
  if (method == UnreadMethod::kFilter) {
    messages = table_.Query<Message>();
    messages.With<&Message::id, &MessageId::conversation_id>(reader.id.conversation_id)
        .Where(AttrOf<&Message::created_at>() > reader.last_read_at);
  }
  return messages.Project<&Message::id, &MessageId::ulid>().Limit(limit).All().transform(
      [](const std::vector<Message>& unread) { return std::uint64_t{unread.size()}; });
}

Result<std::uint64_t> Chat::CountUnread(const ParticipantId& id, std::uint32_t limit) const {
  return GetParticipant(id).and_then(
      [&](const Participant& reader) { return CountUnread(reader, limit); });
}

Result<std::optional<Message>> Chat::FirstUnread(const ParticipantId& id) const {
  return GetParticipant(id).and_then(
      [&](const Participant& reader) { return UnreadBy(table_, reader).First(); });
}

}  // namespace dolmen::chat
