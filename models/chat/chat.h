// Conversations between people, in one table: the chat model of README.md as a repository.

#pragma once

#include <dolmen/database.h>
#include <dolmen/subscription.h>

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
  // Keep every user's conversations sorted by last activity, with previews, in an index: listing
  // them is then one Query, and sending a message writes one item per participant.  For inboxes
  // that are read more than they are written.  Chosen when the chat is made, for good.
  bool order_by_activity = false;

  // Keep a stream of the table's changes, of which SubscribeToMessages lives; each write then
  // stores one record more, with the item in it.  May be asked for whenever the chat is opened, and
  // stays: what happened in the last 24 hours can be had.
  bool message_feed = false;

  RequestObserver observer = {};  // is told of each request to the table
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
  std::optional<Timestamp> created_at = {};       // nothing = now; the participants join then, too
};

struct NewMessage {
  std::string conversation_id = {};
  std::string sender_id = {};
  std::string body = {};
  std::string type = "text";
  std::string ulid = {};  // "" = a new one; else its time is the message's
};

struct MessageQuery {
  std::string conversation_id = {};
  std::string cursor = {};  // MessagePage::next_cursor of the page before; "" = the newest
  std::uint32_t limit = 50;
};

struct MessagePage {
  std::vector<Message> messages = {};  // newest first
  std::string next_cursor = {};        // "" = the history ends here; else there may be older ones
};

// The two ways to find the messages behind lastReadAt; both give the same number.
enum class UnreadMethod : std::uint8_t {
  kKeyRange,  // reads the unread messages only
  kFilter,    // reads the whole history and counts what passes the filter
};

struct MessageSubscription {
  std::string name = {};      // of who listens: its place in the feed is stored under it
  bool in_background = true;  // else Subscription::Deliver alone tells of messages
};

// Is told of a new message.  After an error, or an exception, it is told again later.
using MessageHandler = std::function<Status(const Message&)>;

struct Delivery;  // send.cc

// An open chat.  A handle: copies are of the same chat.  Callable from any number of threads.
//
// Times and message ids come from the database's clock.  Errors besides the database's own:
//   kResourceNotFound     the conversation, participant or message is not there
//   kResourceInUse        what should be new is there already
//   kTransactionConflict  others were faster each time; try again
//   kValidation           the request is wrong: an id that is empty or holds a #, too many
//                         participants, ...
//   kCorruption           the table holds an item that is not this model's
// On any error nothing has been written, but for what ImportMessages says of itself.
class Chat {
 public:
  // TransactWriteItems takes 100 actions.  Creating a conversation takes one more than it has
  // participants; so does, with order_by_activity, sending, and one more for the message.
  static constexpr std::size_t kParticipantsAtCreationMax = 99;
  static constexpr std::size_t kParticipantsByActivityMax = 98;  // with order_by_activity, ever

  // Opens the chat in `database`, making it (CreateTable chat: PK, SK, GSI1, GSI2, and with
  // message_feed a stream of NEW_IMAGE) if there is none.  With message_feed UpdateTable gives a
  // stream to a chat that has none.  kValidation: the chat was made with another order_by_activity.
  static Result<Chat> Open(const Database& database, const ChatOptions& options = {});

  // One TransactWriteItems: Put CONVO#<id>/#METADATA and Put CONVO#<id>/PARTICIPANT#<user> for each
  // participant, none of which may be there.
  Result<Conversation> CreateConversation(const NewConversation& request);

  // AP1, then TransactWriteItems: Put CONVO#<id>/PARTICIPANT#<user>, which may not be there, and
  // Update CONVO#<id>/#METADATA, which counts participants.  With order_by_activity again, if a
  // message or another participant came in between.
  Status AddParticipant(const ParticipantId& id, Role role = Role::kMember);

  // TransactWriteItems: Update CONVO#<id>/#METADATA, and Delete CONVO#<id>/PARTICIPANT#<user>,
  // which must be there.  The user's messages stay.
  Status RemoveParticipant(const ParticipantId& id);

  // UpdateItem CONVO#<id>/PARTICIPANT#<user>: SET lastReadAt, never backwards.  Pass the time of
  // the newest message that the user has seen: the clock's could cover one that is just being sent.
  Status MarkRead(const ParticipantId& id, Timestamp up_to);

  // AP1.  GetItem PK = CONVO#<id>, SK = #METADATA.
  Result<Conversation> GetConversation(const std::string& conversation_id) const;

  // AP2.  A user's conversations, the most recently active first; `limit` of them, if given.
  // Query GSI1 with GSI1PK = USER#<id>, which says which ones; then, as their previews and last
  // activity are not in GSI1, BatchGetItem of their CONVO#<id>/#METADATA, sorted here.  With
  // order_by_activity: Query GSI2 with GSI2PK = USER#<id>, ScanIndexForward = false, Limit, and
  // nothing else.
  Result<std::vector<InboxEntry>> ListConversations(const std::string& user_id,
                                                    std::optional<std::uint32_t> limit = {}) const;

  // AP3.  Query PK = CONVO#<id>, begins_with(SK, PARTICIPANT#).  In order of the user ids; none,
  // too, if there is no such conversation.
  Result<std::vector<Participant>> ListParticipants(const std::string& conversation_id) const;

  // AP4.  Query PK = CONVO#<id>, begins_with(SK, MSG#), ScanIndexForward = false, Limit; the cursor
  // is the ExclusiveStartKey.  Messages that arrive while paging move no page.
  // kValidation: the cursor is none, or another conversation's.
  Result<MessagePage> ListMessages(const MessageQuery& query) const;

  // AP5.  GetItem PK = CONVO#<id>, SK = MSG#<ulid>.
  Result<Message> GetMessage(const MessageId& id) const;

  // AP6.  GetItem CONVO#<id>/PARTICIPANT#<user> for its lastReadAt, then Query with Select = COUNT:
  // by kKeyRange, PK = CONVO#<id> and SK BETWEEN MSG#<least ULID of the next millisecond> AND the
  // last that begins with MSG#; by kFilter, begins_with(SK, MSG#) and FilterExpression createdAt >
  // :lastReadAt.
  Result<std::uint64_t> CountUnread(const ParticipantId& id,
                                    UnreadMethod method = UnreadMethod::kKeyRange) const;

  // AP7.  One TransactWriteItems: Put CONVO#<id>/MSG#<ulid>, which may not be there; Update
  // CONVO#<id>/#METADATA, SET lastMessageBody, lastMessageSender, lastMessageAt; Update
  // CONVO#<id>/PARTICIPANT#<sender>, SET lastReadAt, both of which must be there.  With
  // order_by_activity AP3 before it, and also Update every other participant.
  //
  // Messages enter a conversation in the order of their times: a send that finds a later message
  // there, because another sender was faster or the clock has gone back, takes a new id and time
  // and tries again.  Sends within one millisecond may pass each other, and the preview is one of
  // them. A message with a ulid of the caller's is stored at that time even if it is old, and
  // leaves the preview and lastReadAt alone if they are ahead of it.
  Result<Message> SendMessage(const NewMessage& request);

  // Stores history: messages of one conversation, each with a ulid, from senders who need not be
  // participants (any longer).  A message that is there already is replaced, so an import that
  // broke off can be repeated.  TransactWriteItems of up to 99 Put and a ConditionCheck, in order,
  // then one that moves the preview to the last message if that is newer.  An error leaves the
  // transactions before it in place.
  Status ImportMessages(std::span<const NewMessage> messages);

  // Tells of each message that is new in the table, imported ones too, in the order in which they
  // were stored: from now on if the name is new, else from where it was.  At least once: after a
  // crash it may be the same message again, which its id tells.  Subscribe to the table's stream
  // with FilterExpression eventName = INSERT AND NewImage.entityType = message.
  // kValidation: the chat has no message_feed.  kResourceInUse: the name is subscribed already.
  Result<Subscription> SubscribeToMessages(const MessageSubscription& subscription,
                                           MessageHandler handler) const;

 private:
  // How often a write that others overtake is tried.  Each failed attempt is somebody else's
  // success, so this ends what would be a bug, not a busy conversation.
  static constexpr int kAttemptsMax = 1000;

  Chat(EntityTable table, const ChatOptions& options)
      : table_(std::move(table)), order_by_activity_(options.order_by_activity) {}

  std::size_t participants_max() const;
  // What a participant's item has besides with order_by_activity; else nothing.
  std::optional<ConversationSummary> SummaryOf(const Conversation& conversation) const;
  Result<std::vector<InboxEntry>> ListByActivity(const std::string& user_id,
                                                 std::optional<std::uint32_t> limit) const;
  Result<Message> Deliver(Delivery delivery);

  EntityTable table_;
  bool order_by_activity_;
};

}  // namespace dolmen::chat
