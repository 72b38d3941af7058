// What a chat is made of, as plain values.  How they are stored is items.h's business.

#pragma once

#include <dolmen/clock.h>

#include <cstdint>
#include <optional>
#include <string>

namespace dolmen::chat {

enum class ConversationType : std::uint8_t { kDirect, kGroup };
enum class Role : std::uint8_t { kMember, kAdmin };

// The last message of a conversation, as far as a list of conversations shows it.
struct MessagePreview {
  std::string body = {};
  std::string sender_id = {};
  Timestamp at = {};

  friend bool operator==(const MessagePreview&, const MessagePreview&) = default;
};

struct Conversation {
  std::string id = {};
  std::optional<std::string> name = {};
  ConversationType type = ConversationType::kGroup;
  std::optional<MessagePreview> last_message = {};  // nothing before the first message
  std::uint32_t participant_count = 0;
  Timestamp created_at = {};
  Timestamp updated_at = {};

  // When something happened here last: the last message, or else the creation.
  Timestamp LastActivity() const { return last_message ? last_message->at : created_at; }

  friend bool operator==(const Conversation&, const Conversation&) = default;
};

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

  friend bool operator==(const Participant&, const Participant&) = default;
};

struct MessageId {
  std::string conversation_id = {};
  std::string ulid = {};  // sorts by time, and is what a deep link to the message carries

  friend bool operator==(const MessageId&, const MessageId&) = default;
};

struct Message {
  MessageId id = {};
  std::string sender_id = {};
  std::string body = {};
  std::string type = "text";
  Timestamp created_at = {};  // always the time in the id

  friend bool operator==(const Message&, const Message&) = default;
};

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

}  // namespace dolmen::chat
