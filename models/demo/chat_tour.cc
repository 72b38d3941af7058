#include <chrono>
#include <string>
#include <vector>

#include "models/chat/chat.h"
#include "models/chat/design.h"
#include "models/demo/chat_data.h"
#include "models/demo/story.h"
#include "models/demo/tours.h"

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

void ShowConversation(Chat* chat, Story* story) {
  story->Show(
      {"AP1", "Conversation metadata"}, [&] { return chat->GetConversation("c_01"); },
      [](const chat::Conversation& conversation) {
        return Rows{
            {"name", conversation.name.value_or("")},
            {"type", conversation.type == chat::ConversationType::kGroup ? "group" : "direct"},
            {"participants", std::to_string(conversation.participant_count)},
            {"last message", ShowPreview(conversation.last_message)},
            {"last activity", ToIso8601(conversation.LastActivity())}};
      });
}

void ShowInbox(Chat* chat, Story* story) {
  story->Show(
      {"AP2", "A user's conversations, most recently active first"},
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

void ShowParticipants(Chat* chat, Story* story) {
  story->Show(
      {"AP3", "Participants of a conversation"}, [&] { return chat->ListParticipants("c_01"); },
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

void ShowHistory(Chat* chat, Story* story) {
  std::string cursor;
  for (const Step& step :
       {Step{"AP4", "Messages, newest first, 50 a page"}, Step{"", "The next page"}}) {
    story->Show(
        step,
        [&] {
          return chat->ListMessages({.conversation_id = kLargeConversation, .cursor = cursor});
        },
        [&](const MessagePage& page) {
          cursor = page.next_cursor;
          return MessageRows(page.items);
        });
  }
  story->Show(
      {"", "All further pages, back to the first message"},
      [&] { return WalkToTheBeginning(*chat, cursor); },
      [](const Walk& walk) {
        return Rows{{FormatCount(walk.messages) + " messages", FormatCount(walk.pages) + " pages"}};
      });
}

void ShowMessage(Chat* chat, Story* story) {
  story->Show(
      {"AP5", "One message"}, [&] { return chat->GetMessage(chat::SampleMessageCanWeShip()); },
      [](const Message& message) { return MessageRows({message}); });
}

void ShowUnread(Chat* chat, Story* story) {
  struct Way {
    Step step;
    chat::UnreadMethod method;
  };
  const chat::ParticipantId id = {kLargeConversation, "u_02"};
  const Result<chat::Participant> reader = chat->GetParticipant(id);
  if (!reader.ok()) return story->Fail(reader.status());
  for (const Way& way : {Way{{"AP6", "Unread count, by key range"}, chat::UnreadMethod::kKeyRange},
                         Way{{"", "Unread count by filter, which reads the whole history"},
                             chat::UnreadMethod::kFilter}}) {
    story->Show(
        way.step, [&] { return chat->CountUnread(*reader, 1000, way.method); },
        [&](std::uint64_t count) {
          return Rows{
              {FormatCount(count) + " unread by " + id.user_id + " in " + id.conversation_id}};
        });
  }
}

void ShowSend(Chat* chat, Story* story) {
  story->Show(
      {"AP7", "Send a message"},
      [&] {
        return chat->SendMessage({.conversation_id = kLargeConversation,
                                  .sender_id = "u_01",
                                  .body = "One more from the demo."});
      },
      [](const Message& message) { return MessageRows({message}); });
  story->Outcome({"", "Send a message as a user who is not a participant"}, [&] {
    return chat->SendMessage({.conversation_id = "c_01", .sender_id = "u_09", .body = "Hi"})
        .status();
  });
}

void ShowWindow(Chat* chat, Story* story) {
  story->Show(
      {"", "Open the window: conversation, people and first page"},
      [&] { return chat->OpenWindow("c_01"); },
      [](const chat::ChatWindow& window) {
        return Rows{{window.conversation.name.value_or("")},
                    {std::to_string(window.participants.size()) + " people"},
                    {std::to_string(window.messages.size()) + " messages"}};
      });
}

void ShowSubscriber(Chat* chat, Story* story) {
  Rows received;
  const auto collect = [&](const Message& message) {
    received.push_back({message.sender_id, message.body});
    return Status();
  };
  Result<Subscription> reader =
      chat->SubscribeToMessages("phone", collect, /*in_background=*/false);
  if (!reader.ok()) return story->Fail(reader.status());
  story->Tell("A phone subscribes to new messages and is switched off. Two messages follow.");
  for (const char* body : {"Are you there?", "See you on Friday."}) {
    story->Outcome({"", "Send a message while the phone is off"}, [&] {
      return chat->SendMessage({.conversation_id = "c_01", .sender_id = "u_02", .body = body});
    });
  }
  story->Show(
      {"", "The phone catches up with the change feed"}, [&] { return reader->Deliver(); },
      [&](const auto&) { return received; });
}

void ShowRecent(Chat* chat, Story* story) {
  Result<Subscription> sorting = chat->SortInboxes(/*in_background=*/false);
  if (!sorting.ok()) return story->Fail(sorting.status());
  story->Tell("An inbox can also be sorted by the index. A subscription moves its entries.");
  story->Outcome({"", "Send a message to the direct conversation c_02"}, [&] {
    return chat->SendMessage({.conversation_id = "c_02", .sender_id = "u_03", .body = "Hello!"});
  });
  story->Outcome({"", "Move this conversation to the top of two inboxes"},
                 [&] { return sorting->Deliver(); });
  story->Show(
      {"AP2", "A user's conversations by the index, most recently active first"},
      [&] { return chat->ListRecent("u_01"); },
      [](const EntityPage<chat::InboxEntry>& page) {
        Rows rows;
        for (const chat::InboxEntry& entry : page.items) {
          rows.push_back({entry.conversation.name.value_or("(direct)"),
                          ToIso8601(entry.conversation.last_activity)});
        }
        return rows;
      });
}

// Loads the data, whose progress a terminal shows.
Status Load(Chat* chat) {
  ProgressBar bar("Loading messages", kGeneratedMessages);
  return LoadChatData(chat, [&](std::size_t count) { bar.Add(count); });
}

}  // namespace

Status ShowChat(const Database& database, ManualClock* clock, Page* page) {
  Story story(page, "Chat: conversations, participants and messages");
  Result<Chat> opened = Chat::Open(database, {.stream = true, .observer = story.observer()});
  if (!opened.ok()) return opened.status();
  Chat chat = *std::move(opened);
  if (Status status = LoadSampleData(&chat); !status.ok()) return status;
  story.Draw(database, chat::Design());
  if (Status status = Load(&chat); !status.ok()) return status;

  story.Tell("The conversation c_03 gets 7,000 further messages, and others 3,000.");
  for (const auto& show : {ShowConversation, ShowInbox, ShowParticipants, ShowWindow, ShowHistory,
                           ShowMessage, ShowUnread}) {
    show(&chat, &story);
  }
  story.Tell(
      "The filter pays for every message that it reads. The key range reads only the unread "
      "messages, because a ULID begins with its time.");
  clock->Advance(std::chrono::minutes(1));
  for (const auto& show : {ShowSend, ShowSubscriber, ShowRecent}) show(&chat, &story);
  return story.PrintCosts().status();
}

}  // namespace dolmen::demo
