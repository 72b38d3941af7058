#include "database/statement/explain.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "database/statement/execute_select.h"
#include "database/statement/lower/lower_read.h"
#include "database/statement/lower/lower_write.h"
#include "database/statement/select_requests.h"
#include "engine/base/status_macros.h"
#include "engine/expression/syntax/expression_text.h"
#include "engine/read/capacity.h"
#include "engine/read/page_writer.h"
#include "engine/schema/live_table.h"
#include "engine/value/codec.h"
#include "engine/write/prepare.h"

namespace dolmen::database {
namespace {

// Returns the text of a condition, with values in place of parameters.
std::string ConditionText(engine::ConditionSyntax tree, const Parameters& parameters) {
  for (engine::ConditionNode& node : tree.nodes) {
    if (node.kind != engine::ConditionNode::Kind::kValue || node.value.literal) continue;
    const AttributeView value =
        (*parameters.encoded())[engine::ParameterNumber(tree.Text(node.value.text))];
    const std::string_view payload = value.payload();
    const engine::TextSpan span = {static_cast<std::uint32_t>(tree.text.size()),
                                   static_cast<std::uint32_t>(payload.size())};
    tree.text.insert(tree.text.end(), payload.begin(), payload.end());
    node.value = {span, value.type(), true};
  }
  return engine::ExpressionText(tree);
}

std::int64_t Rounded(double units) { return std::llround(std::ceil(units)); }

// The names of the operations that write.
struct WriteName {
  const char* operator()(const PutItemInput&) const { return "PutItem"; }
  const char* operator()(const UpdateItemInput&) const { return "UpdateItem"; }
  const char* operator()(const DeleteItemInput&) const { return "DeleteItem"; }
  const char* operator()(const ConditionCheckInput&) const { return "ConditionCheck"; }
};

class Explanation {
 public:
  Explanation(internal::Backend& backend, const TableRef& table, const engine::TableSchema& schema,
              const Statement& statement, const Parameters& parameters,
              const ExecuteStatementInput& input)
      : backend_(backend),
        table_(table),
        schema_(schema),
        statement_(statement),
        parameters_(parameters),
        input_(input) {
    plan_["Table"] = table.name();
    if (!statement.index.empty()) plan_["Index"] = statement.index;
  }

  Result<Item> OfRead() {
    DOLMEN_ASSIGN_OR_RETURN(LoweredRead read,
                            LowerRead(statement_, schema_, parameters_, input_.consistent_read));
    const SelectRequests requests(statement_, parameters_, input_, std::move(read));
    plan_["FullScan"] = false;
    if (requests.gets_item()) {
      plan_["Operation"] = "GetItem";
      plan_["Key"] = requests.key();
      SetUnits("ReadUnits", engine::ReadUnits(engine::kItemBytesMax, input_.consistent_read),
               kOfLargestItem);
      return std::move(plan_);
    }
    DOLMEN_RETURN_IF_ERROR(requests.scans() ? SetScan(requests) : SetQueries(requests));
    if (const auto& filter = requests.shape().filter) {
      plan_["Filter"] = ConditionText(*filter, parameters_);
    }
    return std::move(plan_);
  }

  Result<Item> OfWrite() {
    DOLMEN_ASSIGN_OR_RETURN(const LoweredWrite write, LowerWrite(statement_, schema_, parameters_));
    engine::WriteAction action;
    DOLMEN_RETURN_IF_ERROR(std::visit(
        [&](const auto& request) { return engine::Prepare(schema_, request, &action); }, write));
    plan_["Operation"] = std::visit(WriteName(), write);
    plan_["Key"] = KeyOfWrite(write, schema_.keys);
    std::visit([&](const auto& request) { SetCondition(request.condition); }, write);
    // A write of an item replaces its entry in each index. An update may move it, which is a
    // deletion and a put.
    const double entries = std::holds_alternative<UpdateItemInput>(write) ? 2 : 1;
    const double writes = 1 + entries * static_cast<double>(schema_.indexes.size());
    const auto* const put = std::get_if<PutItemInput>(&write);
    SetUnits(
        "WriteUnits",
        engine::WriteUnits(put != nullptr ? SizeOfItem(put->item) : engine::kItemBytesMax) * writes,
        put != nullptr ? kOfGivenItem : kOfLargestItem);
    return std::move(plan_);
  }

 private:
  static constexpr const char* kOfLargestItem = "at most; an item of 400 KB that is in each index";
  static constexpr const char* kOfGivenItem = "at most; the item in each index";
  static constexpr const char* kOfRange =
      "estimate for all pages, from the approximate size of the range";

  Status SetScan(const SelectRequests& requests) {
    plan_["Operation"] = "Scan";
    plan_["FullScan"] = true;
    DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t bytes,
                            backend_.ApproximateBytes(table_, requests.Scan({}, {})));
    SetUnits("ReadUnits", engine::ReadUnits(bytes, input_.consistent_read), kOfRange);
    return {};
  }

  Status SetQueries(const SelectRequests& requests) {
    plan_["Operation"] = "Query";
    plan_["ScanIndexForward"] = requests.shape().forward;
    List conditions;
    double units = 0;
    for (std::size_t range = 0; range < requests.count(); ++range) {
      DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t bytes,
                              backend_.ApproximateBytes(table_, requests.Query({range}, {})));
      units += engine::ReadUnits(bytes, input_.consistent_read);
      conditions.emplace_back(ConditionText(*requests.shape().ranges[range], parameters_));
    }
    plan_["KeyConditions"] = std::move(conditions);
    SetUnits("ReadUnits", units, kOfRange);
    return {};
  }

  void SetCondition(const ConditionExpression& condition) {
    const auto* const tree = condition.tree();
    if (tree == nullptr || !tree->ok() || **tree == nullptr) return;
    plan_["Condition"] = ConditionText(***tree, parameters_);
  }

  void SetUnits(const char* name, double units, const char* meaning) {
    plan_[name] = Number(Rounded(units));
    plan_["UnitsAre"] = meaning;
  }

  internal::Backend& backend_;
  const TableRef& table_;
  const engine::TableSchema& schema_;
  const Statement& statement_;
  const Parameters& parameters_;
  const ExecuteStatementInput& input_;
  Item plan_;
};

}  // namespace

Status Explain(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
               const Parameters& parameters, const ExecuteStatementInput& input,
               ExecuteStatementOutput* output) {
  if (!input.next_token.empty()) {
    return Status::Validation("EXPLAIN returns one item. Leave out NextToken.");
  }
  DOLMEN_ASSIGN_OR_RETURN(const TableRef& table, OpenStatementTable(backend, statement));
  const engine::TableSchema* const schema = engine::LiveTableOf(table).schema();
  if (schema == nullptr) return engine::NoSuchTable();
  Explanation explanation(*backend, table, *schema, statement, parameters, input);
  DOLMEN_ASSIGN_OR_RETURN(const Item plan,
                          statement.reads() ? explanation.OfRead() : explanation.OfWrite());
  internal::PageWriter writer(&output->page);
  writer.Clear();
  output->next_token.clear();
  DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(plan, writer.Append()));
  writer.Commit();
  writer.SetCounts(1, 0, 0);
  return {};
}

}  // namespace dolmen::database
