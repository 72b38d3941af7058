// Tests that entities read, query and change items of client libraries: of ElectroDB and
// DynamoDB-Toolbox. tests/clients checks that each library reads the changed items.

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/entity/clients_fixture.h"

namespace dolmen::clients {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::Value;
using testing::ElementsAre;
using testing::SizeIs;

// --- ElectroDB: the type attribute is __edb_e__, and the version of the model is __edb_v__ ---

struct Room {
  std::string convo = {};
  std::string type = {};
  std::optional<std::string> name = {};
  std::string created_at = {};
  int messages = 0;
  std::set<std::string> topics = {};
  std::vector<std::string> pinned = {};
  std::optional<std::string> last_body = {};
  std::optional<std::string> last_sender = {};
  Item rest = {};

  friend bool operator==(const Room&, const Room&) = default;
};
constexpr auto DescribeEntity(const Room*) {
  return DefineEntity<Room>(
      "conversation",
      {Attribute<&Room::convo>("convoId"), Attribute<&Room::type>("type"),
       Attribute<&Room::name>("name"), Attribute<&Room::created_at>("createdAt").ReadOnly(),
       Attribute<&Room::messages>("messageCount"), Attribute<&Room::topics>("topics"),
       Attribute<&Room::pinned>("pinned"), Attribute<&Room::last_body>("lastMessageBody"),
       Attribute<&Room::last_sender>("lastMessageSender"), Rest<&Room::rest>()},
      {LowerKey("CONVO#{convoId}", "#METADATA")}, "__edb_e__");
}

struct Settings {
  std::optional<bool> muted = {};
  std::optional<std::string> colour = {};

  friend bool operator==(const Settings&, const Settings&) = default;
};
constexpr auto DescribeAttributes(const Settings*) {
  return DefineAttributes<Settings>(
      {Attribute<&Settings::muted>("muted"), Attribute<&Settings::colour>("colour")});
}

struct Guest {
  std::string convo = {};
  std::string user = {};
  std::string role = {};
  std::string joined_at = {};
  std::optional<Settings> settings = {};
  Item rest = {};

  friend bool operator==(const Guest&, const Guest&) = default;
};
constexpr auto DescribeEntity(const Guest*) {
  return DefineEntity<Guest>(
      "participant",
      {Attribute<&Guest::convo>("convoId"), Attribute<&Guest::user>("userId"),
       Attribute<&Guest::role>("role"), Attribute<&Guest::joined_at>("joinedAt"),
       Attribute<&Guest::settings>("settings"), Rest<&Guest::rest>()},
      {LowerKey("CONVO#{convoId}", "PARTICIPANT#{userId}"),
       IndexKey("gsi1", "USER#{userId}", "CONVO#{convoId}").Named("gsi1pk", "gsi1sk")},
      "__edb_e__");
}

// New messages get the version of ElectroDB's model from the initialiser.
struct Text {
  std::string convo = {};
  std::string id = {};
  std::string sender = {};
  std::string body = {};
  std::string type = "text";
  std::string created_at = {};
  std::string model_version = "1";

  friend bool operator==(const Text&, const Text&) = default;
};
constexpr auto DescribeEntity(const Text*) {
  return DefineEntity<Text>(
      "message",
      {Attribute<&Text::convo>("convoId"), Attribute<&Text::id>("messageId"),
       Attribute<&Text::sender>("senderId"), Attribute<&Text::body>("body"),
       Attribute<&Text::type>("type"), Attribute<&Text::created_at>("createdAt"),
       Attribute<&Text::model_version>("__edb_v__")},
      {LowerKey("CONVO#{convoId}", "MSG#{messageId}")}, "__edb_e__");
}

// A task has the keys that ElectroDB builds by default, with all texts in lower case.
struct Task {
  std::string project = {};
  std::string id = {};
  std::optional<std::string> assignee = {};
  int points = 1;
  bool is_done = false;
  std::set<std::string> labels = {};
  std::string model_version = "1";

  friend bool operator==(const Task&, const Task&) = default;
};
constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>(
      "task",
      {Attribute<&Task::project>("project"), Attribute<&Task::id>("taskId"),
       Attribute<&Task::assignee>("assignee"), Attribute<&Task::points>("points"),
       Attribute<&Task::is_done>("isDone"), Attribute<&Task::labels>("labels"),
       Attribute<&Task::model_version>("__edb_v__")},
      {LowerKey("$tracker#project_{project:lower}", "$task_1#taskid_{taskId:lower}"),
       IndexKey("gsi1", "$tracker#assignee_{assignee:lower}",
                "$task_1#project_{project:lower}#taskid_{taskId:lower}")
           .Named("gsi1pk", "gsi1sk")},
      "__edb_e__");
}

TEST_F(ClientsTest, ChangesTheItemsOfElectroDb) {
  const EntityTable table = Load("electrodb", {"pk", "sk"}, "gsi1", {"gsi1pk", "gsi1sk"});
  const Item version = {{"__edb_v__", "1"}};
  const Room room = {.convo = "c_01",
                     .type = "group",
                     .name = "Project Chat",
                     .created_at = "2026-04-15T10:00:00Z",
                     .messages = 2,
                     .topics = {"plan", "ship"},
                     .pinned = {"01HW000001"},
                     .rest = version};
  const Guest admin = {.convo = "c_01",
                       .user = "u_01",
                       .role = "admin",
                       .joined_at = "2026-04-15T10:00:00Z",
                       .settings = Settings{.muted = true, .colour = "red"},
                       .rest = version};
  const Text first = {.convo = "c_01",
                      .id = "01HW000001",
                      .sender = "u_01",
                      .body = "message 1",
                      .created_at = "2026-04-15T10:01:00Z"};
  const Task design = {
      .project = "Apollo", .id = "01HXA", .assignee = "Ada", .points = 5, .labels = {"urgent"}};
  EXPECT_THAT((table.Scan<Room, Guest, Text, Task>().Strict().All()), IsOkAndHolds(SizeIs(7)));
  EXPECT_EQ(Value(table.Get(Room{.convo = "c_01"})), room);
  EXPECT_THAT(Value(table.Query<Guest>("gsi1").With<&Guest::user>("u_01").All()),
              ElementsAre(admin));
  EXPECT_EQ(Value(table.Query<Text>().With<&Text::convo>("c_01").All()).front(), first);
  EXPECT_THAT(Value(table.Query<Task>("gsi1").With<&Task::assignee>("Ada").All()),
              ElementsAre(design));
  EXPECT_THAT(Value(table.Query<Task>().With<&Task::project>("APOLLO").All()),
              ElementsAre(design, Task{.project = "Apollo", .id = "01HXB", .is_done = true}));

  EntityTransaction send = table.Transact();
  Text answer = first;
  answer.id = "01HW000003";
  answer.sender = "u_02";
  answer.body = "Done";
  answer.created_at = "2026-04-15T10:03:00Z";
  send.Create(answer);
  send.Update(
      room,
      Changes<Room>().Add<&Room::messages>(1).Set<&Room::last_body>("Done").Set<&Room::last_sender>(
          "u_02"));
  ASSERT_THAT(send.Commit(), IsOk());
  Guest unmuted = admin;
  unmuted.settings->muted = false;
  EXPECT_THAT(table.Put(unmuted), IsOk());
  EXPECT_THAT(
      table.Update(design, Changes<Task>().Set<&Task::assignee>("Bob").Add<&Task::points>(3)),
      IsOk());
  EXPECT_THAT(table.Create(Task{.project = "Apollo", .id = "01HXC", .points = 2}), IsOk());
  ExpectUpdated(table);
}

// --- DynamoDB-Toolbox: the type attribute is _et by default, and `entity` in many tables ---

struct Person {
  std::string email = {};
  std::string first_name = {};
  std::string last_name = {};
  std::optional<std::string> phone = {};
  int logins = 0;

  friend bool operator==(const Person&, const Person&) = default;
};
constexpr auto DescribeEntity(const Person*) {
  return DefineEntity<Person>(
      "user",
      {Attribute<&Person::email>("email"), Attribute<&Person::first_name>("firstName"),
       Attribute<&Person::last_name>("lastName"), Attribute<&Person::phone>("phone"),
       Attribute<&Person::logins>("logins")},
      {LowerKey("user/{email}", "user")}, "entity");
}

struct Organisation {
  std::string id = {};
  std::string name = {};

  friend bool operator==(const Organisation&, const Organisation&) = default;
};
constexpr auto DescribeEntity(const Organisation*) {
  return DefineEntity<Organisation>("organisation",
                                    {Attribute<&Organisation::id>("organisationId"),
                                     Attribute<&Organisation::name>("organisationName")},
                                    {LowerKey("organisation/{organisationId}", "organisation")},
                                    "entity");
}

// The sort key of the index is the sort key of the table.
struct Membership {
  std::string organisation = {};
  std::string email = {};
  std::set<std::string> groups = {};

  friend bool operator==(const Membership&, const Membership&) = default;
};
constexpr auto DescribeEntity(const Membership*) {
  return DefineEntity<Membership>(
      "member",
      {Attribute<&Membership::organisation>("organisationId"),
       Attribute<&Membership::email>("email"), Attribute<&Membership::groups>("groups")},
      {LowerKey("organisation/{organisationId}", "organisationMember/{email}"),
       IndexKey("by-organisation", "organisation#{organisationId}", "organisationMember/{email}")
           .Named("memberOf", "sk")},
      "entity");
}

struct Terms {
  std::optional<int> level = {};
  std::vector<std::string> owners = {};

  friend bool operator==(const Terms&, const Terms&) = default;
};
constexpr auto DescribeAttributes(const Terms*) {
  return DefineAttributes<Terms>(
      {Attribute<&Terms::level>("level"), Attribute<&Terms::owners>("owners")});
}
struct Offer {
  std::string organisation = {};
  std::string id = {};
  std::string name = {};
  std::optional<Terms> settings = {};

  friend bool operator==(const Offer&, const Offer&) = default;
};
constexpr auto DescribeEntity(const Offer*) {
  return DefineEntity<Offer>(
      "service",
      {Attribute<&Offer::organisation>("organisationId"), Attribute<&Offer::id>("serviceId"),
       Attribute<&Offer::name>("serviceName"), Attribute<&Offer::settings>("settings")},
      {LowerKey("organisation/{organisationId}", "organisationService/{serviceId}")}, "entity");
}

struct Invitation {
  std::string email = {};
  std::string organisation = {};
  Timestamp expires_at = {};

  friend bool operator==(const Invitation&, const Invitation&) = default;
};
constexpr auto DescribeEntity(const Invitation*) {
  return DefineEntity<Invitation>(
      "invitation",
      {Attribute<&Invitation::email>("email"),
       Attribute<&Invitation::organisation>("organisationId"),
       Attribute<&Invitation::expires_at>("expiresAt").AsEpochSeconds()},
      {LowerKey("user/{email}", "userOrganisation/{organisationId}")}, "entity");
}

// A project has the attributes that the library adds by default: _et, _ct and _md.
struct Project {
  std::string organisation = {};
  std::string id = {};
  std::optional<std::string> title = {};
  Timestamp created = {};
  Timestamp modified = {};

  friend bool operator==(const Project&, const Project&) = default;
};
constexpr auto DescribeEntity(const Project*) {
  return DefineEntity<Project>(
      "Project",
      {Attribute<&Project::organisation>("organisationId"), Attribute<&Project::id>("projectId"),
       Attribute<&Project::title>("t"), Attribute<&Project::created>("_ct"),
       Attribute<&Project::modified>("_md")},
      {LowerKey("organisation/{organisationId}", "project/{projectId}")}, "_et");
}

TEST_F(ClientsTest, ChangesTheItemsOfDynamoDbToolbox) {
  const EntityTable table =
      Load("dynamodb_toolbox", {"pk", "sk"}, "by-organisation", {"memberOf", "sk"});
  EXPECT_THAT(
      (table.Scan<Person, Organisation, Membership, Offer, Invitation, Project>().Strict().All()),
      IsOkAndHolds(SizeIs(6)));
  const std::string email = "ada@x.example";
  EXPECT_EQ(Value(table.Get(Person{.email = email})), (Person{email, "Ada", "Stone", "+49", 2}));
  EXPECT_EQ(Value(table.Get(Organisation{.id = "menhir"})), (Organisation{"menhir", "The Menhir"}));
  const Membership member = {"menhir", email, {"masons", "owners"}};
  EXPECT_THAT(Value(table.Query<Membership>("by-organisation")
                        .With<&Membership::organisation>("menhir")
                        .All()),
              ElementsAre(member));
  const Offer carving = {"menhir", "carving", "Carving", Terms{3, {"ada", "bob"}}};
  EXPECT_EQ(Value(table.Get(Offer{.organisation = "menhir", .id = "carving"})), carving);
  const Invitation invitation = {"bob@x.example", "menhir",
                                 Value(ParseIso8601("2100-01-01T00:00:00Z"))};
  EXPECT_EQ(Value(table.Get(invitation)), invitation);
  const Timestamp now = Value(ParseIso8601("2026-04-15T10:30:00.000Z"));
  const Project gate = {"menhir", "gate", "The gate", now, now};
  EXPECT_EQ(Value(table.Get(gate)), gate);

  EXPECT_THAT(table.Update(Person{.email = email}, Changes<Person>().Add<&Person::logins>(1)),
              IsOk());
  EXPECT_THAT(table.Update(member, Changes<Membership>().Add<&Membership::groups>({"singers"})),
              IsOk());
  EXPECT_THAT(table.Create(Membership{"menhir", "bob@x.example", {"masons"}}), IsOk());
  EXPECT_THAT(table.Remove(invitation), IsOk());
  EXPECT_THAT(table.Update(carving, Changes<Offer>().Set<&Offer::settings>(
                                        Terms{.level = 4, .owners = {"ada", "bob"}})),
              IsOk());
  EXPECT_THAT(table.Update(gate, Changes<Project>().Set<&Project::title>("The great gate")),
              IsOk());
  ExpectUpdated(table);
}

}  // namespace
}  // namespace dolmen::clients
