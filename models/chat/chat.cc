#include "models/chat/chat.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <tuple>
#include <utility>

#include "dolmen/condition_builder.h"
#include "models/chat/errors.h"
#include "models/chat/items.h"
#include "models/chat/keys.h"
#include "models/chat/pages.h"

namespace dolmen::chat {
namespace {

constexpr std::string_view kTableName = "chat";
constexpr std::string_view kGreatestUlid = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

// Of a message that is inserted it has all.
StreamSpecification MessageFeed() { return {.view_type = StreamViewType::kNewImage}; }

// For a chat that was made without.
Status AddMessageFeed(const Database& database) {
  const Result<TableDescription> table = database.DescribeTable(kTableName);
  if (!table.ok()) return table.status();
  if (table->stream_specification) {
    const auto view_type = table->stream_specification->view_type;
    if (view_type == StreamViewType::kNewImage || view_type == StreamViewType::kNewAndOldImages) {
      return {};
    }
    return Status::Validation("The stream of the chat's table has no new images: no messages");
  }
  UpdateTableInput input;
  input.name = kTableName;
  input.stream_specification = MessageFeed();
  return database.UpdateTable(input).status();
}

Result<Table> MakeOrOpenTable(const Database& database, const ChatOptions& options) {
  CreateTableInput input;
  input.name = kTableName;
  input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1"),
                                    GlobalSecondaryIndex::Overloaded("GSI2")};
  if (options.message_feed) input.stream_specification = MessageFeed();
  Result<Table> made = database.CreateTable(input);
  if (made.status().code() != StatusCode::kResourceInUse) return made;
  if (options.message_feed) {
    if (Status status = AddMessageFeed(database); !status.ok()) return status;
  }
  return database.OpenTable(kTableName);
}

// What an inbox is made of is kept as an item, so that a chat never runs with another option than
// it was made with: its items would lack what that promises.
Status KeepOptions(const Table& table, const ChatOptions& options) {
  Item settings = SettingsKey();
  settings["orderByActivity"] = options.order_by_activity;
  const Status status = table
                            .PutItem({.item = std::move(settings),
                                      .condition = AttributeNotExists("PK"),
                                      .return_item_on_condition_failure = true})
                            .status();
  if (status.code() != StatusCode::kConditionalCheckFailed) return status;
  if (status.item()->view()["orderByActivity"].AsBool() == options.order_by_activity) return {};
  return Status::Validation(options.order_by_activity
                                ? "this chat was made without order_by_activity"
                                : "this chat was made with order_by_activity");
}

template <typename Entity>
Result<Entity> Get(const Table& table, Item key, Result<Entity> (*read)(ItemView),
                   const Status& missing) {
  const Result<GetItemOutput> output = table.GetItem({.key = std::move(key)});
  if (!output.ok()) return output.status();
  if (!output->item) return missing;
  return read(output->item->view());
}

// Appends the page's items to `*entities`.
template <typename Entity>
Status ReadAll(const QueryOutput& page, Result<Entity> (*read)(ItemView),
               std::vector<Entity>* entities) {
  for (const ItemView item : page) {
    Result<Entity> entity = read(item);
    if (!entity.ok()) return entity.status();
    entities->push_back(*std::move(entity));
  }
  return {};
}

// Everything in the query's range; the first `limit` of it, if the query has one.
template <typename Entity>
Result<std::vector<Entity>> QueryAll(const Table& table, QueryInput input,
                                     Result<Entity> (*read)(ItemView)) {
  const std::size_t count_max = input.limit.value_or(std::numeric_limits<std::uint32_t>::max());
  std::vector<Entity> entities;
  Pages pages(table, std::move(input));
  while (entities.size() < count_max && pages.Next()) {
    if (Status status = ReadAll(pages.page(), read, &entities); !status.ok()) return status;
  }
  if (!pages.status().ok()) return pages.status();
  if (entities.size() > count_max) entities.resize(count_max);
  return entities;
}

// The line of the inbox that a participant and its conversation make together.
InboxEntry Combine(const Participant& participant, const Conversation& conversation) {
  return {.conversation_id = conversation.id,
          .name = conversation.name,
          .type = conversation.type,
          .last_message = conversation.last_message,
          .last_activity = conversation.LastActivity(),
          .role = participant.role,
          .last_read_at = participant.last_read_at};
}

// GSI2, read backwards, has the same order.
void SortByActivity(std::vector<InboxEntry>* entries) {
  std::ranges::sort(*entries, [](const InboxEntry& a, const InboxEntry& b) {
    return std::tie(a.last_activity, a.conversation_id) >
           std::tie(b.last_activity, b.conversation_id);
  });
}

}  // namespace

Chat::Chat(Database database, Table table, const ChatOptions& options)
    : database_(std::move(database)),
      table_(std::move(table)),
      options_(options),
      ulids_(std::make_unique<UlidGenerator>(database_.clock())) {}

Result<Chat> Chat::Open(const Database& database, const ChatOptions& options) {
  Result<Table> table = MakeOrOpenTable(database, options);
  if (!table.ok()) return table.status();
  if (Status status = KeepOptions(*table, options); !status.ok()) return status;
  return Chat(database, *std::move(table), options);
}

Result<Conversation> Chat::GetConversation(const std::string& conversation_id) const {
  return Get(table_, ConversationKey(conversation_id), ConversationFrom,
             NoConversation(conversation_id));
}

Result<std::vector<InboxEntry>> Chat::ListConversations(const std::string& user_id,
                                                        std::optional<std::uint32_t> limit) const {
  if (options_.order_by_activity) {
    return QueryAll(
        table_,
        {.index = "GSI2", .partition = UserPartition(user_id), .forward = false, .limit = limit},
        InboxEntryFrom);
  }
  const auto memberships =
      QueryAll(table_, {.index = "GSI1", .partition = UserPartition(user_id)}, ParticipantFrom);
  if (!memberships.ok()) return memberships.status();
  std::vector<InboxEntry> entries;
  for (const Participant& participant : *memberships) {
    const Result<Conversation> conversation = GetConversation(participant.id.conversation_id);
    if (!conversation.ok()) return conversation.status();
    entries.push_back(Combine(participant, *conversation));
  }
  SortByActivity(&entries);
  if (limit && entries.size() > *limit) entries.resize(*limit);
  return entries;
}

Result<std::vector<Participant>> Chat::ListParticipants(const std::string& conversation_id) const {
  return QueryAll(
      table_,
      {.partition = ConversationPartition(conversation_id), .sort = BeginsWith(kParticipantPrefix)},
      ParticipantFrom);
}

Result<MessagePage> Chat::ListMessages(const MessageQuery& query) const {
  QueryInput input = {.partition = ConversationPartition(query.conversation_id),
                      .sort = BeginsWith(kMessagePrefix),
                      .forward = false,
                      .limit = query.limit};
  if (!query.cursor.empty()) {
    input.exclusive_start_key =
        MessageKey({.conversation_id = query.conversation_id, .ulid = query.cursor});
  }
  const Result<QueryOutput> output = table_.Query(input);
  if (!output.ok()) return output.status();

  MessagePage page;
  if (Status status = ReadAll(*output, MessageFrom, &page.messages); !status.ok()) return status;
  if (!output->last_evaluated_key().empty()) page.next_cursor = page.messages.back().id.ulid;
  return page;
}

Result<Message> Chat::GetMessage(const MessageId& id) const {
  return Get(table_, MessageKey(id), MessageFrom, NoMessage(id));
}

Result<Participant> Chat::GetParticipant(const ParticipantId& id) const {
  return Get(table_, ParticipantKey(id), ParticipantFrom, NotAParticipant(id));
}

Result<std::uint64_t> Chat::CountUnread(const ParticipantId& id, UnreadMethod method) const {
  const Result<Participant> participant = GetParticipant(id);
  if (!participant.ok()) return participant.status();

  QueryInput input = {.partition = ConversationPartition(id.conversation_id),
                      .select = Select::kCount};
  if (method == UnreadMethod::kKeyRange) {
    // The range has an upper end because PARTICIPANT# sorts behind MSG# in the same partition.
    const Timestamp first_unread = participant->last_read_at + std::chrono::milliseconds(1);
    input.sort = Between(MessageSort(LowestUlid(first_unread)), MessageSort(kGreatestUlid));
  } else {
    input.sort = BeginsWith(kMessagePrefix);
    input.filter = Attr("createdAt") > TimeText(participant->last_read_at);
  }
  std::uint64_t count = 0;
  Pages pages(table_, std::move(input));
  while (pages.Next()) count += pages.page().count();
  if (!pages.status().ok()) return pages.status();
  return count;
}

}  // namespace dolmen::chat
