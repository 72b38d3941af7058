// Tests that read the items of an article about courses, and of one about organisations, exactly as
// they are printed (seeds_test.cc).

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::seeds {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::Value;
using testing::SizeIs;

// An entity with one to three texts, all in its key. kNumber tells the entities apart.
template <int kNumber>
struct Node {
  std::string a = {};
  std::string b = {};
  std::string c = {};
};
template <int kNumber>
consteval auto OneText(const KeyDeclaration& key) {
  using T = Node<kNumber>;
  return DefineEntity<T>("node", {Attribute<&T::a>("a")}, {key}, "entity_type");
}
template <int kNumber>
consteval auto TwoTexts(const KeyDeclaration& key) {
  using T = Node<kNumber>;
  return DefineEntity<T>("node", {Attribute<&T::a>("a"), Attribute<&T::b>("b")}, {key},
                         "entity_type");
}
template <int kNumber>
consteval auto ThreeTexts(const KeyDeclaration& key) {
  using T = Node<kNumber>;
  return DefineEntity<T>("node",
                         {Attribute<&T::a>("a"), Attribute<&T::b>("b"), Attribute<&T::c>("c")},
                         {key}, "entity_type");
}

constexpr auto DescribeEntity(const Node<1>*) {
  return OneText<1>(PrimaryKey("USER#{a}", "USER#{a}"));
}
constexpr auto DescribeEntity(const Node<2>*) {
  return TwoTexts<2>(PrimaryKey("USER#{a}", "GROUP#{b}"));
}
constexpr auto DescribeEntity(const Node<3>*) {
  return OneText<3>(PrimaryKey("GROUP#{a}", "GROUP#{a}"));
}
constexpr auto DescribeEntity(const Node<4>*) {
  return TwoTexts<4>(PrimaryKey("GROUP#{a}", "USER#{b}"));
}
constexpr auto DescribeEntity(const Node<5>*) {
  return OneText<5>(PrimaryKey("ORDER#{a}", "ORDER#{a}"));
}
constexpr auto DescribeEntity(const Node<6>*) {
  return TwoTexts<6>(PrimaryKey("ORDER#{a}", "ITEM#{b}"));
}
constexpr auto DescribeEntity(const Node<7>*) {
  return ThreeTexts<7>(PrimaryKey("ORDER#{a}", "ITEM#{b}#RETURN#{c}"));
}
constexpr auto DescribeEntity(const Node<8>*) {
  return TwoTexts<8>(PrimaryKey("ORDER#{a}", "SHIPMENT#{b}"));
}
constexpr auto DescribeEntity(const Node<9>*) {
  return ThreeTexts<9>(PrimaryKey("ORDER#{a}", "SHIPMENT#{b}#EVENT#{c}"));
}
// The organisations' records.
constexpr auto DescribeEntity(const Node<10>*) {
  return OneText<10>(PrimaryKey("user/{a}", "user"));
}
constexpr auto DescribeEntity(const Node<11>*) {
  return TwoTexts<11>(PrimaryKey("user/{a}", "userOrganisation/{b}"));
}
constexpr auto DescribeEntity(const Node<12>*) {
  return OneText<12>(PrimaryKey("organisation/{a}", "organisation"));
}
constexpr auto DescribeEntity(const Node<13>*) {
  return TwoTexts<13>(PrimaryKey("organisation/{a}", "organisationMember/{b}"));
}
constexpr auto DescribeEntity(const Node<14>*) {
  return TwoTexts<14>(PrimaryKey("organisation/{a}", "organisationService/{b}"));
}

// The entities of the course platform.
struct Student {
  std::string id = {};
  std::optional<Timestamp> joined_at = {};
};
constexpr auto DescribeEntity(const Student*) {
  return DefineEntity<Student>(
      "STUDENT", {Attribute<&Student::id>("id"), Attribute<&Student::joined_at>("joined_at")},
      {PrimaryKey("STUDENT#{id}", "PROFILE"), IndexKey("GSI1", "STUDENT", "{joined_at:date}")},
      "entity_type");
}
struct Course {
  std::string id = {};
  std::string instructor = {};
};
constexpr auto DescribeEntity(const Course*) {
  return DefineEntity<Course>(
      "COURSE", {Attribute<&Course::id>("id"), Attribute<&Course::instructor>("instructor")},
      {PrimaryKey("COURSE#{id}", "METADATA"),
       IndexKey("GSI1", "INSTRUCTOR#{instructor}", "COURSE#{id}")},
      "entity_type");
}
struct Module {
  std::string course = {};
  std::string id = {};
};
constexpr auto DescribeEntity(const Module*) {
  return DefineEntity<Module>("MODULE",
                              {Attribute<&Module::course>("course"), Attribute<&Module::id>("id")},
                              {PrimaryKey("COURSE#{course}", "MODULE#{id}")}, "entity_type");
}
struct Lesson {
  std::string course = {};
  std::string module = {};
  std::string id = {};
};
constexpr auto DescribeEntity(const Lesson*) {
  return DefineEntity<Lesson>("LESSON",
                              {Attribute<&Lesson::course>("course"),
                               Attribute<&Lesson::module>("module"), Attribute<&Lesson::id>("id")},
                              {PrimaryKey("COURSE#{course}", "MODULE#{module}#LESSON#{id}")},
                              "entity_type");
}
// Both edges of an enrolment have the same type.
struct StudentEdge {
  std::string student = {};
  std::string course = {};
  int progress = -1;
};
constexpr auto DescribeEntity(const StudentEdge*) {
  return DefineEntity<StudentEdge>(
      "ENROLLMENT",
      {Attribute<&StudentEdge::student>("student"), Attribute<&StudentEdge::course>("course"),
       Attribute<&StudentEdge::progress>("progress")},
      {PrimaryKey("STUDENT#{student}", "ENROLLMENT#{course}"),
       IndexKey("GSI1", "COURSE#{course}", "STUDENT#{student}")},
      "entity_type");
}
struct CourseEdge {
  std::string student = {};
  std::string course = {};
  std::string enrolled_at = {};
};
constexpr auto DescribeEntity(const CourseEdge*) {
  return DefineEntity<CourseEdge>(
      "ENROLLMENT",
      {Attribute<&CourseEdge::student>("student"), Attribute<&CourseEdge::course>("course"),
       Attribute<&CourseEdge::enrolled_at>("enrolled_at")},
      {PrimaryKey("COURSE#{course}", "ENROLLMENT#STUDENT#{student}"),
       IndexKey("GSI1", "COURSE#{course}", "STUDENT#{student}")},
      "entity_type");
}

class SeedsCourseTest : public testing::Test {
 protected:
  // Stores a row of a table of keys. "-" stands for an absent attribute.
  void Store(const std::array<const char*, 4>& values, Item more = {}) {
    const std::array names = {"PK", "SK", "GSI1PK", "GSI1SK"};
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::string(values[i]) != "-") more[names[i]] = values[i];
    }
    Value(table_.table().PutItem({.item = std::move(more)}));
  }
  void StoreKeys(const std::vector<std::array<const char*, 2>>& keys) {
    for (const auto& [partition, sort] : keys) Store({partition, sort, "-", "-"});
  }

  Database database_ = Value(Database::InMemory());
  EntityTable table_ = Value(EntityTable::Open(database_, {.name = "seeds", .indexes = {"GSI1"}}));
};

TEST_F(SeedsCourseTest, ReadsTheAdjacencyList) {
  StoreKeys({{"USER#u1", "USER#u1"},
             {"USER#u1", "GROUP#g10"},
             {"USER#u1", "GROUP#g20"},
             {"USER#u2", "USER#u2"},
             {"USER#u2", "GROUP#g10"},
             {"GROUP#g10", "GROUP#g10"},
             {"GROUP#g10", "USER#u1"},
             {"GROUP#g10", "USER#u2"},
             {"GROUP#g20", "GROUP#g20"},
             {"GROUP#g20", "USER#u1"}});
  EXPECT_THAT((table_.Scan<Node<1>, Node<2>, Node<3>, Node<4>>().Strict().All()),
              IsOkAndHolds(SizeIs(10)));
  const auto groups = Value(table_.Query<Node<2>>().With<&Node<2>::a>("u1").All());
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[1].b, "g20");
  EXPECT_THAT(table_.Query<Node<4>>().With<&Node<4>::a>("g10").All(), IsOkAndHolds(SizeIs(2)));
  EXPECT_THAT(table_.Scan<Node<1>>().All(), IsOkAndHolds(SizeIs(2)));
}

TEST_F(SeedsCourseTest, ReadsTheOrder) {
  StoreKeys({{"ORDER#o1", "ORDER#o1"},
             {"ORDER#o1", "ITEM#i100"},
             {"ORDER#o1", "ITEM#i100#RETURN#r1"},
             {"ORDER#o1", "ITEM#i100#RETURN#r2"},
             {"ORDER#o1", "ITEM#i101"},
             {"ORDER#o1", "ITEM#i101#RETURN#r3"},
             {"ORDER#o1", "SHIPMENT#s1"},
             {"ORDER#o1", "SHIPMENT#s1#EVENT#e1"},
             {"ORDER#o1", "SHIPMENT#s1#EVENT#e2"}});
  EXPECT_THAT((table_.Query<Node<5>, Node<6>, Node<7>, Node<8>, Node<9>>()
                   .With<&Node<5>::a>("o1")
                   .Strict()
                   .All()),
              IsOkAndHolds(SizeIs(9)));
  const auto page = Value(table_.Query<Node<6>>().With<&Node<6>::a>("o1").Page());
  EXPECT_THAT(page.items, SizeIs(2)) << "the items without their returns";
  EXPECT_EQ(page.skipped, 3U);
  EXPECT_THAT(table_.Query<Node<7>>().With<&Node<7>::a>("o1").With<&Node<7>::b>("i100").All(),
              IsOkAndHolds(SizeIs(2)));
}

TEST_F(SeedsCourseTest, ReadsThePlatform) {
  Store({"STUDENT#s1", "PROFILE", "STUDENT", "2024-09-01"}, {{"name", ""}, {"email", ""}});
  for (const char* course : {"c10", "c20"}) {
    Store({"STUDENT#s1", (std::string("ENROLLMENT#") + course).c_str(),
           (std::string("COURSE#") + course).c_str(), "STUDENT#s1"},
          {{"entity_type", "ENROLLMENT"},
           {"enrolled_at", "2024-09-01T08:00:00+00:00"},
           {"progress", 0}});
  }
  Store({"COURSE#c10", "METADATA", "INSTRUCTOR#i5", "COURSE#c10"});
  StoreKeys({{"COURSE#c10", "MODULE#m1"},
             {"COURSE#c10", "MODULE#m1#LESSON#l1"},
             {"COURSE#c10", "MODULE#m1#LESSON#l2"},
             {"COURSE#c10", "MODULE#m2"},
             {"COURSE#c10", "MODULE#m2#LESSON#l3"}});
  Store({"COURSE#c10", "ENROLLMENT#STUDENT#s1", "COURSE#c10", "STUDENT#s1"},
        {{"entity_type", "ENROLLMENT"}, {"enrolled_at", "2024-09-01T08:00:00+00:00"}});
  Store({"COURSE#c10", "ENROLLMENT#STUDENT#s2", "COURSE#c10", "STUDENT#s2"});

  EXPECT_THAT(
      (table_.Scan<Student, Course, Module, Lesson, StudentEdge, CourseEdge>().Strict().All()),
      IsOkAndHolds(SizeIs(11)));
  EXPECT_EQ(Value(table_.Get(Student{.id = "s1"})).joined_at,
            Value(ParseIso8601("2024-09-01T00:00:00Z")));
  EXPECT_EQ(Value(table_.Get(Course{.id = "c10"})).instructor, "i5");
  EXPECT_THAT(table_.Query<Module>().With<&Module::course>("c10").All(), IsOkAndHolds(SizeIs(2)));
  const auto courses = Value(table_.Query<StudentEdge>().With<&StudentEdge::student>("s1").All());
  ASSERT_THAT(courses, SizeIs(2));
  EXPECT_EQ(courses[1].course, "c20");
  EXPECT_EQ(courses[1].progress, 0);
  // The index holds both edges of an enrolment. The key tells them apart.
  const auto page = Value(table_.Query<CourseEdge>("GSI1").With<&CourseEdge::course>("c10").Page());
  EXPECT_THAT(page.items, SizeIs(2));
  EXPECT_EQ(page.skipped, 1U);
}

TEST_F(SeedsCourseTest, ReadsTheOrganisations) {
  StoreKeys({{"user/test@example.com", "user"},
             {"user/test@example.com", "userOrganisation/[organisationId]"},
             {"organisation/[organisationId]", "organisation"},
             {"organisation/[organisationId]", "organisationMember/[emailAddress]"},
             {"organisation/[organisationId]", "organisationService/[serviceId]"}});
  EXPECT_THAT((table_.Scan<Node<10>, Node<11>, Node<12>, Node<13>, Node<14>>().Strict().All()),
              IsOkAndHolds(SizeIs(5)));
  EXPECT_THAT(table_.Get(Node<10>{.a = "test@example.com"}), IsOk());
}

}  // namespace
}  // namespace dolmen::seeds
