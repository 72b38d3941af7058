// A fixture for tests of the user model: the sample data at a known time, and a log of the
// requests.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/user/design.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::user {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::_;
using testing::HasSubstr;

inline Timestamp Time(std::string_view text) { return Value(ParseIso8601(text)); }

// The operations of several requests, and the units that all the requests consumed together.
struct Asked {
  std::vector<std::string> operations = {};
  double read_units = 0;
  double write_units = 0;

  friend bool operator==(const Asked&, const Asked&) = default;
};

inline void PrintTo(const Asked& asked, std::ostream* out) {
  *out << testing::PrintToString(asked.operations) << ", " << asked.read_units << " read units, "
       << asked.write_units << " write units";
}

class UserTest : public testing::Test {
 protected:
  UserTest() {
    const Status loaded = LoadSampleData(store_);
    if (!loaded.ok()) throw std::runtime_error(loaded.ToString());
    log_.Take();
  }

  // Returns the requests since the last call.
  Asked TakeAsked() {
    Asked asked;
    for (const RequestTrace& trace : log_.Take()) {
      asked.operations.push_back(trace.operation);
      asked.read_units += trace.total().read_units;
      asked.write_units += trace.total().write_units;
    }
    return asked;
  }

  // Returns the table, to read and write items directly.
  Table RawTable() { return Value(database_.OpenTable("user")); }
  EntityTable Entities() { return EntityTable(database_, RawTable()); }

  Item Stored(std::string_view partition, std::string_view sort) {
    const GetItemOutput output =
        Value(RawTable().GetItem({.key = {{"PK", partition}, {"SK", sort}}}));
    return output.item ? Value(output.item->Copy()) : Item();
  }

  const Users& users() { return store_.users; }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(Time("2026-04-15T12:00:00Z"));
  Database database_ = Value(Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt}));
  RequestLog log_;
  const UserStore store_ = Value(UserStore::Open(database_, log_.observer()));
};

}  // namespace dolmen::user
