// Tests of how a chat's entities are stored, and of the errors for malformed items.

#include <gtest/gtest.h>

#include <functional>

#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

// Returns the error of reading the entity back after `damage` has changed its item.
template <typename Entity>
std::string Read(const Entity& entity, const std::function<void(Item*)>& damage) {
  Item item = Value(ToItem(entity));
  damage(&item);
  const Table table = Value(Value(Database::InMemory()).CreateTable({.name = "items"}));
  const Item key = {{"PK", item["PK"]}, {"SK", item["SK"]}};
  Value(table.PutItem({.item = item}));
  const GetItemOutput stored = Value(table.GetItem({.key = key}));
  const Result<Entity> read = FromItem<Entity>(stored.item->view());
  if (read.ok()) {
    EXPECT_EQ(*read, entity);
  }
  return read.status().ToString();
}

std::string ReadMessage(const std::function<void(Item*)>& damage) {
  return Read(
      Message{.id = {"c_01", LowestUlid(Timestamp())}, .sender_id = "u_01", .body = "Hello"},
      damage);
}

std::string ReadParticipant(const std::function<void(Item*)>& damage) {
  return Read(Participant{.id = {"c_01", "u_01"}}, damage);
}

std::string ReadWithSummary(const std::function<void(Item*)>& damage) {
  return Read(Participant{.id = {"c_01", "u_01"}, .summary = ConversationSummary{}}, damage);
}

std::string ReadConversation(const std::function<void(Item*)>& damage) {
  return Read(Conversation{.id = "c_01"}, damage);
}

void Nothing(Item*) {}

TEST(ChatItemsTest, UndamagedItemsAreRead) {
  EXPECT_EQ(ReadMessage(Nothing), "OK");
  EXPECT_EQ(ReadParticipant(Nothing), "OK");
  EXPECT_EQ(ReadWithSummary(Nothing), "OK");
  EXPECT_EQ(ReadConversation(Nothing), "OK");
}

TEST(ChatItemsTest, ErrorsNameItemAndAttribute) {
  const std::string message =
      "message \"CONVO#c_01\" \"MSG#00000000000000000000000000\": attribute ";
  const std::string participant = "participant \"CONVO#c_01\" \"PARTICIPANT#u_01\": attribute ";
  const std::string conversation = "conversation \"CONVO#c_01\" \"#METADATA\": attribute ";
  const auto expect = [](const std::string& actual, const std::string& problem) {
    EXPECT_TRUE(actual.ends_with(": " + problem)) << actual << "\nnot\n" << problem;
  };
  expect(ReadMessage([](Item* item) { (*item)["body"] = 7; }), message + "body has type N, not S");
  expect(ReadMessage([](Item* item) { (*item)["createdAt"] = "noon"; }),
         message + "createdAt is not a time: \"noon\"");
  expect(ReadParticipant([](Item* item) { (*item)["role"] = "owner"; }),
         participant + "role has the unknown value \"owner\"");
  expect(ReadWithSummary([](Item* item) { (*item)["conversationType"] = 7; }),
         participant + "conversationType has type N, not S");
  expect(ReadConversation([](Item* item) { (*item)["participantCount"] = -1; }),
         conversation + "participantCount is not a whole number from 0 to 4294967295");
  expect(ReadConversation([](Item* item) { (*item)["participantCount"] = "2"; }),
         conversation + "participantCount has type S, not N");
  expect(ReadConversation([](Item* item) { (*item)["name"] = 7; }),
         conversation + "name has type N, not S");
  expect(ReadConversation([](Item* item) { (*item)["PK"] = "USER#u_01"; }),
         "conversation \"USER#u_01\" \"#METADATA\": attribute PK does not begin with \"CONVO#\"");
}

TEST(ChatItemsTest, ErrorsNameAnItemOfAnotherEntity) {
  EXPECT_THAT(ReadConversation([](Item* item) { (*item)["entityType"] = "message"; }),
              testing::EndsWith("conversation \"CONVO#c_01\" \"#METADATA\": the item belongs to "
                                "another entity, message"));
  EXPECT_EQ(ReadConversation([](Item* item) { item->erase("entityType"); }), "OK");
}

TEST(ChatItemsTest, ANullNameIsReadAsNoName) {
  EXPECT_EQ(ReadConversation([](Item* item) { (*item)["name"] = nullptr; }), "OK");
}

// GSI2 sorts a user's conversations by their last activity. The item of a participant without a
// summary has no key in GSI2.
TEST(ChatItemsTest, ParticipantsWithoutSummaryAreNotInGsi2) {
  EXPECT_FALSE(Value(ToItem(Participant{.id = {"c_01", "u_01"}})).contains("GSI2PK"));
  const Item item = Value(ToItem(
      Participant{.id = {"c_01", "u_01"},
                  .summary = ConversationSummary{.last_activity = Time("2026-04-15T10:30:00Z")}}));
  EXPECT_EQ(item.at("GSI2PK"), AttributeValue("USER#u_01"));
  EXPECT_EQ(item.at("GSI2SK"), AttributeValue("2026-04-15T10:30:00.000Z#CONVO#c_01"));
}

}  // namespace
}  // namespace dolmen::chat
