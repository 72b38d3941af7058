#include "engine/read/expiry_cutoff.h"

#include <array>
#include <chrono>
#include <string_view>

#include "engine/key/key_codec.h"

namespace dolmen::engine {
namespace {

constexpr auto kYear = std::chrono::days(365);
// An item whose time is more than five years ago never expires, as in DynamoDB.
constexpr auto kLongAgo = 5 * kYear;

Number Seconds(Timestamp time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

}  // namespace

ExpiredTimes::ExpiredTimes(Timestamp now) : from(Seconds(now - kLongAgo)), until(Seconds(now)) {}

bool ExpiredTimes::Contain(const AttributeView& value) const {
  if (!value.Is(AttributeType::kN)) return false;
  // Compares the bytes, because the bytes of encoded numbers sort as the numbers do.
  return from.encoded() <= value.payload() && value.payload() < until.encoded();
}

KeyRange ExpiryCutoff::Entries() const {
  const auto start = [&](const Number& number) {
    const std::array<std::string_view, 1> key = {number.encoded()};
    return KeyPrefix(expiry_->index.keyspace, key);
  };
  return {start(times_.from), start(times_.until)};
}

std::optional<ExpiryCutoff> HiddenItems(const TableSchema& table, const std::optional<bool>& asked,
                                        OperationTime* time) {
  if (!table.expiry || !asked.value_or(table.expiry->hide_expired)) return std::nullopt;
  return ExpiryCutoff(*table.expiry, time->Now());
}

}  // namespace dolmen::engine
