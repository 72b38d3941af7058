// chat_send measures how much a repository on the entity layer costs. `chat` calls SendMessage of
// models/chat, a repository on the entity layer. `plain` makes the same three writes with the plain
// API. The requests of `plain` have the same attributes and conditions as those of `chat`, and
// `plain` builds them for each message. The database is in memory and holds one conversation of two
// participants.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bench/contender.h"
#include "dolmen/clock.h"
#include "dolmen/condition_builder.h"
#include "dolmen/transaction.h"
#include "dolmen/ulid.h"
#include "dolmen/update_builder.h"
#include "models/chat/chat.h"

namespace dolmen::bench::chat_send {
namespace {

constexpr const char* kConversation = "c_01";
constexpr const char* kSender = "u_01";
const std::string kBody(180, 'x');

// A chat and its table. The contender `chat` sends through the chat, `plain` writes to the table.
struct Setting {
  Database database;
  chat::Chat chat;
  Table table;
  std::shared_ptr<UlidGenerator> ulids;
};

Result<Setting> MakeSetting() {
  const Result<Database> database = Database::InMemory();
  if (!database.ok()) return database.status();
  Result<chat::Chat> chat = chat::Chat::Open(*database);
  if (!chat.ok()) return chat.status();
  const auto made = chat->CreateConversation(
      {.id = kConversation, .participants = {{.user_id = kSender}, {.user_id = "u_02"}}});
  if (!made.ok()) return made.status();
  Result<Table> table = database->OpenTable("chat");
  if (!table.ok()) return table.status();
  return Setting{.database = *database,
                 .chat = *std::move(chat),
                 .table = *std::move(table),
                 .ulids = std::make_shared<UlidGenerator>(database->clock())};
}

std::string TimeText(Timestamp time) {
  std::string text = ToIso8601(time);
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  return text;
}

struct ByChat {
  static constexpr std::string_view kName = "chat";

  static Status Send(Setting* setting) {
    return setting->chat
        .SendMessage({.conversation_id = kConversation, .sender_id = kSender, .body = kBody})
        .status();
  }
};

struct ByPlainApi {
  static constexpr std::string_view kName = "plain";

  static Status Send(Setting* setting) {
    const std::string ulid = setting->ulids->Next();
    const Result<Timestamp> time = UlidTime(ulid);
    if (!time.ok()) return time.status();
    const std::string at = TimeText(*time);
    const std::string partition = std::string("CONVO#") + kConversation;
    return Transaction(setting->database, setting->table)
        .Put({.item = {{"PK", partition},
                       {"SK", "MSG#" + ulid},
                       {"entityType", "message"},
                       {"senderId", kSender},
                       {"body", kBody},
                       {"type", "text"},
                       {"createdAt", at}},
              .condition = AttributeNotExists("PK"),
              .return_item_on_condition_failure = true})
        .Update({.key = {{"PK", partition}, {"SK", "#METADATA"}},
                 .update = Update()
                               .Set("lastMessageId", ulid)
                               .Set("lastMessageBody", kBody)
                               .Set("lastMessageSender", kSender)
                               .Set("lastMessageAt", at)
                               .Set("updatedAt", at)
                               .Add("version", 1),
                 .condition = Attr("entityType") == "conversation" &&
                              AttributeNotExists("archivedAt") &&
                              (AttributeNotExists("lastMessageId") || Attr("lastMessageId") < ulid),
                 .return_item_on_condition_failure = true})
        .Update({.key = {{"PK", partition}, {"SK", std::string("PARTICIPANT#") + kSender}},
                 .update = Update().Set("lastReadAt", at),
                 .condition = Attr("entityType") == "participant",
                 .return_item_on_condition_failure = true})
        .Commit()
        .status();
  }
};

// Checks that the chat returns the message that was sent.
Status Check(const Setting& setting) {
  const auto page = setting.chat.ListMessages({.conversation_id = kConversation});
  if (!page.ok()) return page.status();
  const auto conversation = setting.chat.GetConversation(kConversation);
  if (!conversation.ok()) return conversation.status();
  const bool is_sent = page->items.size() == 1 && conversation->last_message &&
                       page->items[0].body == kBody &&
                       conversation->last_message->at == page->items[0].created_at &&
                       conversation->last_message->body == kBody;
  return is_sent ? Status()
                 : Status::Corruption("the chat does not return the message that was sent");
}

template <typename By>
class ChatSend : public Contender {
 public:
  std::string name() const override { return "chat_send/" + std::string(By::kName); }

  Status Prepare(Stores&) override {
    Result<Setting> setting = MakeSetting();
    if (!setting.ok()) return setting.status();
    if (Status sent = By::Send(&*setting); !sent.ok()) return sent;
    return Check(*setting);
  }

  void Time(benchmark::State& state) override {
    Result<Setting> setting = MakeSetting();
    for ([[maybe_unused]] auto iteration : state) {
      const Status sent = setting.ok() ? By::Send(&*setting) : setting.status();
      if (sent.ok()) continue;
      state.SkipWithError(sent.ToString().c_str());
      break;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }
};

const Registered<ChatSend<ByChat>> kChat;
const Registered<ChatSend<ByPlainApi>> kPlain;

}  // namespace
}  // namespace dolmen::bench::chat_send
