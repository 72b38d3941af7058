// The access patterns of models/chat. A hundredth of the size is the number of conversations. Each has
// ten participants and 100 messages. Ten people are in every tenth conversation.

#include "models/chat/chat.h"

#include "bench/models/models.h"
#include "dolmen/benchmark.h"

namespace dolmen::bench {
namespace {

using chat::Chat;

constexpr std::size_t kParticipants = 10;
constexpr std::size_t kMessages = 100;

// Returns a user of a conversation. A user is in at most ten conversations.
std::string User(std::size_t conversation, std::size_t participant) {
  return Id('u', conversation / 10 * kParticipants + participant);
}

Status LoadConversation(Chat& app, std::size_t number) {
  chat::NewConversation conversation = {.id = Id('c', number), .name = "Plans"};
  for (std::size_t i = 0; i < kParticipants; ++i) {
    conversation.participants.push_back({.user_id = User(number, i)});
  }
  Status loaded = app.CreateConversation(conversation).status();
  for (std::size_t i = 0; i < kMessages && loaded.ok(); ++i) {
    loaded = app.SendMessage({.conversation_id = conversation.id,
                              .sender_id = User(number, i % kParticipants),
                              .body = std::string(180, 'x')})
                 .status();
  }
  return loaded;
}

Status Load(Chat& app, std::size_t size) {
  for (std::size_t number = 0; number < size / 100; ++number) {
    if (Status loaded = LoadConversation(app, number); !loaded.ok()) return loaded;
  }
  return app.CreateConversation({.id = "written", .participants = {{.user_id = "w0"}}}).status();
}

std::size_t NumberOf(BenchmarkCall call) { return call.number % (call.size / 100); }
std::string ConversationOf(BenchmarkCall call) { return Id('c', NumberOf(call)); }
chat::ParticipantId ReaderOf(BenchmarkCall call) {
  return {ConversationOf(call), User(NumberOf(call), 1)};
}

}  // namespace

void AddChat() {
  const auto open = [](const Database& database, RequestObserver observer) {
    return Chat::Open(database, {.observer = std::move(observer)});
  };
  ModelBenchmark<Chat>({.name = "chat", .open = open, .load = Load, .sizes = ModelSizes()})
      .Pattern("conversation",
               [](const Chat& app, BenchmarkCall call) {
                 return app.GetConversation(ConversationOf(call));
               })
      .Pattern("inbox of a user",
               [](const Chat& app, BenchmarkCall call) {
                 return app.ListConversations(User(NumberOf(call), 1));
               })
      .Pattern("participants",
               [](const Chat& app, BenchmarkCall call) {
                 return app.ListParticipants(ConversationOf(call));
               })
      .Pattern("newest 50 messages",
               [](const Chat& app, BenchmarkCall call) {
                 return app.ListMessages({.conversation_id = ConversationOf(call)});
               })
      .Pattern("unread count",
               [](const Chat& app, BenchmarkCall call) { return app.CountUnread(ReaderOf(call)); })
      .Pattern("send a message", [](Chat& app) {
        return app.SendMessage(
            {.conversation_id = "written", .sender_id = "w0", .body = std::string(180, 'x')});
      });
}

}  // namespace dolmen::bench
