// A fixture for tests of stream records, with short functions that update items, write batches and
// read the changes.

#pragma once

#include <string>
#include <vector>

#include "tests/behaviour/stream_fixture.h"

namespace dolmen::behaviour {

class StreamRecordTest : public StreamFixture {
 protected:
  Result<WriteItemOutput> Update(const std::string& sort, const UpdateExpression& update,
                                 const Values& values = {}) const {
    return table().UpdateItem({.key = Key(sort), .update = update, .values = values});
  }
  Status Batch(const std::vector<WriteRequest>& requests) {
    return database()
        .BatchWriteItem({.requests = {{.table = table(), .requests = requests}}})
        .status();
  }

  std::vector<Change> Changes() { return ChangesOf(Records()); }
};

}  // namespace dolmen::behaviour
