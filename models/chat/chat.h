// The repository of the chat model (README.md): conversations between people, in one table.

#pragma once

#include <functional>
#include <span>

#include "models/chat/order.h"

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
  static Result<Chat> Open(const Database& database, const ChatOptions& options = {}) {
    EntityTableInput input = {.name = "chat",
                              .indexes = {"GSI1", "GSI2"},
                              .time_to_live = "ttl",  // of the marks of sends with a token
                              .observer = options.observer};
    if (options.stream) input.stream_specification = {.view_type = StreamViewType::kNewImage};
    return EntityTable::Open(database, input).transform([](const EntityTable& table) {
      return Chat(table);
    });
  }

  // Conversations.

  // Creates a conversation with its participants, in one transaction. The participants of a larger
  // group than 99 follow in further transactions. After an error, AddParticipants can add the rest.
  // - kResourceInUse: the conversation exists, or these two people have a direct conversation.
  Result<Conversation> CreateConversation(const NewConversation& request) {
    const std::span<const NewParticipant> people = request.participants;
    const bool is_direct = request.type == ConversationType::kDirect;
    if (is_direct && people.size() != 2) return Status::Validation(kExactlyTwo);
    const auto first = people.first(std::min(people.size(), kPartMax));
    const auto rest = people.subspan(first.size());
    Conversation conversation = {.id = request.id.empty() ? table_.NewUlid() : request.id,
                                 .name = request.name,
                                 .type = request.type,
                                 .participant_count = static_cast<std::uint32_t>(first.size()),
                                 .created_at = request.created_at};
    if (is_direct) conversation.direct_pair = PairOf(people[0].user_id, people[1].user_id);
    const Timestamp at = request.created_at;
    return CommitWith(table_.Transact().Create(conversation), conversation.id, first, at)
        .and_then([&] { return AddParticipants(conversation.id, rest, at); })
        .and_then([&] { return GetConversation(conversation.id); });
  }

  // Returns the direct conversation of two people, and creates it if they have none.
  Result<Conversation> OpenDirect(const std::string& user_id, const std::string& other_id) {
    const auto found = table_.FindBy<&Conversation::direct_pair>(PairOf(user_id, other_id));
    if (!found.ok()) return found.status();
    if (*found) return **found;
    const auto made = CreateConversation(
        {.type = ConversationType::kDirect, .participants = {{user_id}, {other_id}}});
    // The error means that a concurrent call has created it.
    return made.status().code() == StatusCode::kResourceInUse ? OpenDirect(user_id, other_id)
                                                              : made;
  }

  // AP1. Returns a conversation: its name, its type and the preview of its last message.
  Result<Conversation> GetConversation(const std::string& id) const {
    return table_.Get(Conversation{.id = id});
  }

  Result<Conversation> RenameConversation(const std::string& id, const std::string& name) {
    return table_.Update(Conversation{.id = id}).Set<&Conversation::name>(name).Commit();
  }

  // Refuses further messages and participants from now on, or accepts them again.
  Result<Conversation> ArchiveConversation(const std::string& id, bool is_archived = true) {
    const auto now = is_archived ? std::optional(table_.Now()) : std::nullopt;
    return table_.Update(Conversation{.id = id}).Set<&Conversation::archived_at>(now).Commit();
  }

  // Archives a conversation, so that users can no longer join or send. Then deletes its participants,
  // messages and metadata, in many requests. After an error a further call deletes the rest.
  Status DeleteConversation(const std::string& id) {
    return ArchiveConversation(id)
        .status()
        .and_then([&] { return RemoveAll(table_, ParticipantsOf(id), MessagesOf(id)); })
        .and_then([&] { return table_.Remove(Conversation{.id = id}); });
  }

  // Adds people to a group, 99 in one transaction. They join at `joined_at`; not set = now. Messages
  // before this time count as read. After an error the people of the earlier transactions have joined.
  Status AddParticipants(const std::string& id, std::span<const NewParticipant> people,
                         Timestamp joined_at = {}) {
    Status status;
    for (std::size_t begin = 0; begin < people.size() && status.ok(); begin += kPartMax) {
      const auto part = people.subspan(begin, std::min(people.size() - begin, kPartMax));
      auto count = CountParticipants(static_cast<std::int64_t>(part.size()));
      const auto write =
          table_.Transact().Update(Conversation{.id = id}, count.If(IsOpen(), kIsArchived));
      status = CommitWith(write, id, part, joined_at);
    }
    return status;
  }

  // Removes a person from a group. The person's messages stay.
  Status RemoveParticipant(const ParticipantId& id) {
    return table_.Transact()
        .Update(Conversation{.id = id.conversation_id}, CountParticipants(-1))
        .Remove(Participant{.id = id})
        .Commit();
  }

  Result<Participant> ChangeRole(const ParticipantId& id, Role role) {
    return table_.Update(Participant{.id = id}).Set<&Participant::role>(role).Commit();
  }

  Result<Participant> GetParticipant(const ParticipantId& id) const {
    return table_.Get(Participant{.id = id});
  }

  // AP3. Returns the participants in order of user id; none if the conversation does not exist.
  Result<std::vector<Participant>> ListParticipants(const std::string& id) const {
    return ParticipantsOf(id).All();
  }

  // Moves lastReadAt to `up_to`; does nothing if the stored time is later. Pass the time of the newest
  // message that the user has seen, not the clock's time: a message that is being sent now would count
  // as read.
  Status MarkRead(const ParticipantId& id, Timestamp up_to) {
    return table_.Update(Participant{.id = id})
        .Set<&Participant::last_read_at>(up_to)
        .If(AttrOf<&Participant::last_read_at>() < up_to)
        .CommitIgnoring(StatusCode::kConditionalCheckFailed);
  }

  // Messages (messages.cc).

  // AP7. Sends a message, in one transaction. Each message sorts after all messages before it
  // (order.h). With a token, a repeated call within 24 hours sends nothing and returns the first
  // message.
  Result<Message> SendMessage(const NewMessage& request);

  // Stores history: messages of one conversation. The senders need not be participants. Replaces
  // messages with the same id, so an interrupted import can be repeated. After an error, the first
  // messages are stored.
  Status ImportMessages(std::span<const Message> messages);

  // AP4. Returns a page of messages, newest first. Messages that arrive meanwhile do not shift
  // pages.
  Result<EntityPage<Message>> ListMessages(const MessageQuery& query) const {
    auto messages = MessagesOf(query.conversation_id);
    if (!query.before.empty()) messages.Before<&Message::id, &MessageId::ulid>(query.before);
    if (!query.after.empty()) messages.After<&Message::id, &MessageId::ulid>(query.after);
    if (query.after.empty()) messages.Backward();
    return messages.Page({.cursor = query.cursor, .limit = query.limit});
  }

  // Returns a message with up to `count` newer and `count` older ones, newest first (deep link).
  Result<std::vector<Message>> ListMessagesAround(const MessageId& id, std::uint32_t count) const;

  // AP5. Returns one message.
  Result<Message> GetMessage(const MessageId& id) const { return table_.Get(Message{.id = id}); }

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
                                    std::uint32_t limit = kUnreadMax) const {
    return GetParticipant(id).and_then([&](const auto& who) { return CountUnread(who, limit); });
  }

  // Returns the oldest message that a participant has not read, or nothing.
  Result<std::optional<Message>> FirstUnread(const ParticipantId& id) const {
    return GetParticipant(id).and_then([&](const auto& who) { return UnreadBy(who).First(); });
  }

  // Calls `handler` for each new message, also for imported ones, in the order in which they were
  // stored. A new name begins with the next message. A known name resumes where it stopped. The
  // handler can receive a message again after a crash.
  // - kValidation: the chat has no stream.
  // - kResourceInUse: another open subscription has this name.
  Result<Subscription> SubscribeToMessages(const std::string& name, MessageHandler handler,
                                           bool in_background = true) const {
    const auto is_new =
        Attr("eventName") == "INSERT" && Attr("NewImage")[kEntityType] == EntityName<Message>();
    return table_.Subscribe<Message>(
        {.name = name,
         .start = {.type = ShardIteratorType::kLatest},
         .filter = is_new,
         .in_background = in_background},
        [handler](const EntityChange<Message>& change) { return handler(*change.after); });
  }

  // Inboxes that the table keeps sorted by activity (inbox.cc).

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
  Result<EntityPage<InboxEntry>> ListRecent(const std::string& user_id,
                                            const PageInput& page = {.limit = 20}) const;

 private:
  explicit Chat(EntityTable table) : table_(std::move(table)) {}

  // The people or messages in one transaction, which has at most 100 writes. One of them is that of the
  // conversation, or its check.
  static constexpr std::size_t kPartMax = 99;

  static constexpr const char* kExactlyTwo = "a direct conversation has exactly two people";

  // Returns the change of the number of participants, which only a group allows.
  static Changes<Conversation> CountParticipants(std::int64_t change) {
    return Changes<Conversation>().Add<&Conversation::participant_count>(change).If(
        AttrOf<&Conversation::type>() == ConversationType::kGroup, kExactlyTwo);
  }

  // Commits a write of the conversation together with new participants. joined_at: not set = now.
  static Status CommitWith(EntityTransaction write, const std::string& id,
                           std::span<const NewParticipant> people, Timestamp joined_at) {
    for (const auto& [user_id, role] : people) {
      write.Create(Participant{
          .id = {id, user_id}, .role = role, .joined_at = joined_at, .last_read_at = joined_at});
    }
    return write.Commit();
  }

  EntityQuery<Message> MessagesOf(const std::string& id) const {
    return table_.Query<Message>().With<&Message::id, &MessageId::conversation_id>(id);
  }
  EntityQuery<Participant> ParticipantsOf(const std::string& id) const {
    return table_.Query<Participant>().With<&Participant::id, &ParticipantId::conversation_id>(id);
  }

  // The participants sort after the messages in the partition. A range of one part of the key
  // therefore ends where MSG# ends.
  EntityQuery<Message> UnreadBy(const Participant& reader) const {
    return MessagesOf(reader.id.conversation_id)
        .AtLeast<&Message::id, &MessageId::ulid>(
            LowestUlid(reader.last_read_at + std::chrono::milliseconds(1)));
  }

  // Returns the inbox entries of participants with a summary.
  Result<std::vector<InboxEntry>> ToInbox(const std::vector<Participant>& readers) const;

  EntityTable table_;
};

}  // namespace dolmen::chat
