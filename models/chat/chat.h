// The repository of the chat model (README.md): conversations between people, in one table.

#pragma once

#include <dolmen/database.h>
#include <dolmen/streams.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/chat/entities.h"

namespace dolmen::chat {

struct ChatOptions {
  // Keeps every user's conversations in an index, sorted by last activity and with previews.
  // Listing them is then one Query, but sending a message writes one item per participant. The
  // option suits inboxes that are read more often than they are written. The option cannot be
  // changed after the chat is created.
  bool order_by_activity = false;

  // Keeps a stream of the table's changes, which SubscribeToMessages needs. Each write then also
  // stores a record with a copy of the item. Records are kept for 24 hours. Opening an existing
  // chat with this option adds the stream. Opening the chat later without the option does not
  // remove the stream.
  bool message_feed = false;

  RequestObserver observer = {};  // called for each request to the table
};

struct NewParticipant {
  std::string user_id = {};
  Role role = Role::kMember;
};

struct NewConversation {
  std::string id = {};  // "" = a new ULID
  std::optional<std::string> name = {};
  ConversationType type = ConversationType::kGroup;
  std::vector<NewParticipant> participants = {};  // at least one
  std::optional<Timestamp> created_at = {};       // nothing = now; the participants join then
};

struct NewMessage {
  std::string conversation_id = {};
  std::string sender_id = {};
  std::string body = {};
  std::string type = "text";
  std::string ulid = {};  // "" = a new one; otherwise the message's time is the one in this ULID
};

struct MessageQuery {
  std::string conversation_id = {};
  std::string cursor = {};  // MessagePage::next_cursor of the previous page; "" = the newest page
  std::uint32_t limit = 50;
};

struct MessagePage {
  std::vector<Message> messages = {};  // newest first
  std::string next_cursor = {};        // "" = no older messages; otherwise there may be some
};

// Two ways to count the messages after lastReadAt. Both return the same number.
enum class UnreadMethod : std::uint8_t {
  kKeyRange,  // reads the unread messages only
  kFilter,    // reads the whole history and counts what passes the filter
};

struct MessageSubscription {
  std::string name = {};      // the subscriber's position in the stream is stored under this name
  bool in_background = true;  // false = handlers run only in Subscription::Deliver
};

// A function that is called with each new message. If it fails or throws, the message is delivered
// again later.
using MessageHandler = std::function<Status(const Message&)>;

struct Delivery;  // defined in send.cc

// An open chat. A handle: copies refer to the same chat. Thread-safe.
//
// Times and message ids come from the database's clock. Errors besides the database's own:
// - kResourceNotFound: the conversation, participant or message does not exist.
// - kResourceInUse: the thing to create exists already.
// - kTransactionConflict: every attempt failed because of a concurrent write. The caller can try
//   again.
// - kValidation: the request is wrong, e.g. an id is empty or holds a '#', or there are too many
//   participants.
// - kCorruption: an item cannot be read as its entity.
// A call that returns an error has written nothing. Only ImportMessages can write before an error.
class Chat {
 public:
  // The greatest numbers of participants. A TransactWriteItems has at most 100 actions.
  // CreateConversation writes the conversation and all participants. With order_by_activity,
  // sending a message writes these items and the message. So with order_by_activity, AddParticipant
  // also refuses a participant beyond kParticipantsByActivityMax.
  static constexpr std::size_t kParticipantsAtCreationMax = 99;
  static constexpr std::size_t kParticipantsByActivityMax = 98;  // with order_by_activity

  // Opens the chat in `database`, and creates it if it does not exist (CreateTable chat: PK, SK,
  // GSI1, GSI2, and with message_feed a stream of NEW_IMAGE). With message_feed, UpdateTable adds
  // the stream to a chat without one.
  // - kValidation: the chat was created with the opposite value of order_by_activity.
  static Result<Chat> Open(const Database& database, const ChatOptions& options = {});

  // Creates a conversation with its participants. One TransactWriteItems: Put CONVO#<id>/#METADATA
  // and Put CONVO#<id>/PARTICIPANT#<user> for each participant. Fails if one of these items exists
  // already.
  Result<Conversation> CreateConversation(const NewConversation& request);

  // Adds a participant. Reads the conversation (access pattern 1), then TransactWriteItems: Put CONVO#<id>/PARTICIPANT#<user>, which must
  // not exist, and Update CONVO#<id>/#METADATA, which counts participants. With order_by_activity,
  // tries again if a message or a participant was added between the read and the transaction.
  Status AddParticipant(const ParticipantId& id, Role role = Role::kMember);

  // Removes a participant. TransactWriteItems: Update CONVO#<id>/#METADATA, and Delete
  // CONVO#<id>/PARTICIPANT#<user>, which must exist. The user's messages stay.
  Status RemoveParticipant(const ParticipantId& id);

  // Moves lastReadAt to `up_to`, never backwards. UpdateItem CONVO#<id>/PARTICIPANT#<user>: SET
  // lastReadAt. Pass the time of the newest message that the user has seen, not the clock's time.
  // With the clock's time, a message that is being sent at this moment could count as read.
  Status MarkRead(const ParticipantId& id, Timestamp up_to);

  // AP1. Returns a conversation. GetItem PK = CONVO#<id>, SK = #METADATA.
  Result<Conversation> GetConversation(const std::string& conversation_id) const;

  // AP2. Returns a user's conversations, the most recently active first, at most `limit` if given.
  // With order_by_activity, this is one Query of GSI2 with GSI2PK = USER#<id>, ScanIndexForward =
  // false, Limit. Otherwise a Query of GSI1 with GSI1PK = USER#<id> finds the conversations. GSI1
  // holds neither previews nor times of the last activity, so BatchGetItem reads
  // CONVO#<id>/#METADATA of each conversation. Then this function sorts the conversations.
  Result<std::vector<InboxEntry>> ListConversations(const std::string& user_id,
                                                    std::optional<std::uint32_t> limit = {}) const;

  // AP3. Returns the participants in order of user id; none if the conversation does not exist.
  // Query PK = CONVO#<id>, begins_with(SK, PARTICIPANT#).
  Result<std::vector<Participant>> ListParticipants(const std::string& conversation_id) const;

  // AP4. Returns a page of messages, newest first. Query PK = CONVO#<id>, begins_with(SK, MSG#),
  // ScanIndexForward = false, Limit; the cursor is the ExclusiveStartKey. Messages that arrive
  // between two pages do not shift the later page.
  // - kValidation: the cursor is malformed or belongs to a different conversation.
  Result<MessagePage> ListMessages(const MessageQuery& query) const;

  // AP5. Returns one message. GetItem PK = CONVO#<id>, SK = MSG#<ulid>.
  Result<Message> GetMessage(const MessageId& id) const;

  // AP6. Counts the messages that a participant has not read. GetItem
  // CONVO#<id>/PARTICIPANT#<user> for its lastReadAt, then Query, which counts messages:
  // - kKeyRange: PK = CONVO#<id> and SK BETWEEN MSG#<least ULID of the next millisecond> AND the
  //   last key that begins with MSG#.
  // - kFilter: begins_with(SK, MSG#) and FilterExpression createdAt > :lastReadAt.
  Result<std::uint64_t> CountUnread(const ParticipantId& id,
                                    UnreadMethod method = UnreadMethod::kKeyRange) const;

  // AP7. Sends a message. One TransactWriteItems:
  // - Put CONVO#<id>/MSG#<ulid>, which must not exist.
  // - Update CONVO#<id>/#METADATA, which must exist: SET lastMessageBody, lastMessageSender,
  //   lastMessageAt.
  // - Update CONVO#<id>/PARTICIPANT#<sender>, which must exist: SET lastReadAt.
  // - With order_by_activity, Update every other participant, after AP3 has read them.
  //
  // Messages enter a conversation in the order of their times. If a concurrent sender was faster or
  // the clock has gone back, the conversation already holds a later message. The call then gives
  // the message a new id and time and tries again. Messages sent within one millisecond can be
  // stored in any order. The preview then shows any of these messages. A message whose ulid the
  // caller gives is stored at that ulid's time, even if the time is in the past. This message does
  // not change a preview or a lastReadAt that has a later time.
  Result<Message> SendMessage(const NewMessage& request);

  // Stores history: messages of one conversation, each with a ulid. The senders need not be
  // participants. An existing message with the same ulid is replaced, so an interrupted import can
  // be repeated. Each TransactWriteItems holds up to 99 Put actions, in the order of the messages,
  // and a ConditionCheck of the conversation. A last TransactWriteItems sets the preview to the
  // newest imported message, unless the stored preview is newer. After an error, the messages of
  // the transactions before the failed transaction remain stored.
  Status ImportMessages(std::span<const NewMessage> messages);

  // Calls `handler` for each new message, including imported messages, in the order in which the
  // messages were stored. A subscription with a new name begins with the next message. A
  // subscription with a known name resumes where it stopped. Each message is delivered at least
  // once. After a crash, the handler can receive a message again, with the same id. Calls Subscribe
  // with FilterExpression eventName = INSERT AND NewImage.entityType = message.
  // - kValidation: the chat has no message_feed.
  // - kResourceInUse: another open subscription has this name.
  Result<Subscription> SubscribeToMessages(const MessageSubscription& subscription,
                                           MessageHandler handler) const;

 private:
  // The greatest number of attempts of a write. Each failed attempt means that a concurrent write
  // has succeeded. Even a busy conversation does not need this many attempts, so reaching the limit
  // indicates a bug.
  static constexpr int kAttemptsMax = 1000;

  Chat(EntityTable table, const ChatOptions& options)
      : table_(std::move(table)), order_by_activity_(options.order_by_activity) {}

  std::size_t participants_max() const;
  // Returns the conversation's summary for a participant's item. Without order_by_activity, returns
  // nothing.
  std::optional<ConversationSummary> SummaryOf(const Conversation& conversation) const;
  Result<std::vector<InboxEntry>> ListByActivity(const std::string& user_id,
                                                 std::optional<std::uint32_t> limit) const;
  Result<Message> Deliver(Delivery delivery);

  EntityTable table_;
  bool order_by_activity_;
};

}  // namespace dolmen::chat
