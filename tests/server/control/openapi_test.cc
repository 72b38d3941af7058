// Compares the OpenAPI description of the control requests with the control requests that exist.

#include <simdjson.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "server/control/control.h"
#include "tests/server/control/control_fixture.h"
#include "tests/support/source_directory.h"
#include "wire/json.h"

namespace dolmen::test {
namespace {

using testing::UnorderedElementsAreArray;
using wire::Json;
using wire::JsonObject;
using Words = std::vector<std::string>;

// A server, and the description of its control requests.
class OpenApiTest : public ControlFixture {
 protected:
  OpenApiTest() {
    const std::string path = SourceFile("/api/server/control_openapi.json");
    EXPECT_EQ(parser_.load(path).get(description_), simdjson::SUCCESS);
  }

  // Returns the members of the object to which the names lead.
  JsonObject At(std::initializer_list<const char*> names) const {
    Json json = description_;
    for (const char* const name : names) {
      const auto member = wire::Member(wire::ObjectOf(json), name);
      EXPECT_TRUE(member.has_value()) << name;
      if (member) json = *member;
    }
    return wire::ObjectOf(json);
  }

  // Calls visit("POST", "clock", operation) for each operation of the description.
  template <typename Visit>
  void VisitOperations(Visit visit) const {
    for (const auto path : At({"paths"})) {
      for (const auto operation : wire::ObjectOf(path.value)) {
        std::string method(operation.key);
        std::ranges::transform(method, method.begin(),
                               [](char c) { return static_cast<char>(c - 'a' + 'A'); });
        visit(method, std::string(path.key.substr(server::kControlPath.size())),
              wire::ObjectOf(operation.value));
      }
    }
  }

  simdjson::dom::parser parser_;
  Json description_;
};

// Returns the words of a message after `begin`, up to a quotation mark. `separator` is between them.
Words WordsAfter(const std::string& message, const std::string& begin,
                 const std::string& separator) {
  const std::size_t at = message.find(begin);
  if (at == message.npos) return {};
  std::string rest = message.substr(at + begin.size());
  rest.resize(rest.find('"'));
  Words words;
  for (std::size_t end = 0; !rest.empty(); rest.erase(0, end + separator.size())) {
    end = std::min(rest.find(separator), rest.size());
    words.push_back(rest.substr(0, end));
    if (end == rest.size()) break;
  }
  return words;
}

TEST_F(OpenApiTest, ListsExactlyTheControlRequests) {
  Words described;
  VisitOperations([&](const std::string& method, const std::string& name, const JsonObject&) {
    described.push_back(method + " /_dolmen/" + name);
  });
  const Words known = WordsAfter(Control("GET nonsense").body, "the control requests are ", ", ");
  EXPECT_FALSE(known.empty());
  EXPECT_THAT(described, UnorderedElementsAreArray(known));
}

TEST_F(OpenApiTest, ListsExactlyTheParameters) {
  VisitOperations(
      [&](const std::string& method, const std::string& name, const JsonObject& operation) {
        Words described;
        for (const Json parameter : wire::ArrayOf(*wire::Member(operation, "parameters"))) {
          // The parameter that is a header is described elsewhere and has no name here.
          const auto text = wire::StringMember(wire::ObjectOf(parameter), "name");
          if (!text.empty()) described.emplace_back(text);
        }
        const Words known = WordsAfter(Control(method + " " + name + "?nonsense=1").body,
                                       "has no parameter but ", " but ");
        EXPECT_THAT(described, UnorderedElementsAreArray(known)) << method << " " << name;
      });
}

TEST_F(OpenApiTest, ListsExactlyTheMembersOfASimulation) {
  const struct {
    const char* schema;
    const char* json;
  } cases[] = {
      {"Simulation", R"({"nonsense":1})"},
      {"Rule", R"({"Rules":[{"nonsense":1}]})"},
      {"Throughput", R"({"Throughput":[{"nonsense":1}]})"},
      {"Delays", R"({"Delays":{"nonsense":1}})"},
  };
  for (const auto& [schema, json] : cases) {
    Words described;
    for (const auto property : At({"components", "schemas", schema, "properties"})) {
      described.emplace_back(property.key);
    }
    const Words known =
        WordsAfter(Control("POST simulate", "key", json).body, "the members are ", ", ");
    EXPECT_THAT(described, UnorderedElementsAreArray(known)) << schema;
  }
}

TEST_F(OpenApiTest, ListsExactlyTheFaultsAndTheOperations) {
  for (const char* const member : {"Fault", "Operation"}) {
    Words described;
    const JsonObject property = At({"components", "schemas", "Rule", "properties", member});
    for (const Json value : wire::ArrayOf(*wire::Member(property, "enum"))) {
      described.emplace_back(wire::StringOf(value));
    }
    const std::string json = R"({"Rules":[{")" + std::string(member) + R"(":"nonsense"}]})";
    const Words known =
        WordsAfter(Control("POST simulate", "key", json).body, "must be one of ", ", ");
    EXPECT_THAT(described, UnorderedElementsAreArray(known)) << member;
  }
}

}  // namespace
}  // namespace dolmen::test
