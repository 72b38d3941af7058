#include "tests/model/twin_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/support/faults.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {

namespace {

bool HasFault(const Outcome& outcome) {
  return IsFault(outcome.code) || std::ranges::any_of(outcome.reasons, [](const Outcome& reason) {
           return IsFault(reason.code);
         });
}
bool HasFault(const Page& page) { return IsFault(page.code); }
// Only a fault cancels a read, because the test has one thread.
bool HasFault(const Found& found) {
  return IsFault(found.code) || found.code == StatusCode::kTransactionCanceled;
}

}  // namespace

void TwinTables::SetFaults(bool on) {
  if (!faults_) return;
  SimulateOptions options{.hash_order = true};
  if (on) {
    options.seed = random_.Next();
    options.rules = AllFaults(0.02);
    options.throughput = {{.table = slots_[0].table->name(), .read_units = 1e9}};
    options.on_latency = [](std::uint64_t) {};
  }
  EXPECT_THAT(simulation_->Restart(std::move(options)), IsOk());
}

template <typename T, typename Call>
T TwinTables::Settled(const T& expected, Call call) {
  if (!faults_) return call();
  for (;;) {
    SetFaults(true);
    T actual = call();
    const SimulatedTrace trace = simulation_->Trace();
    SetFaults(false);
    if (!HasFault(actual) || trace.empty()) return actual;
    ++counts_["fault: " + std::string(SimulatedFaultName(trace.back().fault))];
    if (trace.back().moment == FaultMoment::kBefore) continue;
    EXPECT_EQ(expected.code, StatusCode::kOk);
    return expected;
  }
}

template <typename T>
void TwinTables::ExpectSame(const T& expected, const T& actual, const std::string& operation) {
  if (expected == actual) return;
  ADD_FAILURE() << operation << "\n  the model:  " << ToString(expected)
                << "\n  the table:  " << ToString(actual);
}

std::size_t TwinTables::Choose() {
  const std::size_t number = random_.Below(kTables);
  generator_.Use(&description(number));
  return number;
}

void TwinTables::Write() { WriteTo(Choose()); }

void TwinTables::WriteTo(std::size_t number) {
  generator_.Use(&description(number));
  const WriteOperation write = generator_.Write();
  const Outcome expected = model(number).Write(write);
  ++counts_["write: " + std::string(StatusCodeName(expected.code))];
  const Table& table = *slots_.at(number).table;
  const Outcome actual = Settled(expected, [&] { return test::Write(write, table); });
  if (!(expected == actual)) ExpectSame(expected, actual, ToString(write));
}

void TwinTables::Get() {
  const std::size_t number = Choose();
  const GetOperation get = generator_.Get();
  const Outcome expected = model(number).Get(get);
  const Table& table = *slots_.at(number).table;
  const Outcome actual = Settled(expected, [&] { return ToOutcome(table.GetItem(ToGet(get))); });
  if (!(expected == actual)) ExpectSame(expected, actual, ToString(get));
}

bool TwinTables::IsStillMaking(std::size_t number, const std::string& index, StatusCode expected,
                               StatusCode actual) {
  Slot& slot = slots_.at(number);
  if (index.empty() || index != slot.making || expected != StatusCode::kOk) return false;
  if (actual == StatusCode::kValidation && !slot.can_read_it) {
    ++counts_["read: index is being built"];
    return true;
  }
  slot.can_read_it = true;
  return false;
}

void TwinTables::ReadPages(std::size_t number, const QueryOperation& query) {
  const Table& table = *slots_.at(number).table;
  const Shape& shape = model(number).shape(query.index);
  Item start_key;
  do {
    Page expected = model(number).Query(query, start_key);
    const Page actual = Settled(expected, [&] {
      const Status status = table.Query(ToQuery(query, shape, start_key), &page_);
      return ToPage(status, page_);
    });
    if (IsStillMaking(number, query.index, expected.code, actual.code)) return;
    if (faults_ && 0 < actual.scanned_count && actual.scanned_count <= expected.scanned_count &&
        !(expected == actual)) {  // the page is short
      QueryOperation cut = query;
      cut.limit = actual.scanned_count;
      expected = model(number).Query(cut, start_key);
      ++counts_["fault: short page"];
    }
    if (!(expected == actual)) {
      return ExpectSame(
          expected, actual,
          ToString(query, shape) + "\n  start key: " + ToString(AttributeValue(start_key)));
    }
    start_key = actual.last_evaluated_key;
  } while (!start_key.empty());
}

void TwinTables::Query() {
  const std::size_t number = Choose();
  const QueryOperation query = generator_.Query();
  ++counts_[query.shards.empty() ? "query" : "query of several partitions"];
  ReadPages(number, query);
}

void TwinTables::Scan() {
  const std::size_t number = Choose();
  const ScanOperation scan = generator_.Scan();
  ++counts_[scan.total_segments == 0 ? "scan" : "scan in segments"];
  const std::vector<Pages> segments = test::Scan(scan, *slots_.at(number).table);
  const StatusCode expected = model(number).Scan(scan).code;
  for (const Pages& pages : segments) {
    if (IsStillMaking(number, scan.index, expected, pages[0].code)) return;
  }
  const std::string difference = Difference(scan, model(number), segments);
  if (!difference.empty()) ADD_FAILURE() << ToString(scan) << "\n  " << difference;
  const Item& key = segments[0][0].last_evaluated_key;
  if (segments.size() == 1 || key.empty()) return;
  EXPECT_THAT(slots_.at(number).table->Scan(ToScan(scan, 1, key)),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("correct Segment")))
      << ToString(scan);
}

void TwinTables::CheckIndex(std::size_t number, const std::string& index) {
  ScanOperation everything;
  everything.index = index;
  const std::vector<Pages> segments = test::Scan(everything, *slots_.at(number).table);
  if (IsStillMaking(number, index, StatusCode::kOk, segments[0][0].code)) return;
  const std::string difference = Difference(everything, model(number), segments);
  if (!difference.empty()) {
    ADD_FAILURE() << "everything in \"" << index << "\" of table " << number << "\n  "
                  << difference;
  }
  const std::size_t held = model(number).Scan(everything).count;
  counts_["items checked"] += held;
  if (!index.empty() && held > 0) ++counts_["index with items checked"];
}

void TwinTables::CheckAll() {
  for (std::size_t number = 0; number < kTables; ++number) {
    for (const std::string& index : IndexNames(description(number))) CheckIndex(number, index);
  }
  const auto verified = db_->Verify();
  ASSERT_THAT(verified, IsOk());
  EXPECT_EQ(verified->finding_count, 0u) << verified->findings.at(0).message;
}

void TwinTables::DoBatchWrite(const std::vector<TableWrite>& writes) {
  BatchWriteItemInput input{.options = {.return_consumed_capacity = generator_.SomeCapacity()}};
  std::string text = "BatchWriteItem";
  for (const auto& [number, write] : writes) {
    text += "\ntable " + std::to_string(number) + ": " + ToString(write);
    const Table& table = *slots_.at(number).table;
    if (input.requests.empty() || input.requests.back().table.name() != table.name()) {
      input.requests.push_back({.table = table});
    }
    auto& requests = input.requests.back().requests;
    if (write.kind == WriteOperation::Kind::kPut) {
      requests.emplace_back(PutRequest{write.item});
    } else {
      requests.emplace_back(DeleteRequest{write.item});
    }
  }
  const Outcome expected = model_.BatchWrite(writes, input.options.return_consumed_capacity);
  ++counts_["batch write: " + std::string(StatusCodeName(expected.code))];
  SetFaults(true);
  auto result = db_->BatchWriteItem(input);
  bool repeated = false;
  while (IsFault(result.status()) || (result.ok() && !result->unprocessed_items.empty())) {
    if (result.ok()) input.requests = result->unprocessed_items;
    result = db_->BatchWriteItem(input);
    repeated = true;
  }
  SetFaults(false);
  // A repeated batch consumes the capacity of its last part only.
  Outcome actual = ToOutcome(result);
  if (repeated) {
    ++counts_["fault: batch"];
    actual.capacity = expected.capacity;
  }
  ExpectSame(expected, actual, text);
}

void TwinTables::BatchWrite() {
  const std::size_t first = Choose();
  std::vector<TableWrite> writes;
  const auto add = [&](std::size_t number, std::size_t count) {
    for (WriteOperation& write : generator_.BatchWrites(generator_.Keys(count))) {
      writes.push_back({number, std::move(write)});
    }
  };
  add(first, 1 + random_.Below(10));
  // The number of writes to each table is random. Only a few batches have more than 25 writes to
  // both tables together, which BatchWriteItem rejects.
  if (const std::size_t second = Choose(); second != first) add(second, random_.Below(20));
  DoBatchWrite(writes);
}

void TwinTables::BatchGetItems() {
  std::vector<BatchGet> gets;
  BatchGetItemInput input{.options = {.return_consumed_capacity = generator_.SomeCapacity()}};
  std::string text = "BatchGetItem";
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t number = Choose();
    if (i == 1 && number == gets[0].table) continue;
    BatchGet& get = gets.emplace_back();
    get = {.table = number,
           .keys = generator_.Keys(1 + random_.Below(40)),
           .consistent_read = random_.OneIn(2)};
    if (random_.OneIn(2)) get.projection = generator_.Projection(ShapeOf(description(number), ""));
    input.requests.push_back(ToKeys(get, *slots_.at(number).table));
    text += "\n" + ToString(get);
  }
  const Found expected = model_.BatchGetItems(gets, input.options.return_consumed_capacity);
  ++counts_["batch get: " + std::string(StatusCodeName(expected.code))];
  const Found actual = Settled(expected, [&] {
    auto found = db_->BatchGetItem(input);
    while (found.ok() && !found->unprocessed_keys.empty()) found = db_->BatchGetItem(input);
    return ToFound(found);
  });
  ExpectSame(expected, actual, text);
}

TransactOperation TwinTables::NewTransaction() {
  TransactOperation operation;
  for (std::size_t i = 1 + random_.Below(2); i > 0; --i) {
    const std::size_t number = Choose();
    for (WriteOperation& write : generator_.Actions(1 + random_.Below(4))) {
      operation.writes.push_back({number, std::move(write)});
    }
  }
  return operation;
}

void TwinTables::Transact() {
  TransactOperation operation = NewTransaction();
  if (random_.OneIn(3)) operation.token = "token-" + std::to_string(++last_token_);
  if (random_.OneIn(8) && !remembered_.empty()) {
    const TransactOperation& before = random_.Pick(remembered_);
    operation.token = before.token;
    if (!random_.OneIn(8)) operation.writes = before.writes;
  }
  if (operation.writes.empty()) return;
  operation.capacity = generator_.SomeCapacity();
  TransactWriteItemsInput input{.client_request_token = operation.token,
                                .options = {.return_consumed_capacity = operation.capacity}};
  for (const auto& [number, write] : operation.writes) {
    input.actions.push_back(ToAction(write, *slots_.at(number).table));
  }
  const Outcome expected = model_.Transact(operation);
  ++counts_["transaction: " + std::string(StatusCodeName(expected.code))];
  const Outcome actual =
      Settled(expected, [&] { return ToOutcome(db_->TransactWriteItems(input)); });
  ExpectSame(expected, actual, ToString(operation));
  if (operation.token.empty()) return;
  if (remembered_.size() > 20) remembered_.erase(remembered_.begin());
  remembered_.push_back(std::move(operation));
}

void TwinTables::TransactGet() {
  std::vector<TableGet> gets;
  TransactGetItemsInput input{.options = {.return_consumed_capacity = generator_.SomeCapacity()}};
  std::string text = "TransactGetItems";
  for (std::size_t i = 1 + random_.Below(6); i > 0; --i) {
    const std::size_t number = Choose();
    gets.push_back({number, generator_.Get()});
    input.items.push_back(ToTransactGet(gets.back().get, *slots_.at(number).table));
    text += "\ntable " + std::to_string(number) + ": " + ToString(gets.back().get);
  }
  const Found expected = model_.TransactGet(gets, input.options.return_consumed_capacity);
  ++counts_["transact get: " + std::string(StatusCodeName(expected.code))];
  const Found actual = Settled(expected, [&] { return ToFound(db_->TransactGetItems(input)); });
  ExpectSame(expected, actual, text);
}

void TwinTables::AdvanceClock() {
  static const std::vector<std::chrono::milliseconds> kSteps = {std::chrono::milliseconds(7'001),
                                                                std::chrono::milliseconds(240'007),
                                                                std::chrono::milliseconds(660'013)};
  const std::chrono::milliseconds by = random_.Pick(kSteps);
  clock_->Advance(by);
  model_.Advance(by);
}

}  // namespace dolmen::test
