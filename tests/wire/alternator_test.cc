#include "wire/alternator.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "dolmen/wire.h"
#include "tests/support/value.h"
#include "wire/operation.h"

namespace dolmen {
namespace {

TEST(AlternatorTest, EachOperationThatItLacksIsOneOfDolmen) {
  const std::vector<std::string> names = wire::OperationsThatAlternatorLacks();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) EXPECT_NE(wire::FindOperation(name), nullptr) << name;
}

TEST(AlternatorTest, AnEndpointCanLeaveOperationsOut) {
  const Endpoint endpoint(test::Value(Database::InMemory()), {.without = {"ListBackups"}});
  const EndpointResponse response = endpoint.Execute("ListBackups", "{}");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(endpoint.Unreadable("ListBackups", "{}")->body, response.body);
  EXPECT_EQ(endpoint.Execute("ListTables", "{}").status, 200);
}

}  // namespace
}  // namespace dolmen
