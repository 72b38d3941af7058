#include "tests/simulate/workload.h"

#include "tests/support/faults.h"

namespace dolmen::simulate {
namespace {

using test::AllFaults;
using test::IsUnclear;

std::string TextAt(const ItemView& item, std::string_view name) {
  return std::string(item[name].AsString().value_or(""));
}

}  // namespace

SimulateOptions EveryFault(std::uint64_t seed, double chance, std::chrono::milliseconds read_lag) {
  return {.seed = seed,
          .rules = AllFaults(chance),
          .partition_read_units = 5,
          .partition_write_units = 4,
          .read_lag = read_lag,
          .hash_order = true,
          .shuffle_equal_keys = true};
}

Workload::Workload(const Database& db, std::uint64_t seed, WorkloadOptions options)
    : db_(db),
      table_(test::Value(db.OpenTable("app"))),
      random_(seed),
      options_(std::move(options)) {
  for (const std::string& pk : options_.partitions) {
    for (const char* sk : {"1", "2", "3", "4"}) model_[{pk, sk}] = {{Now(), {std::nullopt}}};
  }
}

void Workload::CreateTable(const Database& db) {
  EXPECT_THAT(
      db.CreateTable(
          {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}}),
      IsOk());
}

void Workload::Run(std::size_t operations) {
  for (std::size_t i = 0; i < operations && !testing::Test::HasFailure(); ++i) {
    RunOne();
    options_.wait(std::chrono::milliseconds(random_.Below(300)));
  }
}

void Workload::RunOne() {
  using Step = void (Workload::*)();
  static const std::vector<Step> kSteps = {
      &Workload::PutOne,     &Workload::PutNew,           &Workload::DeleteOne,
      &Workload::WriteBatch, &Workload::WriteTransaction, &Workload::GetOne,
      &Workload::GetBatch,   &Workload::QueryPartition,   &Workload::ScanTable};
  (this->*kSteps[random_.Below(kSteps.size() - (options_.scans ? 0 : 1))])();
}

Workload::Key Workload::RandomKey() {
  auto at = model_.begin();
  std::advance(at, random_.Below(model_.size()));
  return at->first;
}

std::pair<Workload::Key, Workload::Key> Workload::TwoKeys() {
  const Key first = RandomKey();
  Key second = RandomKey();
  while (second == first) second = RandomKey();
  return {first, second};
}

Item Workload::NewItem(const Key& key) {
  return {{"PK", key.first},
          {"SK", key.second},
          {"GSI1PK", key.first},
          {"GSI1SK", "same"},
          {"v", ++last_value_}};
}

void Workload::Wrote(const Key& key, Value value, const Status& status) {
  Values values = ValuesOf(key);
  if (status.ok()) values.clear();
  if (!status.ok() && !IsUnclear(status)) return;
  values.insert(value);
  model_[key].push_back({Now(), std::move(values)});
}

void Workload::Read(const Key& key, const Seen& seen, bool consistent) {
  std::vector<Version>& versions = model_[key];
  const bool lags = !consistent && options_.read_lag.count() > 0;
  bool may_have = versions.back().values.contains(seen.value);
  for (std::size_t i = 1; lags && i < versions.size(); ++i) {
    const bool is_old = versions[i].since <= seen.at - options_.read_lag;
    may_have = may_have || (!is_old && versions[i - 1].values.contains(seen.value));
  }
  EXPECT_TRUE(may_have) << key.first << ' ' << key.second << " has " << seen.value.value_or(0);
  if (!lags) versions.back().values = {seen.value};
}

Workload::Value Workload::ReadNow(const Key& key) {
  for (;; Pause()) {
    const auto got = table_.GetItem({.key = KeyOf(key.first, key.second), .consistent_read = true});
    if (!got.ok()) continue;
    return got->item ? (*got->item)["v"].AsInt64() : std::nullopt;
  }
}

void Workload::PutOne() {
  const Key key = RandomKey();
  const Status status = table_.PutItem({.item = NewItem(key)}).status();
  Wrote(key, last_value_, status);
}

void Workload::PutNew() {
  const Key key = RandomKey();
  const Status status =
      table_.PutItem({.item = NewItem(key), .condition = "attribute_not_exists(PK)"}).status();
  Values& values = ValuesOf(key);
  if (status.code() == StatusCode::kConditionalCheckFailed) {
    values.erase(std::nullopt);
    EXPECT_FALSE(values.empty()) << "the condition was true";
  } else if (status.ok()) {
    EXPECT_TRUE(values.contains(std::nullopt)) << "the condition was false";
    Wrote(key, last_value_, status);
  } else if (values.contains(std::nullopt)) {
    Wrote(key, last_value_, status);
  }
}

void Workload::DeleteOne() {
  const Key key = RandomKey();
  Wrote(key, std::nullopt, table_.DeleteItem({.key = KeyOf(key.first, key.second)}).status());
}

void Workload::WriteBatch() {
  const auto [put, removed] = TwoKeys();
  const auto written =
      db_.BatchWriteItem({.requests = {{table_,
                                        {PutRequest{NewItem(put)},
                                         DeleteRequest{KeyOf(removed.first, removed.second)}}}}});
  std::set<std::size_t> unprocessed;  // kinds of WriteRequest
  if (written.ok()) {
    for (const WriteRequests& left : written->unprocessed_items) {
      for (const WriteRequest& write : left.requests) unprocessed.insert(write.index());
    }
  }
  if (!unprocessed.contains(0)) Wrote(put, last_value_, written.status());
  if (!unprocessed.contains(1)) Wrote(removed, std::nullopt, written.status());
}

void Workload::WriteTransaction() {
  const auto [put, removed] = TwoKeys();
  const Values before = ValuesOf(removed);
  const Item item = NewItem(put);
  const Status status =
      db_.TransactWriteItems(
             {.actions = {{table_, PutItemInput{.item = item}},
                          {table_, DeleteItemInput{.key = KeyOf(removed.first, removed.second)}}},
              .client_request_token = put.first + std::to_string(last_value_)})
          .status();
  Wrote(put, last_value_, status);
  Wrote(removed, std::nullopt, status);
  if (!IsUnclear(status)) return;
  // Both writes took effect, or none of them.
  const bool was_put = ReadNow(put) == Value(last_value_);
  const Value rest = ReadNow(removed);
  EXPECT_TRUE(was_put ? rest == std::nullopt : before.contains(rest))
      << "half of a transaction took effect";
  Read(put, {ReadNow(put), Now()}, true);
  Read(removed, {rest, Now()}, true);
}

void Workload::GetOne() {
  const Key key = RandomKey();
  const bool consistent = random_.OneIn(2);
  const auto got =
      table_.GetItem({.key = KeyOf(key.first, key.second), .consistent_read = consistent});
  if (!got.ok()) return;
  Read(key, {got->item ? (*got->item)["v"].AsInt64() : std::nullopt, Now()}, consistent);
}

void Workload::GetBatch() {
  const auto [first, second] = TwoKeys();
  const bool consistent = random_.OneIn(2);
  BatchGetItemInput input{
      .requests = {{.table = table_,
                    .keys = {KeyOf(first.first, first.second), KeyOf(second.first, second.second)},
                    .consistent_read = consistent}}};
  std::map<Key, Seen> items = {{first, {std::nullopt, Now()}}, {second, {std::nullopt, Now()}}};
  for (; !input.requests.empty(); Pause()) {
    const auto got = db_.BatchGetItem(input);
    if (!got.ok()) continue;
    for (const StoredItem& item : got->responses[0]) {
      items[{TextAt(item.view(), "PK"), TextAt(item.view(), "SK")}] = {item["v"].AsInt64(), Now()};
    }
    input.requests = got->unprocessed_keys;
  }
  for (const auto& [key, seen] : items) Read(key, seen, consistent);
}

template <typename ReadPage>
void Workload::CheckPages(const std::string& pk, bool consistent, ReadPage read) {
  const Timestamp begin = Now();
  std::map<Key, Seen> items;
  Item start_key;
  for (;;) {
    const Result<QueryOutput> page = read(start_key);
    if (!page.ok()) {
      Pause();
      continue;
    }
    for (const ItemView item : *page) {
      const Key key = {TextAt(item, "PK"), TextAt(item, "SK")};
      EXPECT_TRUE(items.insert({key, {item["v"].AsInt64(), Now()}}).second) << "read twice";
    }
    start_key = page->last_evaluated_key();
    if (start_key.empty()) break;
  }
  for (const auto& [key, versions] : std::map(model_)) {
    if (!pk.empty() && key.first != pk) continue;
    const auto found = items.find(key);
    Read(key, found != items.end() ? found->second : Seen{std::nullopt, begin}, consistent);
  }
}

void Workload::QueryPartition() {
  const std::string pk = RandomKey().first;
  const bool of_index = random_.OneIn(3);
  const bool consistent = !of_index && random_.OneIn(2);
  const bool forward = random_.OneIn(2);
  CheckPages(pk, consistent, [&](const Item& start_key) {
    return table_.Query({.index = of_index ? "GSI1" : "",
                         .key_condition = of_index ? "GSI1PK = :pk" : "PK = :pk",
                         .values = {{":pk", pk}},
                         .forward = forward,
                         .exclusive_start_key = start_key,
                         .consistent_read = consistent});
  });
}

void Workload::ScanTable() {
  const bool of_index = random_.OneIn(3);
  const bool consistent = !of_index && random_.OneIn(2);
  CheckPages("", consistent, [&](const Item& start_key) {
    return table_.Scan({.index = of_index ? "GSI1" : "",
                        .exclusive_start_key = start_key,
                        .consistent_read = consistent});
  });
}

}  // namespace dolmen::simulate
