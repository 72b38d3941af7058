#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/read/page_writer.h"
#include "engine/value/stored_form.h"
#include "remote/page_request.h"

namespace dolmen::remote {
namespace {

constexpr std::uint64_t kPageBytesMax = std::uint64_t{1} << 20;

template <typename T>
int Compare(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

std::string_view BytesOf(const AttributeValue& value) {
  if (const auto* const text = value.get_if<std::string>()) return *text;
  if (const auto* const binary = value.get_if<Binary>()) return binary->bytes;
  return {};
}

// Compares two values of a key attribute as a table orders them: -1, 0 or 1.
int CompareKeys(const AttributeValue& a, const AttributeValue& b) {
  const auto* const left = a.get_if<Number>();
  const auto* const right = b.get_if<Number>();
  if (left != nullptr && right != nullptr) return Compare(*left, *right);
  return Compare(BytesOf(a), BytesOf(b));
}

// Returns true if the value of a sort key fulfils the condition. REQUIRES: both have the same type.
bool Fulfils(const AttributeValue& value, const SortKeyCondition& condition) {
  using Operator = SortKeyCondition::Operator;
  const int order = CompareKeys(value, condition.value);
  switch (condition.op) {
    case Operator::kEqual:
      return order == 0;
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    case Operator::kGreaterOrEqual:
      return order >= 0;
    case Operator::kBetween:
      return order >= 0 && CompareKeys(value, condition.upper) <= 0;
    case Operator::kBeginsWith:
      return BytesOf(value).starts_with(BytesOf(condition.value));
  }
  return false;
}

// Returns the condition for the items at or after `start`, in the direction of the read, that also
// fulfil `condition`. It may hold for more items at its end: those that Fulfils rejects.
SortKeyCondition From(const AttributeValue& start, bool forward,
                      const std::optional<SortKeyCondition>& condition) {
  using Operator = SortKeyCondition::Operator;
  const Operator op = condition ? condition->op : Operator::kGreaterOrEqual;
  if (condition && op == Operator::kEqual) return *condition;
  const bool has_lower = op == Operator::kGreater || op == Operator::kGreaterOrEqual ||
                         op == Operator::kBetween || op == Operator::kBeginsWith;
  const bool has_upper =
      op == Operator::kLess || op == Operator::kLessOrEqual || op == Operator::kBetween;
  if (forward) {
    if (!condition || !has_upper) return {Operator::kGreaterOrEqual, start};
    return {Operator::kBetween, start,
            op == Operator::kBetween ? condition->upper : condition->value};
  }
  if (!condition || !has_lower) return {Operator::kLessOrEqual, start};
  return {Operator::kBetween, condition->value, start};
}

// An item with its key: the values of the key attributes in the order of `Merge::keys`.
struct Row {
  StoredItem item;
  std::vector<AttributeValue> key;
};

// The items of one partition that were read and are not yet merged.
struct PartitionRun {
  Partition partition;
  Item next_start = {};  // the start key of the next Query
  bool is_begun = false;
  std::vector<Row> rows = {};
  std::size_t position = 0;
  Status status = {};
  RawPage counts = {};  // the counts and the capacity of all Queries
  std::vector<std::string> added = {};

  bool needs_more() const { return position == rows.size() && (!is_begun || !next_start.empty()); }
  const Row* current() const { return position < rows.size() ? &rows[position] : nullptr; }
};

// A merge of several partitions. For one thread.
class Merge {
 public:
  Merge(const Service& service, const RemoteTable& table, const QueryInput& input)
      : service_(service), table_(table), input_(input) {}

  Status Run();
  Status WriteTo(internal::PageWriter* writer);

 private:
  Status SetKeys();
  Status SetRuns();
  // Moves the start of a run to the position after exclusive_start_key.
  void Skip(PartitionRun* run, const std::vector<AttributeValue>& start) const;
  Status ReadMore();
  void ReadRun(PartitionRun* run) const;
  Status AddRows(RawPage page, PartitionRun* run) const;
  Result<std::vector<AttributeValue>> KeyOf(const ItemView& item) const;

  // Compares keys in the order of the merge: by the sort key, then by the partition. The order of the items
  // of one partition with equal sort keys is that of the service, which has no other rule.
  int Compare(const std::vector<AttributeValue>& a, const std::vector<AttributeValue>& b) const;
  bool IsAfterStart(const std::vector<AttributeValue>& key) const;
  PartitionRun* First();
  bool IsFull() const {
    return (input_.limit && merged_.size() >= *input_.limit) || bytes_ >= kPageBytesMax;
  }

  const Service& service_;
  const RemoteTable& table_;
  const QueryInput& input_;
  std::vector<std::string> keys_;  // the partition key, the sort key, then the keys of the table
  bool has_sort_key_ = false;
  std::optional<SortKeyCondition> condition_;
  std::optional<std::vector<AttributeValue>> start_;
  std::vector<PartitionRun> runs_;
  std::vector<Row> merged_;
  std::uint64_t bytes_ = 0;
  bool has_more_ = false;
};

Status Merge::SetKeys() {
  const auto definition = table_.definition();
  keys_ = definition->KeysOf(input_.index);
  if (keys_.empty()) {
    return Status::Validation("The table does not have the specified index: " + input_.index);
  }
  has_sort_key_ = input_.index.empty() ? definition->table.sort_key.has_value() : true;
  for (const auto& described : definition->table.global_secondary_indexes) {
    if (described.index.name == input_.index) has_sort_key_ = !described.index.sort_key.empty();
  }
  if (input_.exclusive_start_key.empty()) return {};
  start_.emplace();
  for (const std::string& name : keys_) {
    const auto found = input_.exclusive_start_key.find(name);
    if (found == input_.exclusive_start_key.end()) {
      return Status::Validation("The provided starting key is invalid");
    }
    start_->push_back(found->second);
  }
  return {};
}

Status Merge::SetRuns() {
  const Partitions& partitions = std::get<Partitions>(input_.key_condition);
  condition_ = partitions.sort_key;
  for (const AttributeValue& key : partitions.keys) {
    runs_.push_back({.partition = Partition(key, partitions.sort_key)});
  }
  const auto order = [](const PartitionRun& a, const PartitionRun& b) {
    return CompareKeys(a.partition.key, b.partition.key) < 0;
  };
  std::sort(runs_.begin(), runs_.end(), order);
  for (std::size_t i = 1; i < runs_.size(); ++i) {
    if (order(runs_[i - 1], runs_[i])) continue;
    return Status::Validation("Two keys of Partitions are equal. Give each partition once.");
  }
  if (!start_) return {};
  const auto has_start = [&](const PartitionRun& run) {
    return CompareKeys(run.partition.key, (*start_)[0]) == 0;
  };
  if (std::ranges::none_of(runs_, has_start)) {
    return Status::Validation(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  for (PartitionRun& run : runs_) Skip(&run, *start_);
  return {};
}

void Merge::Skip(PartitionRun* run, const std::vector<AttributeValue>& start) const {
  const int order = CompareKeys(run->partition.key, start[0]);
  if (has_sort_key_) {
    if (order == 0) {
      run->next_start = input_.exclusive_start_key;
    } else {
      run->partition.sort_key = From(start[1], input_.forward, condition_);
    }
    return;
  }
  // The partitions follow each other if there is no sort key. In a table, each has one item.
  const bool is_before = input_.forward ? order < 0 : order > 0;
  const bool is_past = is_before || (order == 0 && input_.index.empty());
  if (is_past) run->is_begun = true;  // nothing of the partition is left
  if (order == 0 && !is_past) run->next_start = input_.exclusive_start_key;
}

int Merge::Compare(const std::vector<AttributeValue>& a,
                   const std::vector<AttributeValue>& b) const {
  const int order = has_sort_key_ ? CompareKeys(a[1], b[1]) : 0;
  return order != 0 ? order : CompareKeys(a[0], b[0]);
}

bool Merge::IsAfterStart(const std::vector<AttributeValue>& key) const {
  if (!start_) return true;
  // The service leaves out the items of the start's partition up to the start.
  const int order = Compare(key, *start_);
  return input_.forward ? order >= 0 : order <= 0;
}

Result<std::vector<AttributeValue>> Merge::KeyOf(const ItemView& item) const {
  std::vector<AttributeValue> key;
  for (const std::string& name : keys_) {
    const AttributeView value = item[name];
    if (!value) return MissingKey(name);
    DOLMEN_ASSIGN_OR_RETURN(key.emplace_back(), value.Copy());
  }
  return key;
}

Status Merge::AddRows(RawPage page, PartitionRun* run) const {
  run->rows.clear();
  run->position = 0;
  run->next_start = std::move(page.last_evaluated_key);
  run->counts.scanned_count += page.scanned_count;
  run->counts.unreturned_bytes += page.unreturned_bytes;
  AddCapacity(page.consumed_capacity, &run->counts.consumed_capacity);
  for (StoredItem& item : page.items) {
    DOLMEN_ASSIGN_OR_RETURN(std::vector<AttributeValue> key, KeyOf(item.view()));
    if (!IsAfterStart(key)) continue;
    if (condition_ && !Fulfils(key[1], *condition_)) {
      // The range is wider than the condition only at its end, and in front for the start.
      if (condition_->op == SortKeyCondition::Operator::kBeginsWith) run->next_start.clear();
      continue;
    }
    run->rows.push_back({std::move(item), std::move(key)});
  }
  return {};
}

void Merge::ReadRun(PartitionRun* run) const {
  while (run->needs_more()) {
    Result<RawPage> page = SendPartitionQuery(service_, table_,
                                              {.input = input_,
                                               .partition = run->partition,
                                               .limit = input_.limit,
                                               .exclusive_start_key = run->next_start,
                                               .needed = keys_},
                                              &run->added);
    run->is_begun = true;
    run->status = page.ok() ? AddRows(*std::move(page), run) : page.status();
    if (!run->status.ok()) return;
  }
}

Status Merge::ReadMore() {
  std::vector<PartitionRun*> waiting;
  for (PartitionRun& run : runs_) {
    if (run.needs_more()) waiting.push_back(&run);
  }
  if (!waiting.empty()) {
    InParallel(waiting.size(), [&](std::size_t i) { ReadRun(waiting[i]); });
  }
  for (const PartitionRun* const run : waiting) DOLMEN_RETURN_IF_ERROR(run->status);
  return {};
}

PartitionRun* Merge::First() {
  PartitionRun* first = nullptr;
  for (PartitionRun& run : runs_) {
    if (run.current() == nullptr) continue;
    if (first == nullptr) {
      first = &run;
      continue;
    }
    const int order = Compare(run.current()->key, first->current()->key);
    if (input_.forward ? order < 0 : order > 0) first = &run;
  }
  return first;
}

Status Merge::Run() {
  DOLMEN_RETURN_IF_ERROR(SetKeys());
  DOLMEN_RETURN_IF_ERROR(SetRuns());
  while (true) {
    // A page at its limit has a key in any case, so nothing more is read.
    if (input_.limit && merged_.size() >= *input_.limit && !input_.exact_end) return {};
    DOLMEN_RETURN_IF_ERROR(ReadMore());
    PartitionRun* const first = First();
    if (first == nullptr) return {};
    if (IsFull()) {
      has_more_ = true;
      return {};
    }
    Row& row = first->rows[first->position++];
    bytes_ += row.item.view().size_bytes();
    merged_.push_back(std::move(row));
  }
}

Status Merge::WriteTo(internal::PageWriter* writer) {
  // A run that was skipped has sent no request. All others have added the same attributes.
  std::vector<std::string> added;
  for (const PartitionRun& run : runs_) {
    if (!run.added.empty()) added = run.added;
  }
  for (const Row& row : merged_) {
    if (input_.select == Select::kCount) break;
    if (added.empty()) {
      writer->Add(row.item.view().bytes());
      continue;
    }
    DOLMEN_ASSIGN_OR_RETURN(Item item, row.item.Copy());
    for (const std::string& name : added) item.erase(name);
    DOLMEN_RETURN_IF_ERROR(internal::AppendStored(item, writer->Append()));
    writer->Commit();
  }
  // A page that ends at its limit has a key even if nothing follows, as in DynamoDB.
  const bool at_limit = input_.limit && merged_.size() >= *input_.limit && !input_.exact_end;
  if (has_more_ || (at_limit && !merged_.empty())) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      writer->last_evaluated_key()->insert_or_assign(keys_[i], merged_.back().key[i]);
    }
  }
  std::uint32_t scanned = 0;
  std::uint64_t bytes = bytes_;
  std::optional<ConsumedCapacity> capacity;
  for (const PartitionRun& run : runs_) {
    scanned += run.counts.scanned_count;
    bytes += run.counts.unreturned_bytes;
    AddCapacity(run.counts.consumed_capacity, &capacity);
  }
  writer->SetCounts(static_cast<std::uint32_t>(merged_.size()), scanned, bytes);
  if (capacity) writer->SetConsumedCapacity(*std::move(capacity));
  return {};
}

}  // namespace

Status QueryPartitions(const Service& service, const RemoteTable& table, const QueryInput& input,
                       QueryOutput* page) {
  internal::PageWriter writer(page);
  Merge merge(service, table, input);
  Status merged = merge.Run();
  if (merged.ok()) merged = merge.WriteTo(&writer);
  if (!merged.ok()) writer.Clear();
  return merged;
}

}  // namespace dolmen::remote
