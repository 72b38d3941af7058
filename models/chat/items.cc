#include "models/chat/items.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "models/chat/keys.h"

namespace dolmen::chat {
namespace {

// An enum's values as the table spells them.
template <typename Enum>
using Spelling = std::array<std::pair<Enum, std::string_view>, 2>;
constexpr Spelling<ConversationType> kTypes = {
    {{ConversationType::kDirect, "direct"}, {ConversationType::kGroup, "group"}}};
constexpr Spelling<Role> kRoles = {{{Role::kMember, "member"}, {Role::kAdmin, "admin"}}};

template <typename Enum>
std::string_view Spell(const Spelling<Enum>& spelling, Enum value) {
  return std::ranges::find(spelling, value, &std::pair<Enum, std::string_view>::first)->second;
}

// Reads the attributes of one item and remembers the first thing that is wrong with it, so that
// what reads an entity is a list of its attributes and one question at the end.
class ItemReader {
 public:
  // `entity` is a literal.
  ItemReader(std::string_view entity, ItemView item) : entity_(entity), item_(item) {}

  std::string Text(std::string_view name) {
    if (const auto text = item_[name].AsString()) return std::string(*text);
    return Fail(name, WhatIs(name, "S"));
  }

  // A stored NULL counts as absent.
  std::optional<std::string> OptionalText(std::string_view name) {
    if (!item_[name] || item_[name].IsNull()) return std::nullopt;
    return Text(name);
  }

  // What follows `prefix`.
  std::string Tail(std::string_view name, std::string_view prefix) {
    const std::string text = Text(name);
    if (text.starts_with(prefix)) return text.substr(prefix.size());
    return Fail(name, "does not begin with \"" + std::string(prefix) + "\"");
  }

  Timestamp Time(std::string_view name) { return ParseTime(name, Text(name)); }

  // The time at the head of a key that ActivitySort made.
  Timestamp ActivityTime(std::string_view name) {
    const std::string text = Text(name);
    return ParseTime(name, text.substr(0, text.find('#')));
  }

  std::uint32_t Count(std::string_view name) {
    const auto count = item_[name].AsInt64();
    if (count && *count >= 0 && *count <= std::numeric_limits<std::uint32_t>::max()) {
      return static_cast<std::uint32_t>(*count);
    }
    Fail(name, item_[name].AsNumber() ? "is not a count" : WhatIs(name, "N"));
    return 0;
  }

  template <typename Enum>
  Enum OneOf(std::string_view name, const Spelling<Enum>& spelling) {
    const std::string text = Text(name);
    for (const auto& [value, spelt] : spelling) {
      if (text == spelt) return value;
    }
    Fail(name, "has the unknown value \"" + text + "\"");
    return {};
  }

  std::optional<MessagePreview> Preview() {
    if (!item_["lastMessageAt"]) return std::nullopt;
    return MessagePreview{.body = Text("lastMessageBody"),
                          .sender_id = Text("lastMessageSender"),
                          .at = Time("lastMessageAt")};
  }

  // The entity, if nothing was wrong.
  template <typename Entity>
  Result<Entity> Finish(Entity entity) const {
    if (!status_.ok()) return status_;
    return entity;
  }

 private:
  std::string Fail(std::string_view name, const std::string& problem) {
    if (status_.ok()) {
      status_ = Status::Corruption(std::string(entity_) + " " + item_["PK"].ToString() + " " +
                                   item_["SK"].ToString() + ": attribute " + std::string(name) +
                                   " " + problem);
    }
    return {};
  }

  // What is wrong with an attribute that is no `type`.
  std::string WhatIs(std::string_view name, const std::string& type) const {
    if (!item_[name]) return "is missing";
    return "has type " + std::string(AttributeTypeName(item_[name].type())) + ", not " + type;
  }

  Timestamp ParseTime(std::string_view name, std::string_view text) {
    const Result<Timestamp> time = ParseIso8601(text);
    if (time.ok()) return *time;
    Fail(name, "is not a time: \"" + std::string(text) + "\"");
    return {};
  }

  std::string_view entity_;
  ItemView item_;
  Status status_;
};

void AddPreview(const std::optional<MessagePreview>& preview, Item* item) {
  if (!preview) return;
  (*item)["lastMessageBody"] = preview->body;
  (*item)["lastMessageSender"] = preview->sender_id;
  (*item)["lastMessageAt"] = TimeText(preview->at);
}

}  // namespace

Item ToItem(const Conversation& conversation) {
  Item item = ConversationKey(conversation.id);
  if (conversation.name) item["name"] = *conversation.name;
  item["type"] = Spell(kTypes, conversation.type);
  item["participantCount"] = conversation.participant_count;
  item["createdAt"] = TimeText(conversation.created_at);
  item["updatedAt"] = TimeText(conversation.updated_at);
  AddPreview(conversation.last_message, &item);
  return item;
}

Item ToItem(const Participant& participant) {
  Item item = ParticipantKey(participant.id);
  item["GSI1PK"] = UserPartition(participant.id.user_id);
  item["GSI1SK"] = ConversationPartition(participant.id.conversation_id);
  item["role"] = Spell(kRoles, participant.role);
  item["joinedAt"] = TimeText(participant.joined_at);
  item["lastReadAt"] = TimeText(participant.last_read_at);
  return item;
}

Item ToItem(const Message& message) {
  Item item = MessageKey(message.id);
  item["senderId"] = message.sender_id;
  item["body"] = message.body;
  item["type"] = message.type;
  item["createdAt"] = TimeText(message.created_at);
  return item;
}

Result<Conversation> ConversationFrom(ItemView item) {
  ItemReader read("Conversation", item);
  return read.Finish(Conversation{.id = read.Tail("PK", kConversationPrefix),
                                  .name = read.OptionalText("name"),
                                  .type = read.OneOf("type", kTypes),
                                  .last_message = read.Preview(),
                                  .participant_count = read.Count("participantCount"),
                                  .created_at = read.Time("createdAt"),
                                  .updated_at = read.Time("updatedAt")});
}

Result<Participant> ParticipantFrom(ItemView item) {
  ItemReader read("Participant", item);
  return read.Finish(Participant{.id = {.conversation_id = read.Tail("PK", kConversationPrefix),
                                        .user_id = read.Tail("SK", kParticipantPrefix)},
                                 .role = read.OneOf("role", kRoles),
                                 .joined_at = read.Time("joinedAt"),
                                 .last_read_at = read.Time("lastReadAt")});
}

Result<Message> MessageFrom(ItemView item) {
  ItemReader read("Message", item);
  return read.Finish(Message{.id = {.conversation_id = read.Tail("PK", kConversationPrefix),
                                    .ulid = read.Tail("SK", kMessagePrefix)},
                             .sender_id = read.Text("senderId"),
                             .body = read.Text("body"),
                             .type = read.Text("type"),
                             .created_at = read.Time("createdAt")});
}

void AddInboxAttributes(const Conversation& conversation, Item* participant_item) {
  Item& item = *participant_item;
  AttributeValue user = item["GSI1PK"];  // a copy: the next line moves what is in the map
  item["GSI2PK"] = std::move(user);
  item["GSI2SK"] = ActivitySort(conversation.LastActivity(), conversation.id);
  if (conversation.name) item["conversationName"] = *conversation.name;
  item["conversationType"] = Spell(kTypes, conversation.type);
  AddPreview(conversation.last_message, &item);
}

Result<InboxEntry> InboxEntryFrom(ItemView participant_item) {
  ItemReader read("Participant", participant_item);
  return read.Finish(InboxEntry{.conversation_id = read.Tail("PK", kConversationPrefix),
                                .name = read.OptionalText("conversationName"),
                                .type = read.OneOf("conversationType", kTypes),
                                .last_message = read.Preview(),
                                .last_activity = read.ActivityTime("GSI2SK"),
                                .role = read.OneOf("role", kRoles),
                                .last_read_at = read.Time("lastReadAt")});
}

}  // namespace dolmen::chat
