// The repository of the chat model (README.md): conversations between people, in one table.

#pragma once

#include <dolmen/database.h>

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
  // Keeps a stream of the table's changes, which SubscribeToMessages and SortInboxes need. Each
  // write then also stores a record with a copy of the item, for 24 hours. Opening an existing chat
  // with this option adds the stream. Opening it later without the option keeps the stream.
  bool stream = false;

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
  std::vector<NewParticipant> participants = {};  // exactly two in a direct conversation
  Timestamp created_at = {};                      // not set = now; all participants join then
};

struct NewMessage {
  std::string conversation_id = {};
  std::string sender_id = {};
  std::string body = {};
  std::string type = "text";

  // A name that the sender gives this message. A call with the same name within 24 hours sends
  // nothing and returns the first message. "" = every call sends a message.
  std::string token = {};
};

// A page of messages: the newest first, or after `after` the oldest first.
struct MessageQuery {
  std::string conversation_id = {};
  std::string before = {};  // the ULID of a message: only older ones
  std::string after = {};   // the ULID of a message: only newer ones, the oldest of them first
  std::string cursor = {};  // EntityPage::next_cursor of the previous page; "" = the first page
  std::uint32_t limit = 50;
};

inline constexpr std::uint32_t kUnreadMax = 100;

// The messages after lastReadAt can be counted in two ways, with the same result.
enum class UnreadMethod : std::uint8_t {
  kKeyRange,  // reads the unread messages only
  kFilter,    // reads the whole history, and counts what passes the filter
};

// A function that gets each new message. If it fails or throws, it gets the message again later.
using MessageHandler = std::function<Status(const Message&)>;

// An open chat. A handle: copies refer to the same chat. Thread-safe.
//
// Times and message ids come from the database's clock. Errors besides the database's own:
// - kResourceNotFound: the conversation, participant or message does not exist.
// - kResourceInUse: the thing to create exists already.
// - kConditionalCheckFailed: the chat refuses the call; the message says why.
// - kValidation: the request is wrong, for example a message is empty or an id holds a '#'.
// - kTransactionConflict: other writes to the conversation were faster ten times. Call again.
// A call that returns an error has written nothing, unless its comment says otherwise.
class Chat {
 public:
  // Opens the chat in `database`, and creates it if it does not exist.
  static Result<Chat> Open(const Database& database, const ChatOptions& options = {});

  // Conversations (conversations.cc; CreateConversation is in participants.cc).

  // Creates a conversation with its participants, in one transaction. The participants of a larger
  // group than 99 follow in further transactions. After an error, AddParticipants can add the rest.
  // - kResourceInUse: the conversation exists, or these two people have a direct conversation.
  Result<Conversation> CreateConversation(const NewConversation& request);

  // Returns the direct conversation of two people, and creates it if they have none.
  Result<Conversation> OpenDirect(const std::string& user_id, const std::string& other_id);

  // AP1. Returns a conversation: its name, its type and the preview of its last message.
  Result<Conversation> GetConversation(const std::string& id) const;

  Result<Conversation> RenameConversation(const std::string& id, const std::string& name);

  // Refuses further messages and participants from now on, or accepts them again.
  Result<Conversation> ArchiveConversation(const std::string& id, bool is_archived = true);

  // Archives a conversation, and deletes its participants, messages and metadata, in many requests.
  // After an error a further call deletes the rest.
  Status DeleteConversation(const std::string& id);

  // Participants (participants.cc).

  // Adds people to a group, 99 in one transaction. Messages before this time count as read. After
  // an error the people of the earlier transactions have joined.
  Status AddParticipants(const std::string& id, std::span<const NewParticipant> people);

  // Removes a person from a group. The person's messages stay.
  Status RemoveParticipant(const ParticipantId& id);

  Result<Participant> ChangeRole(const ParticipantId& id, Role role);

  Result<Participant> GetParticipant(const ParticipantId& id) const;

  // AP3. Returns the participants in order of user id; none if the conversation does not exist.
  Result<std::vector<Participant>> ListParticipants(const std::string& id) const;

  // Moves lastReadAt to `up_to`, never backwards. Pass the time of the newest message that the user
  // has seen, not the clock's time: a message that is being sent now would count as read.
  Status MarkRead(const ParticipantId& id, Timestamp up_to);

  // AP7. Sends a message, in one transaction (send.cc). Each message sorts after all messages
  // before it (order.h). With a token, a repeated call within 24 hours sends nothing and returns
  // the first message.
  Result<Message> SendMessage(const NewMessage& request);

  // Stores history (import.cc): messages of one conversation. The senders need not be participants.
  // Replaces messages with the same id, so an interrupted import can be repeated. After an error,
  // the first messages are stored.
  Status ImportMessages(std::span<const Message> messages);

  // Messages (messages.cc).

  // AP4. Returns a page of messages, newest first. Messages that arrive meanwhile do not shift
  // pages.
  Result<EntityPage<Message>> ListMessages(const MessageQuery& query) const;

  // Returns a message with up to `count` newer and `count` older ones, newest first (deep link).
  Result<std::vector<Message>> ListMessagesAround(const MessageId& id, std::uint32_t count) const;

  // AP5. Returns one message.
  Result<Message> GetMessage(const MessageId& id) const;

  // Returns what a chat window shows. ListMessages with `before` reads the older messages.
  Result<ChatWindow> OpenWindow(const std::string& conversation_id, std::uint32_t limit = 50) const;

  // Change or delete the sender's own message, and the conversation's preview if it shows the
  // message.
  Status EditMessage(const MessageId& id, const std::string& sender_id, const std::string& body);
  Status DeleteMessage(const MessageId& id, const std::string& sender_id);

  // Inboxes (inbox.cc).

  // AP2. Returns a user's conversations, the most recently active first, at most `limit`. Reads all
  // of them and sorts them here. Counts the unread messages with one Query for each conversation
  // that has some. ListRecent reads pages in this order.
  Result<std::vector<InboxEntry>> ListConversations(const std::string& user_id,
                                                    std::size_t limit = 100) const;

  // AP6. Counts the messages that a participant has not read, at most `limit`. The second form
  // reads the participant first.
  Result<std::uint64_t> CountUnread(const Participant& reader, std::uint32_t limit = kUnreadMax,
                                    UnreadMethod method = UnreadMethod::kKeyRange) const;
  Result<std::uint64_t> CountUnread(const ParticipantId& id,
                                    std::uint32_t limit = kUnreadMax) const;

  // Returns the oldest message that a participant has not read, or nothing.
  Result<std::optional<Message>> FirstUnread(const ParticipantId& id) const;

  // Calls `handler` for each new message, also for imported ones, in the order in which they were
  // stored (notifications.cc). A new name begins with the next message. A known name resumes where
  // it stopped. The handler can receive a message again after a crash.
  // - kValidation: the chat has no stream.
  // - kResourceInUse: another open subscription has this name.
  Result<Subscription> SubscribeToMessages(const std::string& name, MessageHandler handler,
                                           bool in_background = true) const;

  // Inboxes that the table keeps sorted by activity (inbox_order.cc).

  // Sorts the inboxes from now on, also in a chat that exists: copies all conversations to the
  // inboxes of their participants (first call), and then each change, while the subscription is
  // open. A later call resumes, within the 24 hours that a stream keeps its records. After a longer
  // pause call StopSortingInboxes first. `in_background`: a thread copies soon after the change; otherwise
  // Subscription::Deliver.
  // - kValidation: the chat has no stream.
  // - kResourceInUse: the subscription is open already.
  Result<Subscription> SortInboxes(bool in_background = true);

  // Removes the copies, so that ListRecent returns nothing. Close the subscription first. After an
  // error a further call removes the rest.
  Status StopSortingInboxes();

  // AP2 at scale. Returns a page of a user's conversations, the most recently active first. The
  // inboxes must be sorted.
  Result<EntityPage<InboxEntry>> ListRecent(const std::string& user_id, std::string cursor = {},
                                            std::uint32_t limit = 20) const;

 private:
  explicit Chat(EntityTable table) : table_(std::move(table)) {}

  // Returns the inbox entries of participants with a summary.
  Result<std::vector<InboxEntry>> ToInbox(const std::vector<Participant>& readers) const;

  EntityTable table_;
};

}  // namespace dolmen::chat
