#include "database/simulate/partial_batch.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dolmen::database {
namespace {

std::vector<Item>& ItemsOf(KeysAndAttributes& part) { return part.keys; }
std::vector<WriteRequest>& ItemsOf(WriteRequests& part) { return part.requests; }

// Returns the part of a batch for one table, with those of its items for which keep(position, item)
// is true. `*position` is the position of the part's first item, and becomes that of the next part.
template <typename Part, typename Keep>
Part Filtered(const Part& part, std::size_t* position, Keep keep) {
  Part kept = part;
  auto& items = ItemsOf(kept);
  std::erase_if(items, [&](const auto& item) { return !keep((*position)++, item); });
  return kept;
}

template <typename Input>
Input Rest(const Input& input, const std::set<std::size_t>& unprocessed) {
  Input rest{.requests = {}, .options = input.options};
  std::size_t position = 0;
  for (const auto& part : input.requests) {
    const std::size_t first = position;
    auto kept = Filtered(part, &position,
                         [&](std::size_t at, const auto&) { return !unprocessed.contains(at); });
    // The engine rejects a part that is empty in the request.
    if (!ItemsOf(kept).empty() || position == first) rest.requests.push_back(std::move(kept));
  }
  return rest;
}

// Returns true if the engine has left the key unprocessed.
bool WasLeft(const BatchGetItemOutput& done, const TableRef& table, const Item& key) {
  return std::ranges::any_of(done.unprocessed_keys, [&](const KeysAndAttributes& left) {
    return left.table.name() == table.name() && std::ranges::count(left.keys, key) > 0;
  });
}

}  // namespace

BatchGetItemInput WithoutItems(const BatchGetItemInput& input,
                               const std::set<std::size_t>& unprocessed) {
  return Rest(input, unprocessed);
}

BatchWriteItemInput WithoutItems(const BatchWriteItemInput& input,
                                 const std::set<std::size_t>& unprocessed) {
  return Rest(input, unprocessed);
}

BatchGetItemOutput OutputOf(const BatchGetItemInput& input,
                            const std::set<std::size_t>& unprocessed, BatchGetItemOutput done) {
  BatchGetItemOutput output{.consumed_capacity = std::move(done.consumed_capacity)};
  std::size_t position = 0;
  std::size_t next_response = 0;
  for (const KeysAndAttributes& part : input.requests) {
    std::size_t skipped = 0;
    KeysAndAttributes left = Filtered(part, &position, [&](std::size_t at, const Item& key) {
      if (unprocessed.contains(at)) ++skipped;
      return unprocessed.contains(at) || WasLeft(done, part.table, key);
    });
    // The engine has not seen a part whose items are all skipped, and has no response for it.
    auto& response = output.responses.emplace_back();
    if (skipped < part.keys.size()) response = std::move(done.responses[next_response++]);
    if (!left.keys.empty()) output.unprocessed_keys.push_back(std::move(left));
  }
  return output;
}

BatchWriteItemOutput OutputOf(const BatchWriteItemInput& input,
                              const std::set<std::size_t>& unprocessed, BatchWriteItemOutput done) {
  std::size_t position = 0;
  for (const WriteRequests& part : input.requests) {
    WriteRequests left = Filtered(part, &position, [&](std::size_t at, const WriteRequest&) {
      return unprocessed.contains(at);
    });
    if (!left.requests.empty()) done.unprocessed_items.push_back(std::move(left));
  }
  return done;
}

}  // namespace dolmen::database
