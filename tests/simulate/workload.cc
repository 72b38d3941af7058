#include "tests/simulate/workload.h"

namespace dolmen::simulate {
namespace {

// Returns true if the write may have taken effect although it failed.
bool IsUnclear(const Status& status) {
  return status.code() == StatusCode::kInternalServerError ||
         status.code() == StatusCode::kServiceUnavailable;
}

std::string TextAt(const ItemView& item, std::string_view name) {
  return std::string(item[name].AsString().value_or(""));
}

}  // namespace

std::vector<SimulateRule> AllFaults(double chance) {
  std::vector<SimulateRule> rules;
  for (std::size_t fault = 0; fault < SimulatedFaultNames().size(); ++fault) {
    for (const FaultMoment moment : {FaultMoment::kBefore, FaultMoment::kAfter}) {
      rules.push_back({.fault = static_cast<Fault>(fault),
                       .moment = moment,
                       .chance = chance,
                       .amount_min = 1,
                       .amount_max = 100});
    }
  }
  return rules;
}

Workload::Workload(const Database& db, std::uint64_t seed)
    : db_(db), table_(test::Value(db.OpenTable("app"))), random_(seed) {
  for (const char* pk : {"a", "b", "c"}) {
    for (const char* sk : {"1", "2", "3", "4"}) model_[{pk, sk}] = {std::nullopt};
  }
}

void Workload::Run(std::size_t operations) {
  for (std::size_t i = 0; i < operations && !testing::Test::HasFailure(); ++i) RunOne();
}

void Workload::RunOne() {
  using Step = void (Workload::*)();
  static const std::vector<Step> kSteps = {
      &Workload::PutOne,     &Workload::PutNew,           &Workload::DeleteOne,
      &Workload::WriteBatch, &Workload::WriteTransaction, &Workload::GetOne,
      &Workload::GetBatch,   &Workload::QueryPartition,   &Workload::ScanTable};
  (this->*random_.Pick(kSteps))();
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
  return {{"PK", key.first}, {"SK", key.second}, {"v", ++last_value_}};
}

void Workload::Wrote(const Key& key, Value value, const Status& status) {
  if (status.ok()) model_[key] = {value};
  if (IsUnclear(status)) model_[key].insert(value);
}

void Workload::Read(const Key& key, Value value) {
  EXPECT_TRUE(model_[key].contains(value)) << key.first << ' ' << key.second;
  model_[key] = {value};
}

Workload::Value Workload::ReadNow(const Key& key) {
  for (;;) {
    const auto got = table_.GetItem({.key = KeyOf(key.first, key.second)});
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
  Values& values = model_[key];
  if (status.code() == StatusCode::kConditionalCheckFailed) {
    values.erase(std::nullopt);
    EXPECT_FALSE(values.empty()) << "the condition was true";
  } else if (status.ok()) {
    EXPECT_TRUE(values.contains(std::nullopt)) << "the condition was false";
    values = {last_value_};
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
  const Values before = model_[removed];
  const Item item = NewItem(put);
  const Status status =
      db_.TransactWriteItems(
             {.actions = {{table_, PutItemInput{.item = item}},
                          {table_, DeleteItemInput{.key = KeyOf(removed.first, removed.second)}}},
              .client_request_token = std::to_string(last_value_)})
          .status();
  Wrote(put, last_value_, status);
  Wrote(removed, std::nullopt, status);
  if (!IsUnclear(status)) return;
  // Both writes took effect, or none of them.
  const bool was_put = ReadNow(put) == Value(last_value_);
  const Value rest = ReadNow(removed);
  EXPECT_TRUE(was_put ? rest == std::nullopt : before.contains(rest))
      << "half of a transaction took effect";
  Read(put, ReadNow(put));
  Read(removed, rest);
}

void Workload::GetOne() {
  const Key key = RandomKey();
  const auto got = table_.GetItem({.key = KeyOf(key.first, key.second)});
  if (got.ok()) Read(key, got->item ? (*got->item)["v"].AsInt64() : std::nullopt);
}

void Workload::GetBatch() {
  const auto [first, second] = TwoKeys();
  BatchGetItemInput input{
      .requests = {
          {table_, {KeyOf(first.first, first.second), KeyOf(second.first, second.second)}}}};
  std::map<Key, Value> items = {{first, std::nullopt}, {second, std::nullopt}};
  while (!input.requests.empty()) {
    const auto got = db_.BatchGetItem(input);
    if (!got.ok()) continue;
    for (const StoredItem& item : got->responses[0]) {
      items[{TextAt(item.view(), "PK"), TextAt(item.view(), "SK")}] = item["v"].AsInt64();
    }
    input.requests = got->unprocessed_keys;
  }
  for (const auto& [key, value] : items) Read(key, value);
}

void Workload::CheckItems(const std::string& pk, const std::map<Key, Value>& items) {
  for (const auto& [key, values] : std::map(model_)) {
    if (!pk.empty() && key.first != pk) continue;
    const auto found = items.find(key);
    Read(key, found != items.end() ? found->second : std::nullopt);
  }
}

void Workload::QueryPartition() {
  const std::string pk = RandomKey().first;
  QueryInput input{.key_condition = "PK = :pk", .values = {{":pk", pk}}};
  input.forward = random_.OneIn(2);
  std::map<Key, Value> items;
  do {
    const auto page = table_.Query(input);
    if (!page.ok()) continue;
    for (const ItemView item : *page) items[{pk, TextAt(item, "SK")}] = item["v"].AsInt64();
    input.exclusive_start_key = page->last_evaluated_key();
    if (input.exclusive_start_key.empty()) return CheckItems(pk, items);
  } while (true);
}

void Workload::ScanTable() {
  ScanInput input;
  std::map<Key, Value> items;
  do {
    const auto page = table_.Scan(input);
    if (!page.ok()) continue;
    for (const ItemView item : *page) {
      items[{TextAt(item, "PK"), TextAt(item, "SK")}] = item["v"].AsInt64();
    }
    input.exclusive_start_key = page->last_evaluated_key();
    if (input.exclusive_start_key.empty()) return CheckItems("", items);
  } while (true);
}

}  // namespace dolmen::simulate
