// The entities of a chat and how each is stored. README.md has the table of keys.

#pragma once

#include <dolmen/entity.h>
#include <dolmen/entity/idempotent.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

// Returns the name of a pair of users, the same for both orders. An id contains no '#'.
inline std::string PairOf(const std::string& user_id, const std::string& other_id) {
  return std::min(user_id, other_id) + "#" + std::max(user_id, other_id);
}

// The part of a conversation's last message that a list of conversations shows.
struct MessagePreview {
  std::string id = {};    // the message's ULID
  std::string body = {};  // at most the first 256 bytes (PreviewOf)
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
  std::optional<std::string> direct_pair = {};  // the two people of a direct conversation (PairOf)
  std::optional<Timestamp> archived_at = {};    // an archived conversation takes no messages
  Timestamp created_at = {};
  Timestamp updated_at = {};  // the time of the last change, also of a message or a participant
  std::int64_t version = 0;

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
              Attribute<&C::last_message, &MessagePreview::id>("lastMessageId"),
              Attribute<&C::last_message, &MessagePreview::body>("lastMessageBody"),
              Attribute<&C::last_message, &MessagePreview::sender_id>("lastMessageSender"),
              Attribute<&C::last_message, &MessagePreview::at>("lastMessageAt"),
              Attribute<&C::participant_count>("participantCount"),
              Attribute<&C::direct_pair>("directPair").ReadOnly(),
              Attribute<&C::archived_at>("archivedAt"),
              Attribute<&C::created_at>("createdAt").IfUnset<Now>().ReadOnly(),
              Attribute<&C::updated_at>("updatedAt").Always<Now>(),
              Attribute<&C::version>("version").Version()},
             {PrimaryKey("CONVO#{conversationId}", "#METADATA")})
      .Unique<&C::direct_pair>("directPair");
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
  std::optional<ConversationSummary> summary = {};  // set while the inboxes are sorted by activity

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
       Attribute<&P::role>("role"), Attribute<&P::joined_at>("joinedAt").IfUnset<Now>().ReadOnly(),
       Attribute<&P::last_read_at>("lastReadAt").IfUnset<Now>(),
       Attribute<&P::summary, &Summary::name>("conversationName"),
       Attribute<&P::summary, &Summary::type>("conversationType"),
       Attribute<&P::summary, &Summary::last_message, &MessagePreview::id>("lastMessageId"),
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
  Timestamp created_at = {};  // the time in the ULID
  std::optional<Timestamp> edited_at = {};
  std::optional<std::string> token = {};  // NewMessage::token

  friend bool operator==(const Message&, const Message&) = default;
};

inline bool IsUlid(const std::string& text) { return UlidTime(text).ok(); }
inline bool IsNotEmpty(const std::string& text) { return !text.empty(); }
inline Timestamp TimeOf(const Message& message) {
  return UlidTime(message.id.ulid).value_or(Timestamp());
}

constexpr auto DescribeEntity(const Message*) {
  using M = Message;
  return DefineEntity<M>(
      "message",
      {Attribute<&M::id, &MessageId::conversation_id>("conversationId").InKeyOnly(),
       Attribute<&M::id, &MessageId::ulid>("messageId").InKeyOnly().Check<IsUlid>("is not a ULID"),
       Attribute<&M::sender_id>("senderId").Check<IsNotEmpty>("is missing"),
       Attribute<&M::body>("body").Check<IsNotEmpty>("is empty"), Attribute<&M::type>("type"),
       Attribute<&M::created_at>("createdAt").Derived<TimeOf>(),
       Attribute<&M::edited_at>("editedAt"), Attribute<&M::token>("clientToken")},
      {PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")});
}

// The settings of a chat. Without such an item the inboxes are not sorted.
struct Settings {
  bool order_by_activity = false;  // participants have a summary (Chat::SortInboxes)
};

constexpr auto DescribeEntity(const Settings*) {
  return DefineEntity<Settings>("settings",
                                {Attribute<&Settings::order_by_activity>("orderByActivity")},
                                {PrimaryKey("CHAT", "#SETTINGS")});
}

// The content of a chat window: a conversation, its people and its newest messages.
struct ChatWindow {
  Conversation conversation = {};
  std::vector<Participant> participants = {};
  std::vector<Message> messages = {};  // newest first
};

// One line of a user's list of conversations.
struct InboxEntry {
  Participant reader = {};                // the user's part in the conversation
  ConversationSummary conversation = {};  // its name and its last message
  std::uint64_t unread = 0;               // stops at kUnreadMax, which is shown as "99+"
};

static_assert(CheckTable<Conversation, Participant, Message, Settings, CommittedRequest>());

}  // namespace dolmen::chat
