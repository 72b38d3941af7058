// Formats the requests of a call for tests that check the cost of an access pattern:
//
//   EXPECT_EQ(Cost(log), "Query, 0.5 read");

#pragma once

#include <dolmen/entity/request_log.h>

#include <sstream>
#include <string>

namespace dolmen::test {

// Takes all requests out of the log. Returns their operations in order, and the units that they
// consumed in total.
inline std::string Cost(const RequestLog& log) {
  std::ostringstream text;
  Capacity consumed;
  for (const RequestTrace& trace : log.Take()) {
    consumed += trace.total();
    text << trace.operation << ", ";
  }
  if (consumed.write_units == 0) {
    text << consumed.read_units << " read";
  } else if (consumed.read_units == 0) {
    text << consumed.write_units << " write";
  } else {
    text << consumed.read_units << " read, " << consumed.write_units << " write";
  }
  return text.str();
}

}  // namespace dolmen::test
