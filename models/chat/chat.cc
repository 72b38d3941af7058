#include "models/chat/chat.h"

#include <dolmen/clock.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace dolmen::chat {
namespace {

constexpr const char* kTableName = "chat";

// Returns the specification of a stream of new images. The new image of an inserted message holds
// the whole message, so the stream needs no old images.
StreamSpecification MessageFeed() { return {.view_type = StreamViewType::kNewImage}; }

Status KeepOptions(const EntityTable& table, const ChatOptions& options) {
  Status made = table.Create(Settings{.order_by_activity = options.order_by_activity}).status();
  if (made.code() != StatusCode::kResourceInUse) return made;
  const Result<Settings> kept = table.Get(Settings{});
  if (!kept.ok()) return kept.status();
  if (kept->order_by_activity == options.order_by_activity) return {};
  return Status::Validation(options.order_by_activity
                                ? "this chat has no order_by_activity: open it without the option"
                                : "this chat has order_by_activity: open it with the option");
}

InboxEntry ToEntry(const Participant& participant, const ConversationSummary& conversation) {
  return {.conversation_id = participant.id.conversation_id,
          .name = conversation.name,
          .type = conversation.type,
          .last_message = conversation.last_message,
          .last_activity = conversation.last_activity,
          .role = participant.role,
          .last_read_at = participant.last_read_at};
}

Status Misses(const Participant& participant, const std::string& what) {
  return Status::Corruption("participant " + participant.id.user_id + " of conversation " +
                            participant.id.conversation_id + " has no " + what);
}

// Sorts the latest activity first, as GSI2 does when it is read backwards.
void SortByActivity(std::vector<InboxEntry>* entries) {
  std::ranges::sort(*entries, [](const InboxEntry& a, const InboxEntry& b) {
    return std::tie(a.last_activity, a.conversation_id) >
           std::tie(b.last_activity, b.conversation_id);
  });
}

}  // namespace

Result<Chat> Chat::Open(const Database& database, const ChatOptions& options) {
  EntityTableInput input = {
      .name = kTableName, .indexes = {"GSI1", "GSI2"}, .observer = options.observer};
  if (options.message_feed) input.stream_specification = MessageFeed();
  Result<EntityTable> table = EntityTable::Open(database, input);
  if (!table.ok()) return table.status();
  if (Status status = KeepOptions(*table, options); !status.ok()) return status;
  return Chat(*std::move(table), options);
}

Result<Conversation> Chat::GetConversation(const std::string& conversation_id) const {
  return table_.Get(Conversation{.id = conversation_id});
}

Result<std::vector<InboxEntry>> Chat::ListConversations(const std::string& user_id,
                                                        std::optional<std::uint32_t> limit) const {
  if (limit == 0) return std::vector<InboxEntry>();
  if (order_by_activity_) return ListByActivity(user_id, limit);
  const auto memberships = table_.Query<Participant>("GSI1")
                               .With<&Participant::id, &ParticipantId::user_id>(user_id)
                               .All();
  if (!memberships.ok()) return memberships.status();
  std::vector<Conversation> keys;
  for (const Participant& participant : *memberships) {
    keys.push_back({.id = participant.id.conversation_id});
  }
  const auto conversations = table_.BatchGet(keys);
  if (!conversations.ok()) return conversations.status();

  std::unordered_map<std::string_view, const Conversation*> by_id;
  for (const Conversation& conversation : *conversations) by_id[conversation.id] = &conversation;
  std::vector<InboxEntry> entries;
  for (const Participant& participant : *memberships) {
    const auto found = by_id.find(participant.id.conversation_id);
    if (found == by_id.end()) return Misses(participant, "conversation");
    entries.push_back(ToEntry(participant, found->second->Summary()));
  }
  SortByActivity(&entries);
  if (limit && entries.size() > *limit) entries.resize(*limit);
  return entries;
}

Result<std::vector<InboxEntry>> Chat::ListByActivity(const std::string& user_id,
                                                     std::optional<std::uint32_t> limit) const {
  auto query = table_.Query<Participant>("GSI2");
  query.With<&Participant::id, &ParticipantId::user_id>(user_id).Backward();
  if (limit) query.Limit(*limit);
  const auto memberships = query.All();
  if (!memberships.ok()) return memberships.status();
  std::vector<InboxEntry> entries;
  for (const Participant& participant : *memberships) {
    if (!participant.summary) return Misses(participant, "summary");
    entries.push_back(ToEntry(participant, *participant.summary));
  }
  return entries;
}

Result<std::vector<Participant>> Chat::ListParticipants(const std::string& conversation_id) const {
  return table_.Query<Participant>()
      .With<&Participant::id, &ParticipantId::conversation_id>(conversation_id)
      .All();
}

Result<MessagePage> Chat::ListMessages(const MessageQuery& query) const {
  auto page = table_.Query<Message>()
                  .With<&Message::id, &MessageId::conversation_id>(query.conversation_id)
                  .Backward()
                  .Limit(query.limit)
                  .From(query.cursor)
                  .Page();
  if (!page.ok()) return page.status();
  if (!page->damaged.empty()) return page->damaged.front();
  return MessagePage{.messages = std::move(page->items),
                     .next_cursor = std::move(page->next_cursor)};
}

Result<Message> Chat::GetMessage(const MessageId& id) const {
  return table_.Get(Message{.id = id});
}

Result<std::uint64_t> Chat::CountUnread(const ParticipantId& id, UnreadMethod method) const {
  const Result<Participant> participant = table_.Get(Participant{.id = id});
  if (!participant.ok()) return participant.status();

  auto messages = table_.Query<Message>();
  messages.With<&Message::id, &MessageId::conversation_id>(id.conversation_id);
  if (method == UnreadMethod::kKeyRange) {
    const Timestamp first_unread = participant->last_read_at + std::chrono::milliseconds(1);
    messages.AtLeast<&Message::id, &MessageId::ulid>(LowestUlid(first_unread));
  } else {
    messages.Where(AttrOf<&Message::created_at>() > participant->last_read_at);
  }
  return messages.Count();
}

}  // namespace dolmen::chat
