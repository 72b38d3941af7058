// The access patterns of models/chat. A hundredth of the size is the number of conversations. Each has
// ten participants and 100 messages, of which the second participant has not read eight. Ten people
// are in every tenth conversation.

#include "models/chat/chat.h"

#include <chrono>

#include "bench/models/models.h"
#include "dolmen/design/benchmark.h"

namespace dolmen::bench {
namespace {

using chat::Chat;
using std::chrono::seconds;

constexpr std::size_t kParticipants = 10;
constexpr std::size_t kMessages = 100;
constexpr std::size_t kRead = 92;
constexpr Timestamp kStart = std::chrono::sys_days(std::chrono::year(2024) / 1 / 1);

// Returns a user of a conversation. A user is in at most ten conversations.
std::string User(std::size_t conversation, std::size_t participant) {
  return Id('u', conversation / 10 * kParticipants + participant);
}

Timestamp TimeOf(std::size_t message) { return kStart + seconds(message); }

chat::MessageId MessageOf(const std::string& conversation, std::size_t message) {
  return {conversation, LowestUlid(TimeOf(message))};
}

// Returns messages number 1 to `count` of a conversation.
std::vector<chat::Message> History(const std::string& conversation, std::size_t count,
                                   const std::string& sender) {
  std::vector<chat::Message> messages;
  for (std::size_t i = 1; i <= count; ++i) {
    messages.push_back(
        {.id = MessageOf(conversation, i), .sender_id = sender, .body = std::string(180, 'x')});
  }
  return messages;
}

Status LoadConversation(Chat& app, std::size_t number) {
  chat::NewConversation conversation = {
      .id = Id('c', number), .name = "Plans", .created_at = kStart};
  for (std::size_t i = 0; i < kParticipants; ++i) {
    conversation.participants.push_back({.user_id = User(number, i)});
  }
  Status loaded = app.CreateConversation(conversation).status();
  if (loaded.ok()) {
    loaded = app.ImportMessages(History(conversation.id, kMessages, User(number, 0)));
  }
  if (!loaded.ok()) return loaded;
  return app.MarkRead({conversation.id, User(number, 1)}, TimeOf(kRead));
}

// Loads the conversations to which the patterns write: one for sends, and one for the rest.
Status LoadWritten(Chat& app) {
  for (const char* id : {"sent", "edited"}) {
    const Status loaded =
        app.CreateConversation({.id = id,
                                .participants = {{.user_id = "w0"}, {.user_id = "w1"}},
                                .created_at = kStart})
            .status();
    if (!loaded.ok()) return loaded;
  }
  const Status opened = app.OpenDirect("w0", "w1").status();
  return opened.ok() ? app.ImportMessages(History("edited", 2, "w0")) : opened;
}

Status Load(Chat& app, std::size_t size) {
  for (std::size_t number = 0; number < size / kMessages; ++number) {
    if (Status loaded = LoadConversation(app, number); !loaded.ok()) return loaded;
  }
  return LoadWritten(app);
}

// Closes the subscription at once: the patterns read copies of the conversations as they were loaded.
Status LoadSorted(Chat& app, std::size_t size) {
  const Status loaded = Load(app, size);
  return loaded.ok() ? app.SortInboxes(false).status() : loaded;
}

std::size_t NumberOf(BenchmarkCall call) { return call.number % (call.size / kMessages); }
std::string ConversationOf(BenchmarkCall call) { return Id('c', NumberOf(call)); }
chat::ParticipantId ReaderOf(BenchmarkCall call) {
  return {ConversationOf(call), User(NumberOf(call), 1)};
}

void AddConversations(ModelBenchmark<Chat>* rows) {
  rows->Pattern("conversation", [](const Chat& app, BenchmarkCall call) {
    return app.GetConversation(ConversationOf(call));
  });
  rows->Pattern("inbox of a user", [](const Chat& app, BenchmarkCall call) {
    return app.ListConversations(User(NumberOf(call), 1));
  });
  rows->Pattern("open a direct conversation", [](Chat& app) { return app.OpenDirect("w0", "w1"); });
  rows->Pattern("participants", [](const Chat& app, BenchmarkCall call) {
    return app.ListParticipants(ConversationOf(call));
  });
  rows->Pattern("participant", [](const Chat& app, BenchmarkCall call) {
    return app.GetParticipant(ReaderOf(call));
  });
}

void AddMessages(ModelBenchmark<Chat>* rows) {
  rows->Pattern("newest 50 messages", [](const Chat& app, BenchmarkCall call) {
    return app.ListMessages({.conversation_id = ConversationOf(call)});
  });
  rows->Pattern("50 messages before one", [](const Chat& app, BenchmarkCall call) {
    const auto [conversation, ulid] = MessageOf(ConversationOf(call), 80);
    return app.ListMessages({.conversation_id = conversation, .before = ulid});
  });
  rows->Pattern("51 messages around one", [](const Chat& app, BenchmarkCall call) {
    return app.ListMessagesAround(MessageOf(ConversationOf(call), 50), 25);
  });
  rows->Pattern("one message", [](const Chat& app, BenchmarkCall call) {
    return app.GetMessage(MessageOf(ConversationOf(call), 1 + call.number % kMessages));
  });
  rows->Pattern("open the window", [](const Chat& app, BenchmarkCall call) {
    return app.OpenWindow(ConversationOf(call));
  });
  rows->Pattern("unread count", [](const Chat& app, BenchmarkCall call) {
    return app.CountUnread(ReaderOf(call));
  });
  rows->Pattern("unread count by filter", [](const Chat& app, BenchmarkCall call) {
    return app.CountUnread({.id = ReaderOf(call), .last_read_at = TimeOf(kRead)}, chat::kUnreadMax,
                           chat::UnreadMethod::kFilter);
  });
  rows->Pattern("first unread message", [](const Chat& app, BenchmarkCall call) {
    return app.FirstUnread(ReaderOf(call));
  });
}

void AddWritesOfMessages(ModelBenchmark<Chat>* rows) {
  static const chat::NewMessage kMessage = {
      .conversation_id = "sent", .sender_id = "w0", .body = std::string(180, 'x')};
  rows->Pattern("send a message", [](Chat& app) { return app.SendMessage(kMessage); });
  rows->Pattern("send a message with a token", [](Chat& app, BenchmarkCall call) {
    chat::NewMessage message = kMessage;
    message.token = Id('t', call.number);
    return app.SendMessage(message);
  });
  rows->Pattern("edit a message", [](Chat& app, BenchmarkCall call) {
    return app.EditMessage(MessageOf("edited", 2), "w0", Id('x', call.number));
  });
  rows->Pattern("delete a message, and import it", [](Chat& app) {
    const Status deleted = app.DeleteMessage(MessageOf("edited", 2), "w0");
    return deleted.ok() ? app.ImportMessages(History("edited", 2, "w0")) : deleted;
  });
  rows->Pattern("import 25 messages", [messages = History("sent", 25, "w0")](Chat& app) {
    return app.ImportMessages(messages);
  });
}

void AddWrites(ModelBenchmark<Chat>* rows) {
  rows->Pattern("create and delete a conversation", [](Chat& app, BenchmarkCall call) {
    const std::string id = Id('n', call.number);
    const Status created =
        app.CreateConversation({.id = id, .participants = {{.user_id = "w0"}, {.user_id = "w1"}}})
            .status();
    return created.ok() ? app.DeleteConversation(id) : created;
  });
  rows->Pattern("rename a conversation", [](Chat& app, BenchmarkCall call) {
    return app.RenameConversation("edited", Id('n', call.number));
  });
  rows->Pattern("archive and reopen", [](Chat& app) {
    const Status archived = app.ArchiveConversation("edited").status();
    return archived.ok() ? app.ArchiveConversation("edited", false).status() : archived;
  });
  rows->Pattern("join and leave", [](Chat& app) {
    const chat::NewParticipant person = {.user_id = "w2"};
    const Status joined = app.AddParticipants("edited", {&person, 1});
    return joined.ok() ? app.RemoveParticipant({"edited", "w2"}) : joined;
  });
  rows->Pattern("change a role", [](Chat& app, BenchmarkCall call) {
    return app.ChangeRole({"edited", "w1"},
                          call.number % 2 == 0 ? chat::Role::kAdmin : chat::Role::kMember);
  });
  rows->Pattern("mark as read", [](Chat& app, BenchmarkCall call) {
    return app.MarkRead({"edited", "w1"}, TimeOf(call.number));
  });
}

}  // namespace

void AddChat() {
  const auto open = [](const Database& database, RequestObserver observer) {
    return Chat::Open(database, {.observer = std::move(observer)});
  };
  ModelBenchmark<Chat> rows({.name = "chat", .open = open, .load = Load, .sizes = ModelSizes()});
  AddConversations(&rows);
  AddMessages(&rows);
  AddWritesOfMessages(&rows);
  AddWrites(&rows);

  const auto open_with_stream = [](const Database& database, RequestObserver observer) {
    return Chat::Open(database, {.stream = true, .observer = std::move(observer)});
  };
  ModelBenchmark<Chat>(
      {.name = "chat", .open = open_with_stream, .load = LoadSorted, .sizes = ModelSizes()})
      .Pattern("sorted inbox of a user", [](const Chat& app, BenchmarkCall call) {
        return app.ListRecent(User(NumberOf(call), 1));
      });
}

}  // namespace dolmen::bench
