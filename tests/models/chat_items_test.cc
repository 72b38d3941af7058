#include <gtest/gtest.h>

#include <functional>

#include "models/chat/items.h"
#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

// What reading the entity back says after `damage` was done to its item.
template <typename Entity>
std::string Read(const Entity& entity, Result<Entity> (*read)(ItemView),
                 const std::function<void(Item*)>& damage) {
  Item item = ToItem(entity);
  damage(&item);
  const Table table = Value(Value(Database::InMemory()).CreateTable({.name = "items"}));
  const Item key = {{"PK", item["PK"]}, {"SK", item["SK"]}};
  Value(table.PutItem({.item = item}));
  const GetItemOutput stored = Value(table.GetItem({.key = key}));
  return read(stored.item->view()).status().ToString();
}

std::string ReadMessage(const std::function<void(Item*)>& damage) {
  return Read(Message{.id = {"c_01", LowestUlid(Timestamp())}, .sender_id = "u_01"}, MessageFrom,
              damage);
}

std::string ReadParticipant(const std::function<void(Item*)>& damage) {
  return Read(Participant{.id = {"c_01", "u_01"}}, ParticipantFrom, damage);
}

std::string ReadConversation(const std::function<void(Item*)>& damage) {
  return Read(Conversation{.id = "c_01"}, ConversationFrom, damage);
}

void Nothing(Item*) {}

TEST(ChatItemsTest, UndamagedItemsAreRead) {
  EXPECT_EQ(ReadMessage(Nothing), "OK");
  EXPECT_EQ(ReadParticipant(Nothing), "OK");
  EXPECT_EQ(ReadConversation(Nothing), "OK");
}

TEST(ChatItemsTest, ErrorsNameItemAndAttribute) {
  const std::string message =
      "Message \"CONVO#c_01\" \"MSG#00000000000000000000000000\": attribute ";
  const std::string participant = "Participant \"CONVO#c_01\" \"PARTICIPANT#u_01\": attribute ";
  const std::string conversation = "Conversation \"CONVO#c_01\" \"#METADATA\": attribute ";
  const auto expect = [](const std::string& actual, const std::string& problem) {
    EXPECT_TRUE(actual.ends_with(": " + problem)) << actual << "\nnot\n" << problem;
  };
  expect(ReadMessage([](Item* item) { item->erase("body"); }), message + "body is missing");
  expect(ReadMessage([](Item* item) { (*item)["body"] = 7; }), message + "body has type N, not S");
  expect(ReadMessage([](Item* item) { (*item)["createdAt"] = "noon"; }),
         message + "createdAt is not a time: \"noon\"");
  expect(ReadParticipant([](Item* item) { (*item)["role"] = "owner"; }),
         participant + "role has the unknown value \"owner\"");
  expect(ReadParticipant([](Item* item) { item->erase("lastReadAt"); }),
         participant + "lastReadAt is missing");
  expect(ReadConversation([](Item* item) { (*item)["participantCount"] = -1; }),
         conversation + "participantCount is not a count");
  expect(ReadConversation([](Item* item) { (*item)["participantCount"] = "2"; }),
         conversation + "participantCount has type S, not N");
  expect(ReadConversation([](Item* item) { (*item)["name"] = 7; }),
         conversation + "name has type N, not S");
  expect(ReadConversation([](Item* item) { (*item)["lastMessageAt"] = "2026-04-15T10:30:00Z"; }),
         conversation + "lastMessageBody is missing");
  expect(ReadConversation([](Item* item) { (*item)["PK"] = "USER#u_01"; }),
         "Conversation \"USER#u_01\" \"#METADATA\": attribute PK does not begin with \"CONVO#\"");
}

TEST(ChatItemsTest, NullNameIsNoName) {
  EXPECT_EQ(ReadConversation([](Item* item) { (*item)["name"] = nullptr; }), "OK");
}

}  // namespace
}  // namespace dolmen::chat
