#include "tests/remote/random_client.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <utility>

#include "dolmen/condition_builder.h"
#include "dolmen/key_condition_builder.h"
#include "dolmen/update_builder.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

// Each number has a text of its own, so that a response for another request is noticed. Some are large,
// so that their messages are sent in several parts.
std::string TextOf(std::int64_t number) {
  if (number == 0) return {};
  const auto size = number % 40 == 0 ? 100000 : (number * 7919) % 2000;
  return std::to_string(number).append(static_cast<std::size_t>(size), 'x');
}

ItemState StateOf(const ItemView& item) {
  const ItemState state{.exists = true,
                        .number = item["n"].AsInt64().value_or(0),
                        .sum = item["s"].AsInt64().value_or(0)};
  EXPECT_EQ(item["t"].AsString().value_or(""), TextOf(state.number)) << item.ToString();
  return state;
}

ItemState StateOf(const std::optional<StoredItem>& item) {
  return item ? StateOf(item->view()) : ItemState{};
}

std::size_t KeyOf(const ItemView& item) {
  return static_cast<std::size_t>(item["SK"].AsString().value_or("0").front() - '0');
}

bool Always(const ItemState&) { return true; }
ItemState Nothing(const ItemState&) { return {}; }

PossibleStates::Effect Becomes(std::int64_t number) {
  return [number](const ItemState&) { return ItemState{.exists = true, .number = number}; };
}

}  // namespace

Item SharedKey(const std::string& name) { return {{"PK", "shared"}, {"SK", name}}; }

RandomClient::RandomClient(Database database, Table table, Table truth, std::size_t number,
                           Random random, SharedCounts* counts)
    : database_(std::move(database)),
      table_(std::move(table)),
      truth_(std::move(truth)),
      partition_(std::to_string(number)),
      random_(random),
      counts_(counts),
      last_number_(static_cast<std::int64_t>(number) * 1'000'000'000) {}

void RandomClient::Step() {
  using Operation = void (RandomClient::*)();
  constexpr std::array<Operation, 15> kOperations = {&RandomClient::Put,
                                                     &RandomClient::Put,
                                                     &RandomClient::SetNumber,
                                                     &RandomClient::SetNumber,
                                                     &RandomClient::AddToSum,
                                                     &RandomClient::AddToSum,
                                                     &RandomClient::Delete,
                                                     &RandomClient::AddToShared,
                                                     &RandomClient::WriteBatch,
                                                     &RandomClient::TransactWithToken,
                                                     &RandomClient::TransactOnTwoItems,
                                                     &RandomClient::Get,
                                                     &RandomClient::GetBatch,
                                                     &RandomClient::GetInTransaction,
                                                     &RandomClient::QueryPartition};
  (this->*kOperations.at(random_.Below(kOperations.size())))();
}

void RandomClient::CheckTruth() {
  for (std::size_t key = 0; key < kKeys; ++key) {
    Saw(key, StateOf(Value(truth_.GetItem({.key = Key(key)})).item));
  }
}

Item RandomClient::Key(std::size_t key) const {
  return {{"PK", partition_}, {"SK", std::to_string(key)}};
}

Item RandomClient::NewItem(std::size_t key, std::int64_t number) const {
  Item item = Key(key);
  item["n"] = number;
  item["t"] = TextOf(number);
  return item;
}

std::int64_t RandomClient::NextNumber() { return ++last_number_; }

std::vector<std::size_t> RandomClient::RandomKeys(std::size_t count) {
  std::vector<std::size_t> keys(kKeys);
  for (std::size_t i = 0; i < kKeys; ++i) keys[i] = i;
  random_.Shuffle(&keys);
  keys.resize(count);
  return keys;
}

RandomClient::Guard RandomClient::RandomGuard(std::size_t key) {
  switch (random_.Below(4)) {
    case 0:
      return {.condition = AttributeNotExists("PK"),
              .holds = [](const ItemState& state) { return !state.exists; }};
    case 1: {
      const std::int64_t number = states_.at(key).any().number;
      return {.condition = Attr("n") == number, .holds = [number](const ItemState& state) {
                return state.number != 0 && state.number == number;
              }};
    }
    default:
      return {.holds = Always};
  }
}

void RandomClient::Put() {
  const std::size_t key = random_.Below(kKeys);
  const std::int64_t number = NextNumber();
  const Guard guard = RandomGuard(key);
  const bool returns_old = random_.OneIn(4);
  const auto put =
      table_.PutItem({.item = NewItem(key, number),
                      .condition = guard.condition,
                      .return_values = returns_old ? ReturnValues::kAllOld : ReturnValues::kNone});
  if (put.ok() && returns_old) Saw(key, StateOf(put->attributes));
  Wrote(key, put.status(), guard, Becomes(number));
}

void RandomClient::SetNumber() {
  const std::size_t key = random_.Below(kKeys);
  const std::int64_t number = NextNumber();
  const Guard guard = RandomGuard(key);
  const auto updated =
      table_.UpdateItem({.key = Key(key),
                         .update = Update().Set("n", number).Set("t", TextOf(number)),
                         .condition = guard.condition});
  Wrote(key, updated.status(), guard, [number](const ItemState& before) {
    return ItemState{.exists = true, .number = number, .sum = before.sum};
  });
}

void RandomClient::AddToSum() {
  const std::size_t key = random_.Below(kKeys);
  const Guard guard = RandomGuard(key);
  const auto updated = table_.UpdateItem(
      {.key = Key(key), .update = Update().Add("s", 1), .condition = guard.condition});
  Wrote(key, updated.status(), guard, [](const ItemState& before) {
    return ItemState{.exists = true, .number = before.number, .sum = before.sum + 1};
  });
}

void RandomClient::Delete() {
  const std::size_t key = random_.Below(kKeys);
  const Guard guard = RandomGuard(key);
  const bool returns_old = random_.OneIn(2);
  const auto deleted = table_.DeleteItem(
      {.key = Key(key),
       .condition = guard.condition,
       .return_values = returns_old ? ReturnValues::kAllOld : ReturnValues::kNone});
  if (deleted.ok() && returns_old) Saw(key, StateOf(deleted->attributes));
  Wrote(key, deleted.status(), guard, Nothing);
}

void RandomClient::AddToShared() {
  const Status status =
      table_.UpdateItem({.key = SharedKey("sum"), .update = Update().Add("s", 1)}).status();
  const WriteEnd end = Count(status);
  if (end == WriteEnd::kDone) ++counts_->added;
  if (end == WriteEnd::kUnknown) ++counts_->maybe_added;
}

void RandomClient::WriteBatch() {
  const std::vector<std::size_t> keys = RandomKeys(1 + random_.Below(kKeys));
  std::map<std::size_t, PossibleStates::Effect> effects;
  WriteRequests writes{.table = table_};
  for (const std::size_t key : keys) {
    const std::int64_t number = random_.OneIn(3) ? 0 : NextNumber();
    effects[key] = number == 0 ? Nothing : Becomes(number);
    if (number == 0) {
      writes.requests.emplace_back(DeleteRequest{Key(key)});
    } else {
      writes.requests.emplace_back(PutRequest{NewItem(key, number)});
    }
  }
  const auto written = database_.BatchWriteItem({.requests = {writes}});
  const WriteEnd end = Count(written.status());
  // An attempt without a response may have done writes that a later attempt has left.
  const bool is_partial = written.ok() && !written->unprocessed_items.empty();
  for (const auto& [key, effect] : effects) {
    Wrote(key, is_partial ? WriteEnd::kUnknown : end, {.holds = Always}, effect);
  }
}

void RandomClient::TransactWithToken() {
  const std::size_t key = random_.Below(kKeys);
  const std::int64_t number = NextNumber();
  const TransactWriteItemsInput input{
      .actions = {{table_, PutItemInput{.item = NewItem(key, number)}},
                  {table_, UpdateItemInput{.key = SharedKey("transactions"),
                                           .update = Update().Add("s", 1)}}},
      .client_request_token = "token" + std::to_string(number)};
  WriteEnd end = WriteEnd::kNotDone;
  for (int attempt = 0; attempt < 100 && end != WriteEnd::kDone; ++attempt) {
    end = Count(database_.TransactWriteItems(input).status());
  }
  ASSERT_EQ(end, WriteEnd::kDone) << "a hundred attempts";
  ++counts_->transactions;
  Wrote(key, end, {.holds = Always}, Becomes(number));
}

void RandomClient::TransactOnTwoItems() {
  const std::vector<std::size_t> keys = RandomKeys(2);
  const std::int64_t number = NextNumber();
  const Guard guard = RandomGuard(keys[0]);
  const Status status =
      database_
          .TransactWriteItems(
              {.actions = {{table_, PutItemInput{.item = NewItem(keys[0], number),
                                                 .condition = guard.condition}},
                           {table_, PutItemInput{.item = NewItem(keys[1], number)}}}})
          .status();
  const WriteEnd end = Count(status);
  const bool is_changed = end == WriteEnd::kDone || end == WriteEnd::kUnknown;
  Wrote(keys[0], end, guard, Becomes(number));
  Wrote(keys[1], is_changed ? end : WriteEnd::kNotDone, {.holds = Always}, Becomes(number));
  if (end != WriteEnd::kUnknown) return;
  std::vector<ItemState> found;
  for (const std::size_t key : keys) {
    found.push_back(StateOf(Value(truth_.GetItem({.key = Key(key)})).item));
    Saw(key, found.back());
  }
  EXPECT_EQ(found[0].number == number, found[1].number == number) << "half a transaction";
}

void RandomClient::Get() {
  const std::size_t key = random_.Below(kKeys);
  const auto got = table_.GetItem({.key = Key(key), .consistent_read = true});
  EXPECT_NE(EndOf(got.status()), WriteEnd::kWrong) << got.status().ToString();
  if (got.ok()) Saw(key, StateOf(got->item));
}

void RandomClient::GetBatch() {
  KeysAndAttributes wanted{.table = table_, .consistent_read = true};
  std::array<ItemState, kKeys> seen = {};
  for (std::size_t key = 0; key < kKeys; ++key) wanted.keys.push_back(Key(key));
  const auto got = database_.BatchGetItem({.requests = {wanted}});
  EXPECT_NE(EndOf(got.status()), WriteEnd::kWrong) << got.status().ToString();
  if (!got.ok() || !got->unprocessed_keys.empty()) return;
  for (const StoredItem& item : got->responses.at(0)) {
    seen.at(KeyOf(item.view())) = StateOf(item.view());
  }
  for (std::size_t key = 0; key < kKeys; ++key) Saw(key, seen.at(key));
}

void RandomClient::GetInTransaction() {
  const std::vector<std::size_t> keys = RandomKeys(3);
  TransactGetItemsInput input;
  for (const std::size_t key : keys) input.items.push_back({.table = table_, .key = Key(key)});
  const auto got = database_.TransactGetItems(input);
  EXPECT_NE(EndOf(got.status()), WriteEnd::kWrong) << got.status().ToString();
  if (!got.ok()) return;
  for (std::size_t i = 0; i < keys.size(); ++i) Saw(keys[i], StateOf(got->items.at(i)));
}

void RandomClient::QueryPartition() {
  std::array<ItemState, kKeys> seen = {};
  QueryInput input{.key_condition = Partition(partition_), .consistent_read = true};
  do {
    input.limit = static_cast<std::uint32_t>(1 + random_.Below(kKeys));
    const auto page = table_.Query(input);
    EXPECT_NE(EndOf(page.status()), WriteEnd::kWrong) << page.status().ToString();
    if (!page.ok()) return;
    for (const ItemView item : *page) seen.at(KeyOf(item)) = StateOf(item);
    input.exclusive_start_key = page->last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  for (std::size_t key = 0; key < kKeys; ++key) Saw(key, seen.at(key));
}

WriteEnd RandomClient::Count(const Status& status) {
  const WriteEnd end = EndOf(status);
  EXPECT_NE(end, WriteEnd::kWrong) << status.ToString();
  ++counts_->ends.at(static_cast<std::size_t>(end));
  return end;
}

void RandomClient::Wrote(std::size_t key, const Status& status, const Guard& guard,
                         const PossibleStates::Effect& effect) {
  const WriteEnd end = Count(status);
  if (end == WriteEnd::kWrong) return;
  EXPECT_TRUE(states_.at(key).Write(end, guard.holds, effect)) << status.ToString();
}

void RandomClient::Wrote(std::size_t key, WriteEnd end, const Guard& guard,
                         const PossibleStates::Effect& effect) {
  if (end == WriteEnd::kWrong) return;
  EXPECT_TRUE(states_.at(key).Write(end, guard.holds, effect));
}

void RandomClient::Saw(std::size_t key, const ItemState& seen) {
  EXPECT_TRUE(states_.at(key).Read(seen))
      << "item " << partition_ << "/" << key << " has the number " << seen.number << " and the sum "
      << seen.sum << ", possible is " << states_.at(key).any().number << " and "
      << states_.at(key).any().sum;
}

}  // namespace dolmen::test
