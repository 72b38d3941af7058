// Tests of the chat's access patterns on the sample data: their results, requests and capacity. The
// figures in models/chat/README.md are the capacities that these tests expect.

#include <gtest/gtest.h>

#include "models/chat/chat.h"
#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

using Requests = std::vector<std::string>;

class ChatAccessPatternsTest : public ChatTest {
 protected:
  ChatAccessPatternsTest() {
    const Status status = LoadSampleData(&chat_);
    if (!status.ok()) throw std::runtime_error(status.ToString());
    log_.Take();
  }

  Item Stored(std::string_view partition, std::string_view sort) {
    const Table table = Value(database_.OpenTable("chat"));
    const GetItemOutput output = Value(table.GetItem({.key = {{"PK", partition}, {"SK", sort}}}));
    return output.item ? Value(output.item->Copy()) : Item();
  }

  // Expects that exactly these requests were sent since the last call, and consumed this capacity.
  void ExpectAsked(const Requests& expected, const Capacity& consumed) {
    Requests asked;
    Capacity total;
    for (const RequestTrace& trace : log_.Take()) {
      asked.push_back(trace.operation + " " + trace.request);
      total += trace.total();
    }
    EXPECT_EQ(asked, expected);
    EXPECT_EQ(total.read_units, consumed.read_units);
    EXPECT_EQ(total.write_units, consumed.write_units);
  }
};

TEST_F(ChatAccessPatternsTest, StoredItemsMatchThePattern) {
  EXPECT_EQ(Stored("CONVO#c_01", "#METADATA"),
            (Item{{"PK", "CONVO#c_01"},
                  {"SK", "#METADATA"},
                  {"entityType", "conversation"},
                  {"name", "Project Chat"},
                  {"type", "group"},
                  {"lastMessageId", SampleMessageSoundsGood().ulid},
                  {"lastMessageBody", "Sounds good!"},
                  {"lastMessageSender", "u_02"},
                  {"lastMessageAt", "2026-04-15T10:30:00.000Z"},
                  {"participantCount", 2},
                  {"createdAt", "2026-04-01T09:00:00.000Z"},
                  {"updatedAt", "2026-04-15T12:00:00.000Z"},
                  {"version", 2}}));
  const MessageId id = SampleMessageSoundsGood();
  EXPECT_EQ(Stored("CONVO#c_01", "MSG#" + id.ulid),
            (Item{{"PK", "CONVO#c_01"},
                  {"SK", "MSG#" + id.ulid},
                  {"entityType", "message"},
                  {"senderId", "u_02"},
                  {"body", "Sounds good!"},
                  {"type", "text"},
                  {"createdAt", "2026-04-15T10:30:00.000Z"}}));
  const Item participant = {{"PK", "CONVO#c_01"},
                            {"SK", "PARTICIPANT#u_01"},
                            {"GSI1PK", "USER#u_01"},
                            {"GSI1SK", "CONVO#c_01"},
                            {"entityType", "participant"},
                            {"role", "admin"},
                            {"joinedAt", "2026-04-01T09:00:00.000Z"},
                            {"lastReadAt", "2026-04-15T10:25:00.000Z"}};
  EXPECT_EQ(Stored("CONVO#c_01", "PARTICIPANT#u_01"), participant);
}

TEST_F(ChatAccessPatternsTest, GetConversationIsOneGetItem) {
  const Conversation group = Value(chat_.GetConversation("c_01"));
  ExpectAsked({R"(GetItem PK = "CONVO#c_01", SK = "#METADATA")"}, {.read_units = 0.5});
  EXPECT_EQ(group,
            (Conversation{.id = "c_01",
                          .name = "Project Chat",
                          .type = ConversationType::kGroup,
                          .last_message = MessagePreview{.id = SampleMessageSoundsGood().ulid,
                                                         .body = "Sounds good!",
                                                         .sender_id = "u_02",
                                                         .at = Time("2026-04-15T10:30:00Z")},
                          .participant_count = 2,
                          .created_at = Time("2026-04-01T09:00:00Z"),
                          .updated_at = clock_->Now(),
                          .version = 2}));
  const Conversation direct = Value(chat_.GetConversation("c_02"));
  EXPECT_EQ(direct.name, std::nullopt);
  EXPECT_EQ(direct.type, ConversationType::kDirect);
  ASSERT_TRUE(direct.last_message.has_value());
  EXPECT_EQ(direct.last_message->body, "See you tomorrow");
  EXPECT_EQ(direct.last_message->sender_id, "u_01");

  EXPECT_THAT(chat_.GetConversation("c_09"), IsNoConversation("c_09"));
  EXPECT_THAT(chat_.GetConversation(""), StatusIs(StatusCode::kValidation, _));
}

TEST_F(ChatAccessPatternsTest, ListConversationsReturnsTheMostRecentlyActiveFirst) {
  const std::vector<InboxEntry> inbox = Value(chat_.ListConversations("u_01"));
  ASSERT_EQ(inbox.size(), 2u);
  EXPECT_EQ(inbox[0].conversation, Value(chat_.GetConversation("c_01")).Summary());
  EXPECT_EQ(inbox[0].reader.id, (ParticipantId{"c_01", "u_01"}));
  EXPECT_EQ(inbox[0].reader.role, Role::kAdmin);
  EXPECT_EQ(inbox[0].reader.last_read_at, Time("2026-04-15T10:25:00Z"));
  EXPECT_EQ(inbox[0].unread, 1u);
  EXPECT_EQ(inbox[1].reader.id.conversation_id, "c_02");
  EXPECT_EQ(inbox[1].unread, 0u);
  EXPECT_TRUE(Value(chat_.ListConversations("u_09")).empty());
}

// u_02 has read everything, so no messages are counted.
TEST_F(ChatAccessPatternsTest, ListConversationsIsAQueryAndABatch) {
  Value(chat_.ListConversations("u_02"));
  ExpectAsked({R"(Query IndexName = GSI1, GSI1PK = "USER#u_02", begins_with(GSI1SK, "CONVO#"))",
               "BatchGetItem 1 keys"},
              {.read_units = 1});
}

TEST_F(ChatAccessPatternsTest, ANewMessageMovesItsConversationToTheTop) {
  Send("c_02", "u_03", "Or on Monday?");
  const std::vector<InboxEntry> inbox = Value(chat_.ListConversations("u_01", 1));
  ASSERT_EQ(inbox.size(), 1u);
  EXPECT_EQ(inbox[0].reader.id.conversation_id, "c_02");
  EXPECT_EQ(inbox[0].conversation.last_message->body, "Or on Monday?");
}

TEST_F(ChatAccessPatternsTest, ListParticipantsIsOneQuery) {
  const std::vector<Participant> participants = Value(chat_.ListParticipants("c_01"));
  ExpectAsked({R"(Query PK = "CONVO#c_01", begins_with(SK, "PARTICIPANT#"))"}, {.read_units = 0.5});
  const Timestamp joined = Time("2026-04-01T09:00:00Z");
  EXPECT_EQ(participants,
            (std::vector<Participant>{{.id = {"c_01", "u_01"},
                                       .role = Role::kAdmin,
                                       .joined_at = joined,
                                       .last_read_at = Time("2026-04-15T10:25:00Z")},
                                      {.id = {"c_01", "u_02"},
                                       .role = Role::kMember,
                                       .joined_at = joined,
                                       .last_read_at = Time("2026-04-15T10:30:00Z")}}));
  EXPECT_TRUE(Value(chat_.ListParticipants("c_09")).empty());
}

TEST_F(ChatAccessPatternsTest, ListMessagesReturnsTheNewestFirst) {
  const EntityPage<Message> page = Value(chat_.ListMessages({.conversation_id = "c_01"}));
  ExpectAsked({R"(Query PK = "CONVO#c_01", begins_with(SK, "MSG#"), ScanIndexForward = false, )"
               "Limit = 50"},
              {.read_units = 0.5});
  EXPECT_EQ(Bodies(page.items),
            (std::vector<std::string>{"Sounds good!", "Can we ship by Friday?"}));
  EXPECT_EQ(page.next_cursor, "");
  EXPECT_TRUE(Value(chat_.ListMessages({.conversation_id = "c_09"})).items.empty());
}

TEST_F(ChatAccessPatternsTest, ListMessagesResumesAtTheCursor) {
  const EntityPage<Message> newest =
      Value(chat_.ListMessages({.conversation_id = "c_01", .limit = 1}));
  EXPECT_EQ(Bodies(newest.items), std::vector<std::string>{"Sounds good!"});
  log_.Take();
  const EntityPage<Message> older = Value(
      chat_.ListMessages({.conversation_id = "c_01", .cursor = newest.next_cursor, .limit = 1}));
  ExpectAsked({R"(Query PK = "CONVO#c_01", begins_with(SK, "MSG#"), ScanIndexForward = false, )"
               "Limit = 1, ExclusiveStartKey"},
              {.read_units = 0.5});
  EXPECT_EQ(Bodies(older.items), std::vector<std::string>{"Can we ship by Friday?"});

  EXPECT_THAT(chat_.ListMessages({.conversation_id = "c_02", .cursor = newest.next_cursor}),
              StatusIs(StatusCode::kValidation, _))
      << "the cursor belongs to another conversation";
  EXPECT_THAT(chat_.ListMessages({.conversation_id = "c_01", .cursor = "page 2"}),
              StatusIs(StatusCode::kValidation, _));
}

TEST_F(ChatAccessPatternsTest, GetMessageIsOneGetItem) {
  const MessageId id = SampleMessageCanWeShip();
  const Message message = Value(chat_.GetMessage(id));
  ExpectAsked({R"(GetItem PK = "CONVO#c_01", SK = "MSG#)" + id.ulid + "\""}, {.read_units = 0.5});
  EXPECT_EQ(message, (Message{.id = id,
                              .sender_id = "u_01",
                              .body = "Can we ship by Friday?",
                              .type = "text",
                              .created_at = Time("2026-04-15T10:25:00Z")}));
  EXPECT_THAT(
      chat_.GetMessage({.conversation_id = "c_02", .ulid = id.ulid}),
      StatusIs(StatusCode::kResourceNotFound,
               "there is no message with conversationId \"c_02\", messageId \"" + id.ulid + "\""));
}

TEST_F(ChatAccessPatternsTest, CountUnreadCountsTheMessagesAfterLastReadAt) {
  EXPECT_EQ(Unread({"c_01", "u_01"}), 1u);
  EXPECT_EQ(Unread({"c_01", "u_02"}), 0u);
  EXPECT_EQ(Unread({"c_02", "u_01"}), 0u);
  EXPECT_EQ(Unread({"c_02", "u_03"}), 0u);
  EXPECT_THAT(chat_.CountUnread(ParticipantId{"c_01", "u_09"}), IsNoParticipant({"c_01", "u_09"}));
}

TEST_F(ChatAccessPatternsTest, CountUnreadOfAKnownParticipantIsOneQuery) {
  const Participant reader = Value(chat_.GetParticipant({"c_01", "u_01"}));
  const std::string participant = R"(GetItem PK = "CONVO#c_01", SK = "PARTICIPANT#u_01")";
  ExpectAsked({participant}, {.read_units = 0.5});
  // PARTICIPANT# sorts after MSG# in the partition. The Query needs an upper bound so that it reads
  // no participants.
  const std::string first_unread = LowestUlid(Time("2026-04-15T10:25:00.001Z"));
  const std::string by_range = R"(Query PK = "CONVO#c_01", SK BETWEEN "MSG#)" + first_unread +
                               "\" AND \"MSG#\\u{10FFFF}\", Limit = 100";
  Value(chat_.CountUnread(reader));
  ExpectAsked({by_range}, {.read_units = 0.5});
  Value(chat_.CountUnread(reader.id));
  ExpectAsked({participant, by_range}, {.read_units = 1});
  Value(chat_.CountUnread(reader, 100, UnreadMethod::kFilter));
  ExpectAsked({R"(Query PK = "CONVO#c_01", begins_with(SK, "MSG#"), Limit = 100, )"
               "FilterExpression"},
              {.read_units = 0.5});
}

// 40 messages of 1,118 bytes and the two messages of the sample data take 11 units of 4 KB. An
// eventually consistent read costs half of these units, so the Query costs 5.5 units.
TEST_F(ChatAccessPatternsTest, CountUnreadByFilterPaysForTheWholeHistory) {
  Message last;
  for (int i = 0; i < 40; ++i) {
    clock_->Advance(std::chrono::milliseconds(1));
    last = Send("c_01", "u_02", std::string(1000, 'x'));
  }
  const ParticipantId id = {"c_01", "u_01"};
  ASSERT_THAT(chat_.MarkRead(id, last.created_at - std::chrono::milliseconds(1)), IsOk());
  const auto units = [&](UnreadMethod method) {
    const Participant reader = Value(chat_.GetParticipant(id));
    log_.Take();
    EXPECT_EQ(Value(chat_.CountUnread(reader, 100, method)), 1u);
    Capacity total;
    for (const RequestTrace& trace : log_.Take()) total += trace.total();
    return total.read_units;
  };
  EXPECT_EQ(units(UnreadMethod::kKeyRange), 0.5);
  EXPECT_EQ(units(UnreadMethod::kFilter), 5.5);
}

TEST_F(ChatAccessPatternsTest, SendMessageIsOneTransaction) {
  const Message sent = Send("c_01", "u_02", "Friday it is");
  const std::string writes = R"(TransactWriteItems Put PK = "CONVO#c_01", SK = "MSG#)" +
                             sent.id.ulid + R"("; Update PK = "CONVO#c_01", SK = "#METADATA"; )" +
                             R"(Update PK = "CONVO#c_01", SK = "PARTICIPANT#u_02")";
  // A transaction costs twice the units of single writes. The message and the conversation cost 2
  // units each. A changed participant costs 2 units for its item and 2 for its entry in GSI1.
  ExpectAsked({writes}, {.write_units = 8});
  EXPECT_EQ(sent.created_at, clock_->Now());
  EXPECT_EQ(Value(UlidTime(sent.id.ulid)), clock_->Now());
  EXPECT_EQ(Value(chat_.GetMessage(sent.id)), sent);

  const Conversation group = Value(chat_.GetConversation("c_01"));
  EXPECT_EQ(group.last_message,
            (MessagePreview{sent.id.ulid, "Friday it is", "u_02", clock_->Now()}));
  EXPECT_EQ(group.updated_at, clock_->Now());

  EXPECT_EQ(Unread({"c_01", "u_01"}), 2u);
  EXPECT_EQ(Unread({"c_01", "u_02"}), 0u) << "sending marks earlier messages as read";
}

TEST_F(ChatAccessPatternsTest, CreatingAConversationIsOneTransaction) {
  MakeGroup("c_03");
  // In the transaction the Put of the conversation costs 2 units. The Put of each participant costs
  // 2 units for the item and 2 for each of its index entries.
  ExpectAsked({R"(TransactWriteItems Put PK = "CONVO#c_03", SK = "#METADATA"; )"
               R"(Put PK = "CONVO#c_03", SK = "PARTICIPANT#u_01"; )"
               R"(Put PK = "CONVO#c_03", SK = "PARTICIPANT#u_02")",
               R"(GetItem PK = "CONVO#c_03", SK = "#METADATA")"},
              {.read_units = 0.5, .write_units = 10});
}

TEST_F(ChatAccessPatternsTest, JoiningAndLeavingCountTheParticipants) {
  ASSERT_THAT(Join({"c_01", "u_03"}), IsOk());
  ExpectAsked({R"(TransactWriteItems Update PK = "CONVO#c_01", SK = "#METADATA"; )"
               R"(Put PK = "CONVO#c_01", SK = "PARTICIPANT#u_03")"},
              {.write_units = 6});
  ASSERT_THAT(chat_.RemoveParticipant({"c_01", "u_03"}), IsOk());
  ExpectAsked({R"(TransactWriteItems Update PK = "CONVO#c_01", SK = "#METADATA"; )"
               R"(Delete PK = "CONVO#c_01", SK = "PARTICIPANT#u_03")"},
              {.write_units = 6});
}

TEST_F(ChatAccessPatternsTest, MarkingAsReadIsOneUpdate) {
  ASSERT_THAT(chat_.MarkRead({"c_01", "u_01"}, Time("2026-04-15T10:30:00Z")), IsOk());
  ExpectAsked({R"(UpdateItem PK = "CONVO#c_01", SK = "PARTICIPANT#u_01")"}, {.write_units = 2});
}

TEST_F(ChatAccessPatternsTest, ImportIsATransactionForTheMessagesAndOneForThePreview) {
  std::vector<Message> history;
  for (int i = 0; i < 99; ++i) {
    history.push_back(
        {.id = {"c_01", LowestUlid(Time("2026-04-02T00:00:00Z") + std::chrono::hours(i))},
         .sender_id = "u_07",
         .body = "hello"});
  }
  ASSERT_THAT(chat_.ImportMessages(history), IsOk());
  const std::vector<RequestTrace> traces = log_.Take();
  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces[0].operation, "TransactWriteItems");
  EXPECT_EQ(traces[0].total(), (Capacity{.write_units = 200}));
  EXPECT_EQ(traces[1].operation, "UpdateItem") << "the stored preview is later, so it stays";
}

TEST_F(ChatAccessPatternsTest, LoadingTheSampleAgainChangesNothing) {
  const Conversation before = Value(chat_.GetConversation("c_01"));
  Send("c_02", "u_03", "Or on Monday?");
  clock_->Advance(std::chrono::hours(1));
  ASSERT_THAT(LoadSampleData(&chat_), IsOk());
  EXPECT_EQ(Value(chat_.GetConversation("c_01")), before);
  EXPECT_EQ(Value(chat_.GetConversation("c_02")).last_message->body, "Or on Monday?");
  EXPECT_EQ(WholeHistory(chat_, "c_01").size(), 2u);
}

}  // namespace
}  // namespace dolmen::chat
