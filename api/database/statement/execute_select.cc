#include "database/statement/execute_select.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "database/statement/columns.h"
#include "database/statement/lower/lower_read.h"
#include "database/statement/next_token.h"
#include "database/statement/select_requests.h"
#include "engine/base/status_macros.h"
#include "engine/read/capacity.h"
#include "engine/read/page_writer.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {
namespace {

constexpr std::uint64_t kPageBytesMax = std::uint64_t{1} << 20;

// The pages of a SELECT, which one answer joins.
class SelectExecution {
 public:
  SelectExecution(internal::Backend& backend, const TableRef& table, const Statement& statement,
                  const Parameters& parameters, const ExecuteStatementInput& input,
                  LoweredRead&& read, ExecuteStatementOutput* output)
      : backend_(backend),
        table_(table),
        statement_(statement),
        parameters_(parameters),
        input_(input),
        output_(*output),
        writer_(&output->page),
        requests_(statement, parameters, input, std::move(read)) {}

  Status Run() {
    if (statement_.column_attributes != nullptr) {
      DOLMEN_RETURN_IF_ERROR(columns_.Bind(statement_));
    }
    output_.next_token.clear();
    if (requests_.gets_item()) return GetOneItem();
    DOLMEN_ASSIGN_OR_RETURN(NextPlace place,
                            ReadNextToken(statement_, parameters_, input_.next_token));
    if (!joins()) return ReadSingleRange(place);
    return ReadRanges(std::move(place));
  }

 private:
  // Returns true if the answer consists of several pages, or of items that differ from the items of
  // the page.
  bool joins() const { return requests_.count() > 1 || statement_.column_attributes != nullptr; }

  Status GetOneItem() {
    GetItemOutput got;
    DOLMEN_RETURN_IF_ERROR(backend_.GetItem(table_, requests_.TakeGet(), &got));
    writer_.Clear();
    if (got.item) DOLMEN_RETURN_IF_ERROR(AddItem(got.item->view()));
    const auto count = static_cast<std::uint32_t>(output_.page.size());
    writer_.SetCounts(count, count, got.item ? got.item->view().size_bytes() : 0);
    if (got.consumed_capacity) writer_.SetConsumedCapacity(*std::move(got.consumed_capacity));
    return {};
  }

  // Reads the page of the only request.
  Status ReadSingleRange(const NextPlace& place) {
    if (place.range > 0) return ClearPage();
    DOLMEN_RETURN_IF_ERROR(ReadPage(place, input_.limit, &output_.page));
    return SetToken(0, output_.page);
  }

  Status ReadRanges(NextPlace place) {
    QueryOutput page;
    DOLMEN_RETURN_IF_ERROR(ClearPage());
    std::optional<std::uint32_t> left = input_.limit;
    std::uint64_t bytes = 0;
    for (; place.range < requests_.count(); place = {place.range + 1}) {
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

  Status ClearPage() {
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
    engine::AddCapacity(*page.consumed_capacity(), &sum);
    writer_.SetConsumedCapacity(std::move(sum));
  }

  // Sets the token if the page of a request ended before the end of its range or at the limit.
  Status SetToken(std::size_t range, const QueryOutput& page) {
    const bool at_limit = input_.limit && output_.page.scanned_count() >= *input_.limit;
    NextPlace place{range, page.last_evaluated_key()};
    if (&page != &output_.page) *writer_.last_evaluated_key() = place.key;
    if (place.key.empty()) place.range = range + 1;
    if (place.key.empty() && !at_limit && place.range >= requests_.count()) return {};
    DOLMEN_ASSIGN_OR_RETURN(output_.next_token, MakeNextToken(statement_, parameters_, place));
    return {};
  }

  Status ReadPage(const NextPlace& place, const std::optional<std::uint32_t>& limit,
                  QueryOutput* page) {
    return requests_.scans() ? backend_.Scan(table_, requests_.Scan(place, limit), page)
                             : backend_.Query(table_, requests_.Query(place, limit), page);
  }

  internal::Backend& backend_;
  const TableRef& table_;
  const Statement& statement_;
  const Parameters& parameters_;
  const ExecuteStatementInput& input_;
  ExecuteStatementOutput& output_;
  internal::PageWriter writer_;
  SelectRequests requests_;
  Columns columns_;
};

}  // namespace

Result<TableRef> OpenStatementTable(const std::shared_ptr<internal::Backend>& backend,
                                    const Statement& statement) {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::TableState> state,
                          backend->OpenTable(statement.table));
  return TableRef(backend, std::move(state));
}

Status ExecuteSelect(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
                     const Parameters& parameters, const ExecuteStatementInput& input,
                     ExecuteStatementOutput* output) {
  DOLMEN_ASSIGN_OR_RETURN(const TableRef& table, OpenStatementTable(backend, statement));
  const engine::TableSchema* const schema = engine::LiveTableOf(table).schema();
  if (schema == nullptr) return engine::NoSuchTable();
  DOLMEN_ASSIGN_OR_RETURN(LoweredRead read,
                          LowerRead(statement, *schema, parameters, input.consistent_read));
  return SelectExecution(*backend, table, statement, parameters, input, std::move(read), output)
      .Run();
}

}  // namespace dolmen::database
