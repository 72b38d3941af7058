#include "models/demo/chat_tour.h"

#include <dolmen/database.h>

#include <chrono>
#include <string>
#include <vector>

#include "models/chat/chat.h"
#include "models/chat/sample.h"
#include "models/demo/chat_data.h"
#include "models/demo/print.h"
#include "models/demo/step.h"

namespace dolmen::demo {
namespace {

using chat::Chat;
using chat::Message;
using MessagePage = EntityPage<Message>;

constexpr std::size_t kShownRows = 4;  // rows shown of each page

std::string ShowPreview(const std::optional<chat::MessagePreview>& preview) {
  return preview ? preview->sender_id + ": " + preview->body : "";
}

std::string ShowUnreadCount(std::uint64_t unread) {
  if (unread == 0) return "";
  return (unread < chat::kUnreadMax ? std::to_string(unread) : "99+") + " unread";
}

// Returns a row for each of the first kShownRows messages, and a last row with the number of the
// remaining messages.
Rows MessageRows(const std::vector<Message>& messages) {
  Rows rows;
  for (const Message& message : messages) {
    if (rows.size() == kShownRows) break;
    rows.push_back({ToIso8601(message.created_at), message.sender_id, message.body});
  }
  if (messages.size() > kShownRows) {
    rows.push_back({"... and " + std::to_string(messages.size() - kShownRows) + " more"});
  }
  return rows;
}

Status LoadOrFind(Chat* chat) {
  const Result<bool> loaded = IsChatDataLoaded(*chat);
  if (!loaded.ok()) return loaded.status();
  if (*loaded) {
    PrintNote("Using the data that an earlier run loaded.");
    return {};
  }
  std::chrono::nanoseconds took{};
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

Status ShowConversation(const RequestLog& log, Chat* chat) {
  return ShowStep(
      log, {"AP1", "Conversation metadata"}, [&] { return chat->GetConversation("c_01"); },
      [](const chat::Conversation& conversation) {
        return Rows{
            {"name", conversation.name.value_or("")},
            {"type", conversation.type == chat::ConversationType::kGroup ? "group" : "direct"},
            {"participants", std::to_string(conversation.participant_count)},
            {"last message", ShowPreview(conversation.last_message)},
            {"last activity", ToIso8601(conversation.LastActivity())}};
      });
}

Status ShowInbox(const RequestLog& log, Chat* chat) {
  return ShowStep(
      log, {"AP2", "A user's conversations, most recently active first"},
      [&] { return chat->ListConversations("u_01"); },
      [](const std::vector<chat::InboxEntry>& inbox) {
        Rows rows;
        for (const chat::InboxEntry& entry : inbox) {
          rows.push_back(
              {entry.reader.id.conversation_id, entry.conversation.name.value_or("(direct)"),
               ToIso8601(entry.conversation.last_activity), ShowUnreadCount(entry.unread),
               ShowPreview(entry.conversation.last_message)});
        }
        return rows;
      });
}

Status ShowParticipants(const RequestLog& log, Chat* chat) {
  return ShowStep(
      log, {"AP3", "Participants of a conversation"},
      [&] { return chat->ListParticipants("c_01"); },
      [](const std::vector<chat::Participant>& participants) {
        Rows rows;
        for (const chat::Participant& participant : participants) {
          rows.push_back({participant.id.user_id,
                          participant.role == chat::Role::kAdmin ? "admin" : "member",
                          "joined " + ToIso8601(participant.joined_at),
                          "read up to " + ToIso8601(participant.last_read_at)});
        }
        return rows;
      });
}

// The number of pages and messages from a cursor to the end.
struct Walk {
  std::size_t pages = 0;
  std::size_t messages = 0;
};

Result<Walk> WalkToTheBeginning(const Chat& chat, std::string cursor) {
  Walk walk;
  while (!cursor.empty()) {
    const auto page = chat.ListMessages({.conversation_id = kLargeConversation, .cursor = cursor});
    if (!page.ok()) return page.status();
    cursor = page->next_cursor;
    walk.messages += page->items.size();
    ++walk.pages;
  }
  return walk;
}

Status ShowHistory(const RequestLog& log, Chat* chat) {
  std::string cursor;
  for (const Step& step :
       {Step{"AP4", "Messages, newest first, 50 a page"}, Step{"", "The next page"}}) {
    Status status = ShowStep(
        log, step,
        [&] {
          return chat->ListMessages({.conversation_id = kLargeConversation, .cursor = cursor});
        },
        [&](const MessagePage& page) {
          cursor = page.next_cursor;
          return MessageRows(page.items);
        });
    if (!status.ok()) return status;
  }
  return ShowStep(
      log, {"", "All further pages, back to the first message"},
      [&] { return WalkToTheBeginning(*chat, cursor); },
      [](const Walk& walk) {
        return Rows{{FormatCount(walk.messages) + " messages", FormatCount(walk.pages) + " pages"}};
      });
}

Status ShowMessage(const RequestLog& log, Chat* chat) {
  return ShowStep(
      log, {"AP5", "One message"}, [&] { return chat->GetMessage(chat::SampleMessageCanWeShip()); },
      [](const Message& message) { return MessageRows({message}); });
}

Status ShowUnread(const RequestLog& log, Chat* chat) {
  struct Way {
    Step step;
    chat::UnreadMethod method;
  };
  const chat::ParticipantId id = {kLargeConversation, "u_02"};
  const Result<chat::Participant> reader = chat->GetParticipant(id);
  if (!reader.ok()) return reader.status();
  log.Take();  // the window has shown the participants
  for (const Way& way : {Way{{"AP6", "Unread count, by key range"}, chat::UnreadMethod::kKeyRange},
                         Way{{"", "Unread count by filter, which reads the whole history"},
                             chat::UnreadMethod::kFilter}}) {
    Status status = ShowStep(
        log, way.step, [&] { return chat->CountUnread(*reader, 1000, way.method); },
        [&](std::uint64_t count) {
          return Rows{
              {FormatCount(count) + " unread by " + id.user_id + " in " + id.conversation_id}};
        });
    if (!status.ok()) return status;
  }
  return {};
}

Status ShowSend(const RequestLog& log, Chat* chat) {
  Status sent = ShowStep(
      log, {"AP7", "Send a message"},
      [&] {
        return chat->SendMessage({.conversation_id = kLargeConversation,
                                  .sender_id = "u_01",
                                  .body = "One more from the demo."});
      },
      [](const Message& message) { return MessageRows({message}); });
  if (!sent.ok()) return sent;
  ShowOutcome(log, {"", "Send a message as a user who is not a participant"}, [&] {
    return chat->SendMessage({.conversation_id = "c_01", .sender_id = "u_09", .body = "Hi"})
        .status();
  });
  return {};
}

}  // namespace

Status ShowChat(const std::filesystem::path& directory) {
  PrintTitle("Chat", directory.string());
  const Result<Database> database = Database::Open(directory);
  if (!database.ok()) return database.status();
  const RequestLog log;
  Result<Chat> opened = Chat::Open(*database, {.observer = log.observer()});
  if (!opened.ok()) return opened.status();
  Chat chat = *std::move(opened);
  if (Status status = LoadOrFind(&chat); !status.ok()) return status;

  for (const auto& show : {ShowConversation, ShowInbox, ShowParticipants, ShowHistory, ShowMessage,
                           ShowUnread, ShowSend}) {
    if (Status status = show(log, &chat); !status.ok()) return status;
  }
  return {};
}

}  // namespace dolmen::demo
