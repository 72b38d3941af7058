#include "remote/page_request.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "engine/read/page_writer.h"
#include "remote/backend.h"
#include "remote/read_item.h"
#include "wire/item_requests.h"

namespace dolmen::remote {
namespace {

using internal::ExpressionWriter;

constexpr std::uint32_t kLimitMax = std::numeric_limits<std::int32_t>::max();

std::string_view ComparisonText(SortKeyCondition::Operator op) {
  using Operator = SortKeyCondition::Operator;
  switch (op) {
    case Operator::kLess:
      return " < ";
    case Operator::kLessOrEqual:
      return " <= ";
    case Operator::kGreater:
      return " > ";
    case Operator::kGreaterOrEqual:
      return " >= ";
    default:
      return " = ";
  }
}

Result<std::string> SortText(const std::string& name, const SortKeyCondition& condition,
                             ExpressionWriter* expressions) {
  using Operator = SortKeyCondition::Operator;
  const std::string token = expressions->NameToken(name);
  DOLMEN_ASSIGN_OR_RETURN(const std::string value, expressions->ValueToken(condition.value));
  if (condition.op == Operator::kBeginsWith) return "begins_with(" + token + ", " + value + ")";
  if (condition.op != Operator::kBetween) {
    return token + std::string(ComparisonText(condition.op)) + value;
  }
  DOLMEN_ASSIGN_OR_RETURN(const std::string upper, expressions->ValueToken(condition.upper));
  return token + " BETWEEN " + value + " AND " + upper;
}

// The keys of what a Query reads.
struct QueriedKeys {
  std::string partition;
  std::optional<std::string> sort;
};

Result<QueriedKeys> KeysOf(const TableDefinition& definition, const std::string& index) {
  const TableDescription& table = definition.table;
  const auto name = [](const std::optional<KeyAttribute>& key) {
    return key ? std::optional(key->name) : std::nullopt;
  };
  if (index.empty()) return QueriedKeys{table.partition_key.name, name(table.sort_key)};
  for (const auto& described : table.local_secondary_indexes) {
    if (described.index.name != index) continue;
    return QueriedKeys{table.partition_key.name, described.index.sort_key.name};
  }
  for (const auto& described : table.global_secondary_indexes) {
    if (described.index.name != index) continue;
    if (described.index.partition_key.size() > 1 || described.index.sort_key.size() > 1) {
      return Status::Validation(
          "The key has several attributes, so Partition cannot describe it. Use a "
          "KeyConditionExpression: .key_condition = Key(\"a\") == 1 && Key(\"b\") == 2");
    }
    QueriedKeys keys{described.index.partition_key[0].name, std::nullopt};
    if (!described.index.sort_key.empty()) keys.sort = described.index.sort_key[0].name;
    return keys;
  }
  return Status::Validation("The table does not have the specified index: " + index);
}

Result<std::string> PartitionText(const TableDefinition& definition, const std::string& index,
                                  const Partition& partition, ExpressionWriter* expressions) {
  DOLMEN_ASSIGN_OR_RETURN(const QueriedKeys keys, KeysOf(definition, index));
  DOLMEN_ASSIGN_OR_RETURN(const std::string value, expressions->ValueToken(partition.key));
  const std::string text = expressions->NameToken(keys.partition) + " = " + value;
  if (!partition.sort_key) return text;
  if (!keys.sort) return Status::Validation("Query key condition not supported");
  DOLMEN_ASSIGN_OR_RETURN(const std::string sort,
                          SortText(*keys.sort, *partition.sort_key, expressions));
  return text + " AND " + sort;
}

void Append(RawPage next, RawPage* page) {
  std::ranges::move(next.items, std::back_inserter(page->items));
  page->last_evaluated_key = std::move(next.last_evaluated_key);
  AddCapacity(next.consumed_capacity, &page->consumed_capacity);
  page->unreturned_bytes += next.unreturned_bytes;
}

// Removes the items after the first `count`, of which there is at least one. `keys` are the key attributes.
Status Cut(std::size_t count, const std::vector<std::string>& keys, RawPage* page) {
  page->items.erase(page->items.begin() + static_cast<std::ptrdiff_t>(count), page->items.end());
  page->last_evaluated_key.clear();
  for (const std::string& name : keys) {
    const AttributeView value = page->items.back().view()[name];
    if (!value) return MissingKey(name);
    DOLMEN_ASSIGN_OR_RETURN(page->last_evaluated_key[name], value.Copy());
  }
  page->has_next = true;
  return {};
}

// One Query or Scan that can be sent with several limits and start keys.
template <typename Input>
struct PageRequest {
  const Service& service;
  const RemoteTable& table;
  const Input& input;
  Input sent = input;  // the request for the service
  ExpressionWriter expressions = {};
  SentProjection projection = {};
  std::optional<HiddenItems> hidden_here = {};  // items that no filter can hide
  // True: `scanned_count` differs from the number of items only by hidden items.
  bool counts_hidden = false;
  // The key attributes of the items, if the client ends the page at its limit. Empty: the service does.
  std::vector<std::string> cut_keys = {};

  // Sets all of `sent` but the key condition, the limit and the start key.
  Status Begin(const TableDefinition& definition, std::vector<std::string> needed) {
    const auto hidden = definition.HiddenFrom(input.options.hide_expired, service.Now());
    DOLMEN_RETURN_IF_ERROR(expressions.Begin(input.names, input.values));
    DOLMEN_RETURN_IF_ERROR(SetFilter(definition, hidden));
    if (hidden_here) needed.push_back(hidden->attribute);
    counts_hidden = hidden && !input.filter.given();
    if (CutsPage()) {
      cut_keys = definition.KeysOf(input.index);
      needed.insert(needed.end(), cut_keys.begin(), cut_keys.end());
    }
    return projection.Set(input.projection, needed, &expressions);
  }

  // Sets the filter. A Query refuses a filter on a key attribute, so a time in a key is compared here.
  Status SetFilter(const TableDefinition& definition, const std::optional<HiddenItems>& hidden) {
    if (hidden && std::is_same_v<Input, QueryInput>) {
      const std::vector<std::string> keys = definition.KeysOf(input.index);
      if (std::ranges::find(keys, hidden->attribute) != keys.end()) hidden_here = hidden;
    }
    const bool is_filtered = hidden && !hidden_here;
    if (!is_filtered && !input.filter.given()) return {};
    DOLMEN_ASSIGN_OR_RETURN(std::string text,
                            is_filtered
                                ? expressions.And(input.filter, VisibleText(*hidden, &expressions))
                                : expressions.Text(input.filter));
    sent.filter = std::move(text);
    return {};
  }

  // Returns true if the client ends the page at its limit. It reads further than the limit, because it
  // skips hidden items, or because one item more tells if the page has an exact end. It must get each item
  // that the limit counts.
  bool CutsPage() const {
    return (input.exact_end || counts_hidden) && input.limit && *input.limit > 0 &&
           *input.limit < kLimitMax && !input.filter.given() && input.select != Select::kCount;
  }

  Result<RawPage> Send(std::optional<std::uint32_t> limit, const Item& start, Select select) {
    sent.limit = limit;
    sent.exclusive_start_key = start;
    sent.select = select;
    sent.projection = select == Select::kCount ? ProjectionExpression() : projection.text;
    sent.names = expressions.names();
    sent.values = expressions.values();
    DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                            service.Send(std::is_same_v<Input, QueryInput> ? "Query" : "Scan",
                                         wire::ToJson(table.name(), sent), Repeat::kSafe));
    return ReadPage(response.object(), hidden_here);
  }

  // Reads until the page has the items of its limit, and one item more for an exact end. Then ends the
  // page at its limit.
  Result<RawPage> SendAndCut() {
    std::uint32_t size = *input.limit + (input.exact_end ? 1 : 0);
    const std::size_t wanted = size;
    DOLMEN_ASSIGN_OR_RETURN(RawPage page, Send(size, input.exclusive_start_key, input.select));
    // A page with fewer items has ended at 1 MB.
    std::uint32_t scanned = page.scanned_count;
    while (page.items.size() < wanted && !page.last_evaluated_key.empty() && scanned == size) {
      size = std::min(2 * size, kLimitMax);
      DOLMEN_ASSIGN_OR_RETURN(RawPage next, Send(size, page.last_evaluated_key, input.select));
      scanned = next.scanned_count;
      Append(std::move(next), &page);
    }
    if (page.items.size() > *input.limit) {
      DOLMEN_RETURN_IF_ERROR(Cut(*input.limit, cut_keys, &page));
    }
    page.count = static_cast<std::uint32_t>(page.items.size());
    return page;
  }

  Result<RawPage> SendWhole() {
    // The service must send items that are hidden here, even if the program only counts the others.
    const bool counts_here = hidden_here && input.select == Select::kCount;
    return Send(input.limit, input.exclusive_start_key,
                counts_here ? Select::kDefault : input.select);
  }

  // Clears the key of the page if nothing follows it.
  Status FindExactEnd(RawPage* page) {
    while (!page->has_next && !page->last_evaluated_key.empty()) {
      DOLMEN_ASSIGN_OR_RETURN(const RawPage& next, Send(1, page->last_evaluated_key, input.select));
      AddCapacity(next.consumed_capacity, &page->consumed_capacity);
      if (next.scanned_count > 0) return {};
      page->last_evaluated_key = next.last_evaluated_key;
    }
    return {};
  }

  Status Fill(QueryOutput* output) {
    DOLMEN_ASSIGN_OR_RETURN(RawPage page, cut_keys.empty() ? SendWhole() : SendAndCut());
    if (counts_hidden || !cut_keys.empty()) page.scanned_count = page.count;
    if (input.exact_end) DOLMEN_RETURN_IF_ERROR(FindExactEnd(&page));
    internal::PageWriter writer(output);
    std::uint64_t bytes = page.unreturned_bytes;
    for (StoredItem& item : page.items) {
      bytes += item.view().size_bytes();
      DOLMEN_ASSIGN_OR_RETURN(const StoredItem& restored, projection.Restore(std::move(item)));
      if (input.select != Select::kCount) writer.Add(restored.view().bytes());
    }
    *writer.last_evaluated_key() = std::move(page.last_evaluated_key);
    writer.SetCounts(page.count, page.scanned_count, bytes);
    if (page.consumed_capacity) writer.SetConsumedCapacity(*std::move(page.consumed_capacity));
    return {};
  }
};

// Fills the page, or leaves it empty after an error.
template <typename Input>
Status Fill(PageRequest<Input>* request, QueryOutput* page) {
  Status filled = request->Fill(page);
  if (!filled.ok()) internal::PageWriter(page).Clear();
  return filled;
}

}  // namespace

Result<RawPage> ReadPage(const wire::JsonObject& response,
                         const std::optional<HiddenItems>& hidden) {
  RawPage page;
  const std::optional<std::uint64_t> scanned_bytes =
      wire::ExtensionsOf<wire::ReadExtensions>(response).scanned_bytes;
  std::uint64_t returned_bytes = 0;
  if (const auto items = wire::Member(response, "Items")) {
    for (const wire::Json json : wire::ArrayOf(*items)) {
      DOLMEN_ASSIGN_OR_RETURN(StoredItem item, ReadStored(json));
      if (hidden && hidden->Hides(item.view())) continue;
      if (scanned_bytes) returned_bytes += item.view().size_bytes();
      page.items.push_back(std::move(item));
    }
  }
  const auto count = [&](std::string_view name) {
    return static_cast<std::uint32_t>(wire::IntegerMember(response, name).value_or(0));
  };
  page.count = wire::Member(response, "Items") ? static_cast<std::uint32_t>(page.items.size())
                                               : count("Count");
  page.scanned_count = count("ScannedCount");
  if (const auto key = wire::Member(response, "LastEvaluatedKey")) {
    DOLMEN_ASSIGN_OR_RETURN(page.last_evaluated_key, wire::ReadItem(*key));
  }
  page.consumed_capacity = ReadCapacity(response, Units::kRead);
  page.unreturned_bytes = std::max(scanned_bytes.value_or(0), returned_bytes) - returned_bytes;
  return page;
}

Status MissingKey(const std::string& name) {
  return Status::InternalServerError().WithMessage(
      "The service has returned an item without its key attribute " + name);
}

Status QueryPage(const Service& service, const RemoteTable& table, const QueryInput& input,
                 QueryOutput* page) {
  internal::PageWriter(page).Clear();
  DOLMEN_RETURN_IF_ERROR(Validate(input));
  if (std::holds_alternative<Partitions>(input.key_condition)) {
    return QueryPartitions(service, table, input, page);
  }
  const auto definition = table.definition();
  PageRequest<QueryInput> request{service, table, input};
  DOLMEN_RETURN_IF_ERROR(request.Begin(*definition, {}));
  ExpressionWriter* const expressions = &request.expressions;
  const auto* const expression = std::get_if<KeyConditionExpression>(&input.key_condition);
  const auto* const partition = std::get_if<Partition>(&input.key_condition);
  DOLMEN_ASSIGN_OR_RETURN(std::string condition,
                          expression != nullptr
                              ? expressions->Text(*expression)
                              : PartitionText(*definition, input.index, *partition, expressions));
  request.sent.key_condition = KeyConditionExpression(std::move(condition));
  return Fill(&request, page);
}

Status RemoteBackend::Scan(const TableRef& table, const ScanInput& input, ScanOutput* page) {
  internal::PageWriter(page).Clear();
  DOLMEN_RETURN_IF_ERROR(Validate(input));
  PageRequest<ScanInput> request{service_, TableOf(table), input};
  DOLMEN_RETURN_IF_ERROR(request.Begin(*TableOf(table).definition(), {}));
  return Fill(&request, page);
}

Result<RawPage> SendPartitionQuery(const Service& service, const RemoteTable& table,
                                   const PartitionQuery& query, std::vector<std::string>* added) {
  const auto definition = table.definition();
  PageRequest<QueryInput> request{service, table, query.input};
  DOLMEN_RETURN_IF_ERROR(request.Begin(*definition, query.needed));
  DOLMEN_ASSIGN_OR_RETURN(
      std::string condition,
      PartitionText(*definition, query.input.index, query.partition, &request.expressions));
  request.sent.key_condition = KeyConditionExpression(std::move(condition));
  *added = request.projection.added;
  // The items are needed for their keys, even if the program only counts them.
  const Select select =
      query.input.select == Select::kCount ? Select::kDefault : query.input.select;
  return request.Send(query.limit, query.exclusive_start_key, select);
}

}  // namespace dolmen::remote
