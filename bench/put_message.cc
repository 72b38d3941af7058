// put_message: one new message, put without a condition.  It is in no index, so it is one row.  No
// write waits for the disk.

#include <cstdint>
#include <string_view>

#include "bench/writers.h"

namespace dolmen::bench {
namespace {

struct PutMessage : MessagePut {
  static constexpr std::string_view kName = "put_message";
  static constexpr std::string_view kCopy = "written";
  static constexpr Durability kDurability = Durability::kBuffered;
  static constexpr std::uint64_t kWritesChecked = 1000;
};

const AllWriters<PutMessage> kContenders;

}  // namespace
}  // namespace dolmen::bench
