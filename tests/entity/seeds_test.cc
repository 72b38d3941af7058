// Tests that read items which other programs have written: the items that articles about
// single-table design print, exactly as they are printed. Most have no type attribute, and hold the
// values of their keys only in their keys.

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::seeds {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::Value;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

// A member of an entity for each part of a key that the article prints.
struct Id {
  std::string a = {};
  std::string b = {};
  std::string c = {};

  friend bool operator==(const Id&, const Id&) = default;
};

// A table in memory with one index, whose key attributes have the article's names.
class SeedsTest : public testing::Test {
 protected:
  EntityTable Open(const std::array<std::string, 4>& names = {"PK", "SK", "GSI1PK", "GSI1SK"}) {
    CreateTableInput input;
    input.name = "seeds";
    input.partition_key = {names[0]};
    input.sort_key = KeyAttribute{names[1]};
    input.global_secondary_indexes = {
        {.name = "GSI1", .partition_key = {{names[2]}}, .sort_key = {{names[3]}}}};
    return EntityTable(database_, Value(database_.CreateTable(input)));
  }

  static void Store(const EntityTable& table, const std::vector<Item>& items) {
    for (const Item& item : items) Value(table.table().PutItem({.item = item}));
  }

  // Returns a row of a table of keys. "-" stands for an absent attribute.
  static Item Row(const std::array<const char*, 4>& values, const Item& more = {}) {
    Item item = more;
    const std::array names = {"PK", "SK", "GSI1PK", "GSI1SK"};
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::string(values[i]) != "-") item[names[i]] = values[i];
    }
    return item;
  }

  Database database_ = Value(Database::InMemory());
};

// --- Chat ---

constexpr KeyDeclaration ChatKey(std::string_view sort) {
  return {.partition = "CONVO#{convoId}", .sort = sort, .partition_name = "pk", .sort_name = "sk"};
}

enum class ConvoType : std::uint8_t { kDirect, kGroup };
constexpr auto Spellings(ConvoType) {
  return std::to_array<Spelling<ConvoType>>(
      {{ConvoType::kDirect, "direct"}, {ConvoType::kGroup, "group"}});
}
struct Convo {
  std::string id = {};
  std::optional<std::string> name = {};
  ConvoType type = ConvoType::kDirect;
  std::string last_body = {};
  std::string last_sender = {};
  std::optional<Timestamp> last_at = {};
};
constexpr auto DescribeEntity(const Convo*) {
  return DefineEntity<Convo>(
      "conversation",
      {Attribute<&Convo::id>("convoId"), Attribute<&Convo::name>("name"),
       Attribute<&Convo::type>("type"), Attribute<&Convo::last_body>("lastMessageBody"),
       Attribute<&Convo::last_sender>("lastMessageSender"),
       Attribute<&Convo::last_at>("lastMessageAt")},
      {ChatKey("#METADATA")}, "__edb_e__");
}

struct Participant {
  std::string convo = {};
  std::string user = {};
  std::string role = {};
  std::optional<std::string> joined_at = {};
  Timestamp last_read_at = {};
};
constexpr auto DescribeEntity(const Participant*) {
  return DefineEntity<Participant>(
      "participant",
      {Attribute<&Participant::convo>("convoId"), Attribute<&Participant::user>("userId"),
       Attribute<&Participant::role>("role"), Attribute<&Participant::joined_at>("joinedAt"),
       Attribute<&Participant::last_read_at>("lastReadAt")},
      {ChatKey("PARTICIPANT#{userId}"),
       IndexKey("GSI1", "USER#{userId}", "CONVO#{convoId}").Named("gsi1pk", "gsi1sk")},
      "__edb_e__");
}

struct ChatMessage {
  std::string convo = {};
  std::string id = {};
  std::string sender = {};
  std::string body = {};
  std::string type = {};
};
constexpr auto DescribeEntity(const ChatMessage*) {
  return DefineEntity<ChatMessage>(
      "message",
      {Attribute<&ChatMessage::convo>("convoId"), Attribute<&ChatMessage::id>("messageId"),
       Attribute<&ChatMessage::sender>("senderId"), Attribute<&ChatMessage::body>("body"),
       Attribute<&ChatMessage::type>("type")},
      {ChatKey("MSG#{messageId}")}, "__edb_e__");
}

std::vector<Item> ChatItems() {
  const auto member = [](const char* convo, const char* user, Item more) {
    more.insert({{"pk", std::string("CONVO#") + convo},
                 {"sk", std::string("PARTICIPANT#") + user},
                 {"gsi1pk", std::string("USER#") + user},
                 {"gsi1sk", std::string("CONVO#") + convo}});
    return more;
  };
  return {{{"pk", "CONVO#c_01"},
           {"sk", "#METADATA"},
           {"name", "Project Chat"},
           {"type", "group"},
           {"lastMessageBody", "Sounds good!"},
           {"lastMessageSender", "u_02"},
           {"lastMessageAt", "2026-04-15T10:30:00Z"}},
          member("c_01", "u_01",
                 {{"role", "admin"},
                  {"joinedAt", "2026-04-01T..."},
                  {"lastReadAt", "2026-04-15T10:25:00Z"}}),
          member("c_01", "u_02",
                 {{"role", "member"},
                  {"joinedAt", "2026-04-01T..."},
                  {"lastReadAt", "2026-04-15T10:30:00Z"}}),
          {{"pk", "CONVO#c_01"},
           {"sk", "MSG#01HW1A2B3C..."},
           {"senderId", "u_01"},
           {"body", "Can we ship by Friday?"},
           {"type", "text"}},
          {{"pk", "CONVO#c_01"},
           {"sk", "MSG#01HW1D4E5F..."},
           {"senderId", "u_02"},
           {"body", "Sounds good!"},
           {"type", "text"}},
          {{"pk", "CONVO#c_02"},
           {"sk", "#METADATA"},
           {"name", nullptr},
           {"type", "direct"},
           {"lastMessageBody", "See you tomorrow"},
           {"lastMessageSender", "u_01"}},
          member("c_02", "u_01", {{"role", "member"}, {"lastReadAt", "2026-04-15T09:00:00Z"}}),
          member("c_02", "u_03", {{"role", "member"}, {"lastReadAt", "2026-04-15T09:00:00Z"}})};
}

TEST_F(SeedsTest, ReadsTheChat) {
  const EntityTable table = Open({"pk", "sk", "gsi1pk", "gsi1sk"});
  Store(table, ChatItems());
  EXPECT_THAT((table.Scan<Convo, Participant, ChatMessage>().Strict().All()),
              IsOkAndHolds(SizeIs(8)));
  const Convo chat = Value(table.Get(Convo{.id = "c_01"}));
  EXPECT_THAT(chat.name, Optional(std::string("Project Chat")));
  EXPECT_EQ(chat.last_at, Value(ParseIso8601("2026-04-15T10:30:00Z")));
  EXPECT_EQ(Value(table.Get(Convo{.id = "c_02"})).name, std::nullopt);
  const auto messages = Value(table.Query<ChatMessage>().With<&ChatMessage::convo>("c_01").All());
  ASSERT_THAT(messages, SizeIs(2));
  EXPECT_EQ(messages[0].id, "01HW1A2B3C...");
  EXPECT_EQ(messages[1].body, "Sounds good!");
  const auto mine = Value(table.Query<Participant>("GSI1").With<&Participant::user>("u_01").All());
  ASSERT_THAT(mine, SizeIs(2));
  EXPECT_EQ(mine[0].role, "admin");
  EXPECT_EQ(mine[1].convo, "c_02");
}

// --- Users ---

struct Profile {
  std::string user = {};
  std::string first_name = {};
  std::optional<std::string> email = {};
};
constexpr auto DescribeEntity(const Profile*) {
  return DefineEntity<Profile>(
      "profile",
      {Attribute<&Profile::user>("userId"), Attribute<&Profile::first_name>("firstName"),
       Attribute<&Profile::email>("email")},
      {PrimaryKey("USER#{userId}", "PROFILE"), IndexKey("GSI1", "EMAIL#{email:any}")});
}
struct Email {
  std::string user = {};
  std::string id = {};
  std::string email = {};
  bool is_primary = false;
  bool is_verified = false;
};
constexpr auto DescribeEntity(const Email*) {
  return DefineEntity<Email>(
      "email",
      {Attribute<&Email::user>("userId"), Attribute<&Email::id>("emailId"),
       Attribute<&Email::email>("email"), Attribute<&Email::is_primary>("isPrimary"),
       Attribute<&Email::is_verified>("isVerified")},
      {PrimaryKey("USER#{userId}", "EMAIL#{emailId}"),
       IndexKey("GSI1", "EMAIL#{email:any}", "USER#{userId}")});
}

TEST_F(SeedsTest, ReadsTheUsers) {
  const EntityTable table = Open();
  const char* const address = "EMAIL#[email protected]";
  Store(table, {Row({"USER#abc-123", "PROFILE", "-", "-"}),
                Row({"USER#abc-123", "EMAIL#email-001", address, "USER#abc-123"},
                    {{"isPrimary", true}, {"isVerified", true}}),
                Row({"USER#abc-123", "EMAIL#email-002", address, "USER#abc-123"},
                    {{"isPrimary", false}, {"isVerified", true}})});
  EXPECT_THAT((table.Query<Profile, Email>().With<&Profile::user>("abc-123").Strict().All()),
              IsOkAndHolds(SizeIs(3)));
  const auto found =
      Value(table.Query<Email>("GSI1").With<&Email::email>("[email protected]").All());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_TRUE(found[0].is_primary);
  EXPECT_EQ(found[0].email, "[email protected]") << "only the key of the index holds the address";
  EXPECT_EQ(found[1].id, "email-002");
}

// --- The query framework ---

struct Session {
  Id id = {};
};
constexpr auto DescribeEntity(const Session*) {
  return DefineEntity<Session>(
      "session",
      {Attribute<&Session::id, &Id::a>("userId"), Attribute<&Session::id, &Id::b>("sessionId")},
      {PrimaryKey("USER#{userId}", "SESSION#{sessionId}")});
}
struct Achievement {
  Id id = {};
  std::optional<std::string> tier = {};
  std::optional<int> score = {};
};
constexpr auto DescribeEntity(const Achievement*) {
  return DefineEntity<Achievement>(
      "achievement",
      {Attribute<&Achievement::id, &Id::a>("userId"),
       Attribute<&Achievement::id, &Id::b>("achievementId"), Attribute<&Achievement::tier>("tier"),
       Attribute<&Achievement::score>("score")},
      {PrimaryKey("USER#{userId}", "ACHIEVEMENT#{achievementId}"),
       IndexKey("GSI1", "TIER#{tier}", "SCORE#{score:04}")});
}
struct Connection {
  Id id = {};
};
constexpr auto DescribeEntity(const Connection*) {
  return DefineEntity<Connection>("connection",
                                  {Attribute<&Connection::id, &Id::a>("userId"),
                                   Attribute<&Connection::id, &Id::b>("targetId")},
                                  {PrimaryKey("CONNECTION#{userId}", "TARGET#{targetId}"),
                                   IndexKey("GSI1", "CONNECTION#{targetId}")});
}
struct Comment {
  Id id = {};
};
constexpr auto DescribeEntity(const Comment*) {
  return DefineEntity<Comment>(
      "comment",
      {Attribute<&Comment::id, &Id::a>("postId"), Attribute<&Comment::id, &Id::b>("commentId")},
      {PrimaryKey("POST#{postId}", "COMMENT#{commentId}")});
}
struct Reaction {
  Id id = {};
};
constexpr auto DescribeEntity(const Reaction*) {
  return DefineEntity<Reaction>(
      "reaction",
      {Attribute<&Reaction::id, &Id::a>("postId"), Attribute<&Reaction::id, &Id::b>("userId")},
      {PrimaryKey("POST#{postId}", "REACTION#{userId}")});
}

TEST_F(SeedsTest, ReadsTheFrameworksItems) {
  const EntityTable table = Open();
  // The index of the article has no sort key for e-mails and connections. Here they have one.
  Store(table, {Row({"USER#user123", "PROFILE", "EMAIL#sam@tctf.org", "-"}),
                Row({"USER#user123", "SESSION#sess-abc", "-", "-"}),
                Row({"USER#user123", "ACHIEVEMENT#badge-1", "TIER#gold", "SCORE#0850"}),
                Row({"CONNECTION#user123", "TARGET#user456", "CONNECTION#user456", "-"}),
                Row({"POST#post-789", "COMMENT#comment-456", "-", "-"}),
                Row({"POST#post-789", "REACTION#user123", "-", "-"})});
  EXPECT_THAT(
      (table.Scan<Profile, Session, Achievement, Connection, Comment, Reaction>().Strict().All()),
      IsOkAndHolds(SizeIs(6)));
  EXPECT_THAT(Value(table.Get(Profile{.user = "user123"})).email,
              Optional(std::string("sam@tctf.org")));
  const auto leaders =
      Value(table.Query<Achievement>("GSI1").With<&Achievement::tier>("gold").All());
  ASSERT_THAT(leaders, SizeIs(1));
  EXPECT_EQ(leaders[0].score, 850);
  EXPECT_EQ(leaders[0].id.b, "badge-1");
  EXPECT_THAT(
      (table.Query<Comment, Reaction>().With<&Comment::id, &Id::a>("post-789").Strict().All()),
      IsOkAndHolds(SizeIs(2)));
}

}  // namespace
}  // namespace dolmen::seeds
