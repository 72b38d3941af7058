// What a call asked of the store, for tests that say what an access pattern costs:
//
//   EXPECT_EQ(Cost(log), "Query, 0.5 read");

#pragma once

#include <dolmen/entity/requests.h>

#include <sstream>
#include <string>

namespace dolmen::test {

// The operations since the log was taken last, in order, and the units that they consumed in all.
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
