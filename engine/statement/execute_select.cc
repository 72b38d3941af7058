#include "engine/statement/execute_select.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dolmen/internal/page_writer.h"
#include "dolmen/internal/status_macros.h"
#include "engine/expression/condition.h"
#include "engine/expression/placeholders.h"
#include "engine/read/capacity.h"
#include "engine/schema/live_table.h"
#include "engine/statement/columns.h"
#include "engine/statement/lower_read.h"
#include "engine/statement/next_token.h"

namespace dolmen::engine {
namespace {

constexpr std::uint64_t kPageBytesMax = std::uint64_t{1} << 20;

Status CheckWhere(const Statement& statement, const Parameters& parameters) {
  if (statement.where == nullptr) return {};
  Values values;
  parameters.Collect(*statement.where, &values);
  const Names no_names;
  Placeholders placeholders(no_names, values);
  DOLMEN_RETURN_IF_ERROR(placeholders.Encode({{ExpressionKind::kFilter, true}}));
  return BindCondition(*statement.where, ExpressionKind::kFilter, placeholders).status();
}

// The pages of a SELECT, which one answer joins.
class SelectExecution {
 public:
  SelectExecution(internal::Backend& backend, const TableRef& table, const Statement& statement,
                  const Parameters& parameters, const ExecuteStatementInput& input,
                  ExecuteStatementOutput* output)
      : backend_(backend),
        table_(table),
        statement_(statement),
        parameters_(parameters),
        input_(input),
        output_(*output),
        writer_(&output->page) {}

  Status Run(LoweredRead read) {
    read_ = std::move(read);
    if (statement_.column_attributes != nullptr) {
      DOLMEN_RETURN_IF_ERROR(columns_.Bind(statement_));
    }
    output_.next_token.clear();
    if (CanGetItem()) return GetOneItem();
    DOLMEN_ASSIGN_OR_RETURN(NextPlace place,
                            ReadNextToken(statement_, parameters_, input_.next_token));
    if (!joins()) return ReadOnly(std::move(place));
    return ReadRanges(std::move(place));
  }

 private:
  // Returns true if the answer consists of several pages, or of items that differ from the items of
  // the page.
  bool joins() const { return read_.ranges.size() > 1 || statement_.column_attributes != nullptr; }

  bool CanGetItem() const {
    return read_.key && read_.filter == nullptr && !input_.limit && input_.next_token.empty();
  }

  Status GetOneItem() {
    GetItemInput get{.key = *std::move(read_.key),
                     .projection = projection_,
                     .consistent_read = input_.consistent_read,
                     .options = input_.options};
    GetItemOutput got;
    DOLMEN_RETURN_IF_ERROR(backend_.GetItem(table_, get, &got));
    writer_.Clear();
    if (got.item) DOLMEN_RETURN_IF_ERROR(AddItem(got.item->view()));
    const auto count = static_cast<std::uint32_t>(output_.page.size());
    writer_.SetCounts(count, count, got.item ? got.item->view().size_bytes() : 0);
    if (got.consumed_capacity) writer_.SetConsumedCapacity(*std::move(got.consumed_capacity));
    return {};
  }

  // Reads the page of the only request.
  Status ReadOnly(NextPlace place) {
    if (place.range > 0) return FinishEmpty();
    DOLMEN_RETURN_IF_ERROR(ReadPage(place, input_.limit, &output_.page));
    return SetToken(0, output_.page);
  }

  Status ReadRanges(NextPlace place) {
    QueryOutput page;
    DOLMEN_RETURN_IF_ERROR(FinishEmpty());
    std::optional<std::uint32_t> left = input_.limit;
    std::uint64_t bytes = 0;
    for (; place.range < RangeCount(); place = {place.range + 1}) {
      DOLMEN_RETURN_IF_ERROR(ReadPage(place, left, &page));
      for (const ItemView item : page) DOLMEN_RETURN_IF_ERROR(AddItem(item));
      AddCounts(page);
      bytes += page.scanned_bytes();
      if (left) *left -= std::min(*left, page.scanned_count());
      const bool full = (left && *left == 0) || bytes >= kPageBytesMax;
      if (!page.last_evaluated_key().empty() || full) return SetToken(place.range, page);
    }
    return {};
  }

  std::size_t RangeCount() const { return std::max<std::size_t>(read_.ranges.size(), 1); }

  Status FinishEmpty() {
    writer_.Clear();
    return {};
  }

  Status AddItem(const ItemView& item) {
    if (statement_.column_attributes == nullptr) {
      writer_.Add(item.bytes());
      return {};
    }
    DOLMEN_RETURN_IF_ERROR(columns_.Apply(item, writer_.Append()));
    writer_.Commit();
    return {};
  }

  void AddCounts(const QueryOutput& page) {
    writer_.SetCounts(static_cast<std::uint32_t>(output_.page.size()),
                      output_.page.scanned_count() + page.scanned_count(),
                      output_.page.scanned_bytes() + page.scanned_bytes());
    if (!page.consumed_capacity()) return;
    ConsumedCapacity sum = output_.page.consumed_capacity().value_or(ConsumedCapacity());
    AddCapacity(*page.consumed_capacity(), &sum);
    writer_.SetConsumedCapacity(std::move(sum));
  }

  // Sets the token if the page of a request ended before the end of its range or at the limit.
  Status SetToken(std::size_t range, const QueryOutput& page) {
    const bool at_limit = input_.limit && output_.page.scanned_count() >= *input_.limit;
    NextPlace place{range, page.last_evaluated_key()};
    if (place.key.empty()) place.range = range + 1;
    if (place.key.empty() && !at_limit && place.range >= RangeCount()) return {};
    DOLMEN_ASSIGN_OR_RETURN(output_.next_token, MakeNextToken(statement_, parameters_, place));
    return {};
  }

  Status ReadPage(const NextPlace& place, const std::optional<std::uint32_t>& limit,
                  QueryOutput* page) {
    if (read_.ranges.empty()) {
      ScanInput scan;
      Fill(place, limit, &scan);
      return backend_.Scan(table_, scan, page);
    }
    QueryInput query;
    Fill(place, limit, &query);
    const auto& range = read_.ranges[place.range];
    parameters_.Collect(*range, &query.values);
    query.key_condition = KeyConditionExpression(range);
    query.forward = read_.forward;
    return backend_.Query(table_, query, page);
  }

  template <typename Input>
  void Fill(const NextPlace& place, const std::optional<std::uint32_t>& limit, Input* request) {
    request->index = statement_.index;
    request->limit = limit;
    request->exclusive_start_key = place.key;
    request->consistent_read = input_.consistent_read;
    request->options = input_.options;
    request->projection = projection_;
    if (read_.filter == nullptr) return;
    request->filter = FilterExpression(read_.filter);
    parameters_.Collect(*read_.filter, &request->values);
  }

  internal::Backend& backend_;
  const TableRef& table_;
  const Statement& statement_;
  const Parameters& parameters_;
  const ExecuteStatementInput& input_;
  ExecuteStatementOutput& output_;
  internal::PageWriter writer_;
  const ProjectionExpression projection_ = ProjectionOf(statement_);
  Columns columns_;
  LoweredRead read_;
};

}  // namespace

Result<TableRef> OpenStatementTable(const internal::Shared<internal::Backend>& backend,
                                    const Statement& statement, const Parameters& parameters) {
  Result<std::shared_ptr<internal::TableState>> state = backend->OpenTable(statement.table);
  if (!state.ok()) {
    DOLMEN_RETURN_IF_ERROR(CheckWhere(statement, parameters));
    return state.status();
  }
  return TableRef(backend, *std::move(state));
}

Status ExecuteSelect(const internal::Shared<internal::Backend>& backend, const Statement& statement,
                     const Parameters& parameters, const ExecuteStatementInput& input,
                     ExecuteStatementOutput* output) {
  DOLMEN_ASSIGN_OR_RETURN(const TableRef& table,
                          OpenStatementTable(backend, statement, parameters));
  const TableSchema* const schema = LiveTableOf(table).schema();
  if (schema == nullptr) return NoSuchTable();
  DOLMEN_ASSIGN_OR_RETURN(LoweredRead read,
                          LowerRead(statement, *schema, parameters, input.consistent_read));
  return SelectExecution(*backend, table, statement, parameters, input, output)
      .Run(std::move(read));
}

}  // namespace dolmen::engine
