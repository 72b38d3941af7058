// The capacity in the outputs of operations. A simulation with limits asks each operation for it,
// and removes it again if the caller did not ask for it.

#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "engine/read/page_writer.h"

namespace dolmen::database {

// The `output` of an operation that returns a Result, which holds the output.
inline constexpr std::nullptr_t* kInResult = nullptr;

inline std::vector<ConsumedCapacity> ListOf(const std::optional<ConsumedCapacity>& consumed) {
  return consumed ? std::vector{*consumed} : std::vector<ConsumedCapacity>();
}
inline std::vector<ConsumedCapacity> ListOf(const std::vector<ConsumedCapacity>& consumed) {
  return consumed;
}

// Return the capacity that an operation has consumed. REQUIRES: done.ok()
template <typename Output>
std::vector<ConsumedCapacity> ConsumedBy(const Result<Output>& done, std::nullptr_t*) {
  return ListOf(done->consumed_capacity);
}
inline std::vector<ConsumedCapacity> ConsumedBy(const Status&, const GetItemOutput* output) {
  return ListOf(output->consumed_capacity);
}
inline std::vector<ConsumedCapacity> ConsumedBy(const Status&, const QueryOutput* page) {
  return ListOf(page->consumed_capacity());
}

// Returns the part of the capacity that the caller has asked for.
inline std::optional<ConsumedCapacity> Reduced(ReturnConsumedCapacity asked,
                                               const ConsumedCapacity& consumed) {
  if (asked == ReturnConsumedCapacity::kNone) return std::nullopt;
  if (asked == ReturnConsumedCapacity::kIndexes) return consumed;
  return ConsumedCapacity{.table_name = consumed.table_name, .total = consumed.total};
}

inline void Reduce(ReturnConsumedCapacity asked, std::optional<ConsumedCapacity>* consumed) {
  if (*consumed) *consumed = Reduced(asked, **consumed);
}
inline void Reduce(ReturnConsumedCapacity asked, std::vector<ConsumedCapacity>* consumed) {
  if (asked == ReturnConsumedCapacity::kNone) consumed->clear();
  for (ConsumedCapacity& part : *consumed) part = *Reduced(asked, part);
}

// Remove the capacity that the caller has not asked for. REQUIRES: done->ok()
template <typename Output>
void Reduce(ReturnConsumedCapacity asked, Result<Output>* done, std::nullptr_t*) {
  Reduce(asked, &(**done).consumed_capacity);
}
inline void Reduce(ReturnConsumedCapacity asked, Status*, GetItemOutput* output) {
  Reduce(asked, &output->consumed_capacity);
}
inline void Reduce(ReturnConsumedCapacity asked, Status*, QueryOutput* page) {
  std::optional<ConsumedCapacity> consumed = page->consumed_capacity();
  Reduce(asked, &consumed);
  internal::PageWriter writer(page);
  writer.RemoveConsumedCapacity();
  if (consumed) writer.SetConsumedCapacity(*std::move(consumed));
}

}  // namespace dolmen::database
