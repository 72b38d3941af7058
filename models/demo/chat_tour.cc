#include "models/demo/chat_tour.h"

#include <dolmen/database.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "models/chat/chat.h"
#include "models/chat/sample.h"
#include "models/demo/chat_data.h"
#include "models/demo/print.h"

namespace dolmen::demo {
namespace {

using chat::Chat;
using chat::Message;
using std::chrono::nanoseconds;

constexpr std::size_t kShownRows = 4;  // of a page

std::string ShowPreview(const std::optional<chat::MessagePreview>& preview) {
  return preview ? preview->sender_id + ": " + preview->body : "";
}

// The first few messages, and how many there are besides.
void PrintMessages(const std::vector<Message>& messages) {
  Rows rows;
  for (const Message& message : messages) {
    if (rows.size() == kShownRows) break;
    rows.push_back({ToIso8601(message.created_at), message.sender_id, message.body});
  }
  PrintRows(rows);
  if (messages.size() > kShownRows) {
    PrintRows({{"... and " + std::to_string(messages.size() - kShownRows) + " more"}});
  }
}

Status LoadOrFind(Chat* chat) {
  const Result<bool> loaded = IsChatDataLoaded(*chat);
  if (!loaded.ok()) return loaded.status();
  if (*loaded) {
    PrintNote("Found the data that an earlier run has loaded.");
    return {};
  }
  nanoseconds took{};
  const Status status = Timed(
      [&] {
        ProgressBar bar("Loading messages", kGeneratedMessages);
        return LoadChatData(chat, [&](std::size_t count) { bar.Add(count); });
      },
      &took);
  if (!status.ok()) return status;
  PrintTook("Loaded the sample data and " + FormatCount(kGeneratedMessages) +
                " generated messages, 99 to a transaction,",
            took);
  return {};
}

Status ShowConversation(const Chat& chat) {
  PrintStep("AP1", "Conversation metadata", {"GetItem  PK = CONVO#c_01, SK = #METADATA"});
  nanoseconds took{};
  const auto conversation = Timed([&] { return chat.GetConversation("c_01"); }, &took);
  if (!conversation.ok()) return conversation.status();
  PrintRows({{"name", conversation->name.value_or("")},
             {"type", conversation->type == chat::ConversationType::kGroup ? "group" : "direct"},
             {"participants", std::to_string(conversation->participant_count)},
             {"last message", ShowPreview(conversation->last_message)},
             {"last activity", ToIso8601(conversation->LastActivity())}});
  PrintTook("1 item", took);
  return {};
}

Status ShowInbox(const Chat& chat) {
  PrintStep("AP2", "A user's conversations, the most recently active first",
            {"Query    IndexName = GSI1, GSI1PK = USER#u_01",
             "GetItem  PK = CONVO#<id>, SK = #METADATA, for each of them; sorted by the client"});
  nanoseconds took{};
  const auto inbox = Timed([&] { return chat.ListConversations("u_01"); }, &took);
  if (!inbox.ok()) return inbox.status();
  Rows rows;
  for (const chat::InboxEntry& entry : *inbox) {
    rows.push_back({entry.conversation_id, entry.name.value_or("(direct)"),
                    ToIso8601(entry.last_activity), entry.HasUnread() ? "unread" : "",
                    ShowPreview(entry.last_message)});
  }
  PrintRows(rows);
  PrintTook(std::to_string(inbox->size()) + " conversations", took);
  return {};
}

Status ShowParticipants(const Chat& chat) {
  PrintStep("AP3", "Participants of a conversation",
            {"Query    PK = CONVO#c_01, begins_with(SK, PARTICIPANT#)"});
  nanoseconds took{};
  const auto participants = Timed([&] { return chat.ListParticipants("c_01"); }, &took);
  if (!participants.ok()) return participants.status();
  Rows rows;
  for (const chat::Participant& participant : *participants) {
    rows.push_back({participant.id.user_id,
                    participant.role == chat::Role::kAdmin ? "admin" : "member",
                    "joined " + ToIso8601(participant.joined_at),
                    "read up to " + ToIso8601(participant.last_read_at)});
  }
  PrintRows(rows);
  PrintTook(std::to_string(participants->size()) + " participants", took);
  return {};
}

// Walks the pages behind `cursor` to the beginning of the history.
Status ShowRestOfHistory(const Chat& chat, std::string cursor) {
  std::size_t pages = 0;
  std::size_t messages = 0;
  nanoseconds took{};
  const Status status = Timed(
      [&]() -> Status {
        while (!cursor.empty()) {
          const auto page =
              chat.ListMessages({.conversation_id = kLargeConversation, .cursor = cursor});
          if (!page.ok()) return page.status();
          cursor = page->next_cursor;
          messages += page->messages.size();
          ++pages;
        }
        return {};
      },
      &took);
  if (!status.ok()) return status;
  PrintTook("and back to the first message: " + FormatCount(messages) + " messages on " +
                FormatCount(pages) + " pages",
            took);
  return {};
}

Status ShowHistory(const Chat& chat) {
  PrintStep(
      "AP4", "Messages, newest first, 50 a page",
      {"Query    PK = CONVO#c_03, begins_with(SK, MSG#), ScanIndexForward = false, Limit = 50",
       "         ExclusiveStartKey = the last message of the page before"});
  std::string cursor;
  for (int page_number = 1; page_number <= 2; ++page_number) {
    nanoseconds took{};
    const auto page = Timed(
        [&] {
          return chat.ListMessages({.conversation_id = kLargeConversation, .cursor = cursor});
        },
        &took);
    if (!page.ok()) return page.status();
    PrintMessages(page->messages);
    PrintTook("page " + std::to_string(page_number) + ", " + std::to_string(page->messages.size()) +
                  " messages,",
              took);
    cursor = page->next_cursor;
  }
  return ShowRestOfHistory(chat, cursor);
}

Status ShowMessage(const Chat& chat) {
  const chat::MessageId id = chat::SampleMessageCanWeShip();
  PrintStep("AP5", "One message", {"GetItem  PK = CONVO#c_01, SK = MSG#" + id.ulid});
  nanoseconds took{};
  const auto message = Timed([&] { return chat.GetMessage(id); }, &took);
  if (!message.ok()) return message.status();
  PrintMessages({*message});
  PrintTook("1 item", took);
  return {};
}

Status ShowUnreadOf(const Chat& chat, const chat::ParticipantId& id, chat::UnreadMethod method) {
  nanoseconds took{};
  const auto count = Timed([&] { return chat.CountUnread(id, method); }, &took);
  if (!count.ok()) return count.status();
  const std::string by = method == chat::UnreadMethod::kKeyRange ? "key range" : "filter";
  PrintTook(FormatCount(*count) + " unread by " + id.user_id + " in " + id.conversation_id +
                ", by " + by + ",",
            took);
  return {};
}

Status ShowUnread(const Chat& chat) {
  PrintStep(
      "AP6", "Unread count",
      {"GetItem  PK = CONVO#<id>, SK = PARTICIPANT#<user>, for lastReadAt; then, by key range,",
       "Query    PK = CONVO#<id>, SK BETWEEN MSG#<first ULID behind lastReadAt> AND MSG#<last>,",
       "         Select = COUNT; or, by filter,",
       "Query    PK = CONVO#<id>, begins_with(SK, MSG#), createdAt > :lastReadAt, Select = COUNT"});
  for (const chat::ParticipantId& id :
       {chat::ParticipantId{"c_01", "u_01"}, chat::ParticipantId{kLargeConversation, "u_02"}}) {
    for (const auto method : {chat::UnreadMethod::kKeyRange, chat::UnreadMethod::kFilter}) {
      if (Status status = ShowUnreadOf(chat, id, method); !status.ok()) return status;
    }
  }
  return {};
}

Status ShowSend(Chat* chat) {
  PrintStep(
      "AP7", "Send a message",
      {"TransactWriteItems",
       "  Put    PK = CONVO#c_03, SK = MSG#<ulid>, if attribute_not_exists(PK)",
       "  Update PK = CONVO#c_03, SK = #METADATA, SET the last message, if it is not later",
       "  Update PK = CONVO#c_03, SK = PARTICIPANT#u_01, SET lastReadAt, if attribute_exists(PK)"});
  nanoseconds took{};
  const auto sent = Timed(
      [&] {
        return chat->SendMessage({.conversation_id = kLargeConversation,
                                  .sender_id = "u_01",
                                  .body = "One more from the demo."});
      },
      &took);
  if (!sent.ok()) return sent.status();
  PrintMessages({*sent});
  PrintTook("message " + sent->id.ulid + " is on disk", took);

  const Status refused =
      Timed([&] { return chat->SendMessage({.conversation_id = "c_01", .sender_id = "u_09"}); },
            &took)
          .status();
  PrintNote("-> refused in " + FormatDuration(took) + ": " + refused.message());
  return {};
}

}  // namespace

Status ShowChat(const std::filesystem::path& directory) {
  PrintTitle("Chat", directory.string());
  const Result<Database> database = Database::Open(directory);
  if (!database.ok()) return database.status();
  Result<Chat> opened = Chat::Open(*database);
  if (!opened.ok()) return opened.status();
  Chat chat = *std::move(opened);
  if (Status status = LoadOrFind(&chat); !status.ok()) return status;

  for (const auto& show :
       {ShowConversation, ShowInbox, ShowParticipants, ShowHistory, ShowMessage, ShowUnread}) {
    if (Status status = show(chat); !status.ok()) return status;
  }
  return ShowSend(&chat);
}

}  // namespace dolmen::demo
