// Decisions of writes away from the engine: the effect of a write on an item that was read from a
// service. This header is not installed.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/describe_table.h"
#include "dolmen/item_view.h"
#include "dolmen/number.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "dolmen/time_to_live.h"

namespace dolmen::internal {

// The items that a request with hide_expired treats as absent (TimeToLiveSpecification).
struct HiddenItems {
  std::string attribute;
  Number from;   // seconds since 1970: items with an earlier time never expire
  Number until;  // items with this time or a later one have not expired

  bool Hides(const ItemView& item) const;
};

// The keys, the indexes and the time to live of a table, by which writes are decided. Immutable, so
// thread-safe.
class TableRules {
 public:
  // - kValidation: the keys or the indexes break a rule of create_table.h.
  static Result<std::shared_ptr<const TableRules>> Make(const TableDescription& table,
                                                        const TimeToLiveDescription& time_to_live);
  TableRules(const TableRules&) = delete;
  TableRules& operator=(const TableRules&) = delete;
  ~TableRules();

  // Returns the items that are hidden from a request at the time `now`; nothing if the request sees
  // all items. `asked` is RequestOptions::hide_expired.
  std::optional<HiddenItems> HiddenFrom(const std::optional<bool>& asked, Timestamp now) const;

 private:
  template <typename Input>
  friend Result<struct WriteDecision> DecideWrite(const TableRules& rules, const Input& input,
                                                  const std::optional<ItemView>& old);
  struct State;
  explicit TableRules(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// The effect of a write on its item.
struct WriteDecision {
  enum class Kind : std::uint8_t { kNothing, kPut, kDelete };
  Kind kind = Kind::kNothing;
  std::optional<StoredItem> item = {};        // the item after the write; kPut only
  std::optional<StoredItem> attributes = {};  // the attributes that ReturnValues asks for
};

// Returns the effect of a PutItemInput, an UpdateItemInput with or without a rewriter, a
// DeleteItemInput or a ConditionCheckInput. `old` is nothing if the item does not exist or is hidden.
// - kConditionalCheckFailed: the condition is false.
// - kValidation, with DynamoDB's message: the write is invalid.
// - any error of the rewriter.
template <typename Input>
Result<WriteDecision> DecideWrite(const TableRules& rules, const Input& input,
                                  const std::optional<ItemView>& old);

}  // namespace dolmen::internal
