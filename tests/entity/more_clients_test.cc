// More tests that entities read, query and change items of client libraries (clients_test.cc): of
// OneTable, PynamoDB and Dynamoose.

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/status_macros.h"
#include "tests/entity/clients_fixture.h"

namespace dolmen::clients {
namespace {

using test::B;
using test::IsOk;
using test::IsOkAndHolds;
using test::N;
using test::Value;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// --- OneTable: the type attribute is _type, and a unique value has an item of its own ---

struct Address {
  std::string street = {};
  std::string zip = {};

  friend bool operator==(const Address&, const Address&) = default;
};
constexpr auto DescribeAttributes(const Address*) {
  return DefineAttributes<Address>(
      {Attribute<&Address::street>("street"), Attribute<&Address::zip>("zip")});
}
struct User {
  std::string id = {};
  std::string login = {};
  std::optional<std::string> first_name = {};
  std::string status = {};
  int version = 1;
  std::optional<Timestamp> born_at = {};
  std::set<std::string> tags = {};
  std::optional<std::string> picture = {};  // in Base64
  std::optional<Address> address = {};
  std::vector<std::string> nicknames = {};
  Timestamp created = {};
  Timestamp updated = {};

  friend bool operator==(const User&, const User&) = default;
};
constexpr auto DescribeEntity(const User*) {
  return DefineEntity<User>(
      "User",
      {Attribute<&User::id>("userId"), Attribute<&User::login>("login").ReadOnly(),
       Attribute<&User::first_name>("firstName"), Attribute<&User::status>("status"),
       Attribute<&User::version>("version"), Attribute<&User::born_at>("bornAt"),
       Attribute<&User::tags>("tags"), Attribute<&User::picture>("picture"),
       Attribute<&User::address>("address"), Attribute<&User::nicknames>("nicknames"),
       Attribute<&User::created>("created"), Attribute<&User::updated>("updated")},
      {PrimaryKey("USER#{userId}", "PROFILE")}, "_type");
}
struct LoginClaim {
  std::string login = {};
};
constexpr auto DescribeEntity(const LoginClaim*) {
  return DefineEntity<LoginClaim>("_Unique", {Attribute<&LoginClaim::login>("login").InKeyOnly()},
                                  {PrimaryKey("_unique#User#login#{login}", "_unique#")}, "_type");
}
struct Email {
  std::string user = {};
  std::string id = {};
  std::string email = {};
  bool is_primary = false;
  bool is_verified = false;
  std::optional<std::string> added_at = {};
  Item rest = {};

  friend bool operator==(const Email&, const Email&) = default;
};
constexpr auto DescribeEntity(const Email*) {
  return DefineEntity<Email>(
      "Email",
      {Attribute<&Email::user>("userId"), Attribute<&Email::id>("emailId"),
       Attribute<&Email::email>("email"), Attribute<&Email::is_primary>("isPrimary"),
       Attribute<&Email::is_verified>("isVerified"), Attribute<&Email::added_at>("addedAt"),
       Rest<&Email::rest>()},
      {PrimaryKey("USER#{userId}", "EMAIL#{emailId}"),
       IndexKey("gsi1", "EMAIL#{email}", "USER#{userId}").Named("GSI1PK", "GSI1SK")},
      "_type");
}
struct Session {
  std::string user = {};
  std::string id = {};
  Timestamp expires_at = {};
  Item rest = {};

  friend bool operator==(const Session&, const Session&) = default;
};
constexpr auto DescribeEntity(const Session*) {
  return DefineEntity<Session>(
      "Session",
      {Attribute<&Session::user>("userId"), Attribute<&Session::id>("sessionId"),
       Attribute<&Session::expires_at>("expiresAt").AsEpochSeconds(), Rest<&Session::rest>()},
      {PrimaryKey("USER#{userId}", "SESSION#{sessionId}")}, "_type");
}

TEST_F(ClientsTest, ChangesTheItemsOfOneTable) {
  const EntityTable table = Load("onetable", {"PK", "SK"}, "gsi1", {"GSI1PK", "GSI1SK"});
  const char* const stamp = "2026-04-15T10:30:00.000Z";
  const Timestamp now = Value(ParseIso8601(stamp));
  const Item stamps = {{"created", stamp}, {"updated", stamp}};
  EXPECT_THAT((table.Scan<User, LoginClaim, Email, Session>().Strict().All()),
              IsOkAndHolds(SizeIs(6)));
  const User ada = {.id = "ada",
                    .login = "ada",
                    .first_name = "Ada",
                    .status = "active",
                    .born_at = Value(ParseIso8601("1990-05-06T07:08:09.010Z")),
                    .tags = {"a", "b"},
                    .picture = "AAH/",
                    .address = Address{"Feldweg 1", "01234"},
                    .nicknames = {"x", "y"},
                    .created = now,
                    .updated = now};
  EXPECT_EQ(Value(table.Get(User{.id = "ada"})), ada);
  EXPECT_EQ(
      Value(table.Get(User{.id = "bob"})),
      (User{.id = "bob", .login = "bob", .status = "suspended", .created = now, .updated = now}));
  EXPECT_EQ(Value(table.Get(LoginClaim{"ada"})).login, "ada");
  const Email email = {"ada", "e1", "ada@x.example", true, false, "2026-04-01", stamps};
  EXPECT_THAT(Value(table.Query<Email>("gsi1").With<&Email::email>("ada@x.example").All()),
              ElementsAre(email));
  const Session session = {"ada", "s1", Value(ParseIso8601("2100-01-01T00:00:00Z")), stamps};
  EXPECT_THAT(Value(table.Query<Session>().With<&Session::user>("ada").All()),
              ElementsAre(session));

  EXPECT_THAT(table.Update(ada, Changes<User>()
                                    .Set<&User::first_name>("Adelheid")
                                    .Set<&User::address>(Address{"Feldweg 2", "01234"})
                                    .Add<&User::version>(1)),
              IsOk());
  Email moved = email;
  moved.email = "ada@y.example";
  moved.is_verified = true;
  EXPECT_THAT(table.Put(moved), IsOk());
  EXPECT_THAT(table.Create(Session{.user = "ada", .id = "s2", .expires_at = session.expires_at}),
              IsOk());
  ExpectUpdated(table);
}

// --- PynamoDB: the attribute with the class is the program's choice, here `kind` ---

// The form in which PynamoDB stores a time: 2026-04-01T12:30:00.000000+0000.
struct PynamoTime {
  static constexpr auto kPart = entity::PartKind::kText;
  static constexpr std::string_view kEnd = "000+0000";  // the microseconds, and UTC
  static Status Encode(Timestamp time, AttributeValue* value) {
    DOLMEN_RETURN_IF_ERROR(AttributeCodec<Timestamp>::Encode(time, value));
    std::string text = *value->get_if<std::string>();
    text.replace(text.size() - 1, 1, kEnd);
    *value = std::move(text);
    return {};
  }
  static Status Decode(AttributeView view, Timestamp* time) {
    const auto text = view.AsString();
    if (!text || !text->ends_with(kEnd)) return entity::WrongType(view, AttributeType::kS);
    DOLMEN_ASSIGN_OR_RETURN(
        *time, ParseIso8601(std::string(text->substr(0, text->size() - kEnd.size())) + "Z"));
    return {};
  }
};

struct Customer {
  std::string id = {};
  std::string name = {};
  bool is_active = true;

  friend bool operator==(const Customer&, const Customer&) = default;
};
constexpr auto DescribeEntity(const Customer*) {
  return DefineEntity<Customer>(
      "customer",
      {Attribute<&Customer::id>("customerId").InKeyOnly(), Attribute<&Customer::name>("name"),
       Attribute<&Customer::is_active>("is_active")},
      {LowerKey("CUSTOMER#{customerId}", "PROFILE")}, "kind");
}

struct Line {
  std::string product = {};
  int count = 1;
  bool gift = false;

  friend bool operator==(const Line&, const Line&) = default;
};
constexpr auto DescribeAttributes(const Line*) {
  return DefineAttributes<Line>({Attribute<&Line::product>("product"),
                                 Attribute<&Line::count>("count"), Attribute<&Line::gift>("gift")});
}

// The key attributes of the index are attributes of the entity themselves.
struct Purchase {
  std::string customer = {};
  std::string id = {};
  std::string state = {};
  Timestamp placed = {};
  Number total = {};
  std::optional<std::vector<Line>> lines = {};
  std::set<std::string> labels = {};
  std::optional<Binary> receipt = {};
  std::optional<Timestamp> expires = {};
  int version = 0;

  friend bool operator==(const Purchase&, const Purchase&) = default;
};
constexpr auto DescribeEntity(const Purchase*) {
  return DefineEntity<Purchase>(
      "purchase",
      {Attribute<&Purchase::customer>("customerId").InKeyOnly(),
       Attribute<&Purchase::id>("purchaseId").InKeyOnly(), Attribute<&Purchase::state>("state"),
       Attribute<&Purchase::placed>("placed").As<PynamoTime>(),
       Attribute<&Purchase::total>("total"), Attribute<&Purchase::lines>("lines"),
       Attribute<&Purchase::labels>("labels"), Attribute<&Purchase::receipt>("receipt"),
       Attribute<&Purchase::expires>("expires").AsEpochSeconds(),
       Attribute<&Purchase::version>("version").Version()},
      {LowerKey("CUSTOMER#{customerId}", "PURCHASE#{purchaseId}"),
       IndexKey("by-state", "{state}", "{placed}").Named("state", "placed")},
      "kind");
}

TEST_F(ClientsTest, ChangesTheItemsOfPynamoDb) {
  const EntityTable table = Load("pynamodb", {"pk", "sk"}, "by-state", {"state", "placed"});
  EXPECT_THAT((table.Scan<Customer, Purchase>().Strict().All()), IsOkAndHolds(SizeIs(3)));
  EXPECT_EQ(Value(table.Get(Customer{.id = "ada"})), (Customer{"ada", "Ada", true}));
  const Timestamp placed = Value(ParseIso8601("2026-04-01T12:30:00Z"));
  const Purchase open = {.customer = "ada",
                         .id = "o1",
                         .state = "open",
                         .placed = placed,
                         .total = N("12.5"),
                         .lines = {{{"pen", 3, true}, {"ink", 1, false}}},
                         .labels = {"a", "b"},
                         .receipt = B(std::string_view("\x00\x01\xff", 3)),
                         .expires = Value(ParseIso8601("2100-01-01T00:00:00Z")),
                         .version = 1};
  const Purchase closed = {
      .customer = "ada", .id = "o2", .state = "closed", .placed = placed, .version = 1};
  EXPECT_THAT(Value(table.Query<Purchase>().With<&Purchase::customer>("ada").All()),
              ElementsAre(open, closed));
  EXPECT_THAT(Value(table.Query<Purchase>("by-state").With<&Purchase::state>("open").All()),
              ElementsAre(open));

  EXPECT_THAT(
      table.Update(Customer{.id = "ada"}, Changes<Customer>().Set<&Customer::is_active>(false)),
      IsOk());
  std::vector<Line> lines = *open.lines;
  lines[0].count = 4;
  EXPECT_THAT(table.Update(open, Changes<Purchase>()
                                     .Set<&Purchase::state>("paid")
                                     .Add<&Purchase::total>(N("8"))
                                     .Set<&Purchase::lines>(lines)
                                     .IfVersion(1)),
              IsOk());
  EXPECT_THAT(
      table.Create(Purchase{.customer = "ada", .id = "o3", .state = "paid", .placed = placed}),
      IsOk());
  EXPECT_THAT(Value(table.Query<Purchase>("by-state").With<&Purchase::state>("open").All()),
              IsEmpty());
  ExpectUpdated(table);
}

// --- Dynamoose: no type attribute, and the attributes are the keys ---

struct Origin {
  std::optional<std::string> site = {};
  std::optional<bool> pinned = {};

  friend bool operator==(const Origin&, const Origin&) = default;
};
constexpr auto DescribeAttributes(const Origin*) {
  return DefineAttributes<Origin>(
      {Attribute<&Origin::site>("site"), Attribute<&Origin::pinned>("pinned")});
}
struct Thread {
  std::string forum = {};
  std::string thread = {};
  std::optional<std::string> author = {};
  std::string title = {};
  std::string state = "open";
  int replies = 0;
  std::set<std::string> tags = {};
  std::optional<Timestamp> opened_at = {};
  std::optional<Binary> picture = {};
  std::optional<Origin> origin = {};
  std::optional<std::vector<std::string>> editors = {};

  friend bool operator==(const Thread&, const Thread&) = default;
};
constexpr auto DescribeEntity(const Thread*) {
  return DefineEntity<Thread>(
      "thread",
      {Attribute<&Thread::forum>("forum"), Attribute<&Thread::thread>("thread"),
       Attribute<&Thread::author>("author"), Attribute<&Thread::title>("title"),
       Attribute<&Thread::state>("state"), Attribute<&Thread::replies>("replies"),
       Attribute<&Thread::tags>("tags"),
       Attribute<&Thread::opened_at>("openedAt").AsEpochMilliseconds(),
       Attribute<&Thread::picture>("picture"), Attribute<&Thread::origin>("origin"),
       Attribute<&Thread::editors>("editors")},
      {PrimaryKey("{forum}", "{thread}").Named("forum", "thread"),
       IndexKey("byAuthor", "{author}", "{thread}").Named("author", "thread")});
}

TEST_F(ClientsTest, ChangesTheItemsOfDynamoose) {
  const EntityTable table =
      Load("dynamoose", {"forum", "thread"}, "byAuthor", {"author", "thread"});
  const Thread first = {.forum = "menhirs",
                        .thread = "t1",
                        .author = "ada",
                        .title = "How heavy are they?",
                        .replies = 2,
                        .tags = {"stone", "weight"},
                        .opened_at = Value(ParseIso8601("2026-04-05T06:07:08.009Z")),
                        .picture = B(std::string_view("\x00\x01\xff", 3)),
                        .origin = Origin{"x", true},
                        .editors = {{"ada", "bob"}}};
  const Thread second = {.forum = "menhirs", .thread = "t2", .title = "Anonymous"};
  EXPECT_THAT(Value(table.Scan<Thread>().Strict().All()), ElementsAre(first, second));
  EXPECT_THAT(Value(table.Query<Thread>().With<&Thread::forum>("menhirs").All()),
              ElementsAre(first, second));
  EXPECT_THAT(Value(table.Query<Thread>("byAuthor").With<&Thread::author>("ada").All()),
              ElementsAre(first));

  EXPECT_THAT(table.Update(first, Changes<Thread>()
                                      .Set<&Thread::author>("bob")
                                      .Add<&Thread::replies>(1)
                                      .Set<&Thread::origin>(Origin{"x", false})),
              IsOk());
  EXPECT_THAT(table.Update(second, Changes<Thread>().Set<&Thread::title>("Named")), IsOk());
  EXPECT_THAT(table.Create(Thread{.forum = "menhirs",
                                  .thread = "t3",
                                  .author = "eve",
                                  .title = "Who carved them?",
                                  .state = "closed"}),
              IsOk());
  EXPECT_THAT(Value(table.Query<Thread>("byAuthor").With<&Thread::author>("bob").All()), SizeIs(1));
  ExpectUpdated(table);
}

}  // namespace
}  // namespace dolmen::clients
