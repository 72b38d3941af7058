// put_message_sync does the same as put_message, but each message is durable before the next one is
// put.

#include <cstdint>
#include <string_view>

#include "bench/writers.h"

namespace dolmen::bench::put_message_sync {
namespace {

struct PutMessageSync : MessagePut {
  static constexpr std::string_view kName = "put_message_sync";
  static constexpr std::string_view kCopy = "synced";
  static constexpr Durability kDurability = Durability::kSync;
  static constexpr std::uint64_t kWritesChecked = 100;
};

const AllWriters<PutMessageSync> kContenders;

}  // namespace
}  // namespace dolmen::bench::put_message_sync
