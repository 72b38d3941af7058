// The entities of a chat and how each is stored. README.md has the table of keys.

#pragma once

#include <dolmen/entity.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen::chat {

enum class ConversationType : std::uint8_t { kDirect, kGroup };

constexpr auto Spellings(ConversationType) {
  return std::to_array<Spelling<ConversationType>>(
      {{ConversationType::kDirect, "direct"}, {ConversationType::kGroup, "group"}});
}

enum class Role : std::uint8_t { kMember, kAdmin };

constexpr auto Spellings(Role) {
  return std::to_array<Spelling<Role>>({{Role::kMember, "member"}, {Role::kAdmin, "admin"}});
}

// The part of a conversation's last message that a list of conversations shows.
struct MessagePreview {
  std::string body = {};
  std::string sender_id = {};
  Timestamp at = {};

  friend bool operator==(const MessagePreview&, const MessagePreview&) = default;
};

// The part of a conversation that a user's list of conversations shows.
struct ConversationSummary {
  std::optional<std::string> name = {};
  ConversationType type = ConversationType::kGroup;
  std::optional<MessagePreview> last_message = {};
  Timestamp last_activity = {};  // Conversation::LastActivity()

  friend bool operator==(const ConversationSummary&, const ConversationSummary&) = default;
};

struct Conversation {
  std::string id = {};
  std::optional<std::string> name = {};
  ConversationType type = ConversationType::kGroup;
  std::optional<MessagePreview> last_message = {};  // nothing before the first message
  std::uint32_t participant_count = 0;
  Timestamp created_at = {};
  Timestamp updated_at = {};

  // Returns the time of the last message, or of the creation if there is no message.
  Timestamp LastActivity() const { return last_message ? last_message->at : created_at; }

  ConversationSummary Summary() const {
    return {
        .name = name, .type = type, .last_message = last_message, .last_activity = LastActivity()};
  }

  friend bool operator==(const Conversation&, const Conversation&) = default;
};

constexpr auto DescribeEntity(const Conversation*) {
  using C = Conversation;
  return DefineEntity<C>(
      "conversation",
      {Attribute<&C::id>("conversationId").InKeyOnly(), Attribute<&C::name>("name"),
       Attribute<&C::type>("type"),
       Attribute<&C::last_message, &MessagePreview::body>("lastMessageBody"),
       Attribute<&C::last_message, &MessagePreview::sender_id>("lastMessageSender"),
       Attribute<&C::last_message, &MessagePreview::at>("lastMessageAt"),
       Attribute<&C::participant_count>("participantCount"),
       Attribute<&C::created_at>("createdAt").ReadOnly(), Attribute<&C::updated_at>("updatedAt")},
      {PrimaryKey("CONVO#{conversationId}", "#METADATA")});
}

struct ParticipantId {
  std::string conversation_id = {};
  std::string user_id = {};

  friend bool operator==(const ParticipantId&, const ParticipantId&) = default;
};

struct Participant {
  ParticipantId id = {};
  Role role = Role::kMember;
  Timestamp joined_at = {};
  Timestamp last_read_at = {};  // messages up to and including this millisecond count as read
  std::optional<ConversationSummary> summary = {};  // set with ChatOptions::order_by_activity

  friend bool operator==(const Participant&, const Participant&) = default;
};

// GSI2 holds exactly the participants that have a summary.
constexpr auto DescribeEntity(const Participant*) {
  using P = Participant;
  using Summary = ConversationSummary;
  return DefineEntity<P>(
      "participant",
      {Attribute<&P::id, &ParticipantId::conversation_id>("conversationId").InKeyOnly(),
       Attribute<&P::id, &ParticipantId::user_id>("userId").InKeyOnly(),
       Attribute<&P::role>("role"), Attribute<&P::joined_at>("joinedAt").ReadOnly(),
       Attribute<&P::last_read_at>("lastReadAt"),
       Attribute<&P::summary, &Summary::name>("conversationName"),
       Attribute<&P::summary, &Summary::type>("conversationType"),
       Attribute<&P::summary, &Summary::last_message, &MessagePreview::body>("lastMessageBody"),
       Attribute<&P::summary, &Summary::last_message, &MessagePreview::sender_id>(
           "lastMessageSender"),
       Attribute<&P::summary, &Summary::last_message, &MessagePreview::at>("lastMessageAt"),
       Attribute<&P::summary, &Summary::last_activity>("lastActivityAt")},
      {PrimaryKey("CONVO#{conversationId}", "PARTICIPANT#{userId}"),
       IndexKey("GSI1", "USER#{userId}", "CONVO#{conversationId}"),
       IndexKey("GSI2", "USER#{userId}", "{lastActivityAt}#CONVO#{conversationId}")});
}

struct MessageId {
  std::string conversation_id = {};
  std::string ulid = {};  // sorts by time; a deep link to the message contains it

  friend bool operator==(const MessageId&, const MessageId&) = default;
};

struct Message {
  MessageId id = {};
  std::string sender_id = {};
  std::string body = {};
  std::string type = "text";
  Timestamp created_at = {};  // always the time in the ULID

  friend bool operator==(const Message&, const Message&) = default;
};

inline constexpr std::string_view kMessageType = "message";

constexpr auto DescribeEntity(const Message*) {
  using M = Message;
  return DefineEntity<M>(
      kMessageType,
      {Attribute<&M::id, &MessageId::conversation_id>("conversationId").InKeyOnly(),
       Attribute<&M::id, &MessageId::ulid>("messageId").InKeyOnly(),
       Attribute<&M::sender_id>("senderId"), Attribute<&M::body>("body"),
       Attribute<&M::type>("type"), Attribute<&M::created_at>("createdAt")},
      {PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")});
}

// The options with which a chat was created. The options are stored as an item. Open rejects
// different options, because the stored items do not have the attributes that different options
// need.
struct Settings {
  bool order_by_activity = false;
};

constexpr auto DescribeEntity(const Settings*) {
  return DefineEntity<Settings>("settings",
                                {Attribute<&Settings::order_by_activity>("orderByActivity")},
                                {PrimaryKey("CHAT", "#SETTINGS")});
}

// One line of a user's list of conversations.
struct InboxEntry {
  std::string conversation_id = {};
  std::optional<std::string> name = {};
  ConversationType type = ConversationType::kGroup;
  std::optional<MessagePreview> last_message = {};
  Timestamp last_activity = {};  // Conversation::LastActivity()
  Role role = Role::kMember;
  Timestamp last_read_at = {};

  bool HasUnread() const { return last_message && last_message->at > last_read_at; }

  friend bool operator==(const InboxEntry&, const InboxEntry&) = default;
};

static_assert(CheckTable<Conversation, Participant, Message, Settings>());

}  // namespace dolmen::chat
