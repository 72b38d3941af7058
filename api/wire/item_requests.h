// The JSON of the operations on items: their requests, and the responses that a client reads by a
// description. Members are in the order in which DynamoDB reports errors in them.
//
// A server decodes the legacy parameters itself (legacy.h), because DynamoDB reads them in another order.
// A client writes TableName itself (EncodeFor).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB.html

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"
#include "dolmen/statement.h"
#include "dolmen/transaction.h"
#include "wire/enum_names.h"
#include "wire/extensions.h"
#include "wire/legacy.h"
#include "wire/members.h"

namespace dolmen::wire {

// --- members that several requests have ---

inline constexpr Enumeration kReturnConsumedCapacityShape = {"INDEXES", "TOTAL", "NONE"};
inline constexpr Enumeration kReturnItemCollectionMetricsShape = {"SIZE", "NONE"};
inline constexpr Enumeration kOlderReturnValuesShape = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE",
                                                        "UPDATED_NEW"};
// DynamoDB's messages misspell UPDATED_NEW.
inline constexpr std::string_view kReturnValuesText =
    "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
inline constexpr Shape kReturnValuesShape = {.values = kOlderReturnValuesShape.list,
                                             .anonymous = kReturnValuesText};
// UpdateItem reports wrong ReturnValues alone.
inline constexpr Shape kReturnValuesAloneShape = {
    .values = kOlderReturnValuesShape.list, .anonymous = kReturnValuesText, .alone = true};
inline constexpr Enumeration kReturnValuesOnFailureShape = {"ALL_OLD", "NONE"};
inline constexpr Shape kNamesShape = {.kind = Shape::Kind::kMap, .element = &kString};
// The shape of a limit of items: an integer of at least 1.
inline constexpr Shape kLimitShape = {.kind = Shape::Kind::kInteger,
                                      .range = {1, std::numeric_limits<std::int64_t>::max()}};

inline constexpr std::string_view kNamesParameter = "ExpressionAttributeNames";
inline constexpr std::string_view kValuesParameter = "ExpressionAttributeValues";
// Read the values of these parameters. ReadNames does not check the names.
// - kValidation: the map is empty.
// - kValidation: a value is invalid. If a name in `names` is invalid, too, the error is that of the name.
//
// REQUIRES: CheckExpressionParameters is ok
Status ReadNames(const Json& json, Names* names);
Status ReadValues(const Json& json, const Names& names, Checker checker, Values* values);

// Reads a list of items.
// - kValidation: a value is invalid.
Status ReadItems(const Json& json, Checker checker, std::vector<Item>* items);

// Checks the parts of one request, which all have this shape.
// - kValidation: the parts together have both an expression and a legacy parameter (legacy.h).
Status CheckUnmixed(const Shape& shape, std::span<const JsonObject> parts);

// Checks the parameters of `request` that its shape declares.
// - kValidation: the request has both an expression and a legacy parameter (legacy.h). The legacy
//   parameter KeyConditions is allowed with every expression except KeyConditionExpression.
// - kValidation: the request has expression names or values, and no expression that could use them. The message
//   names the expressions that a request with values lacks, except for the writes of single items.
enum class MissingExpressions : std::uint8_t { kNamed, kUnnamed };
Status CheckExpressionParameters(const Shape& shape, const JsonObject& request,
                                 MissingExpressions missing = MissingExpressions::kNamed);

template <typename S>
inline constexpr Field<S> kTableNameMember = {{"TableName", &kTableNameShape, true}};
// A member that a request must have: the attributes of an item, which the checker reads.
template <Checker kChecker, auto kField>
constexpr auto RequiredItem(std::string_view name) {
  auto member = Required<kField>(name, &kAttributeMapShape);
  member.read = [](const Json& json, auto* to) {
    return ReadAttributes(ObjectOf(json), &(to->*kField), kChecker);
  };
  return member;
}
template <typename S, Checker kChecker>
inline constexpr Field<S> kKeyMember = RequiredItem<kChecker, &S::key>("Key");
template <typename S>
inline constexpr Field<S> kConsistentReadMember =
    Optional<&S::consistent_read>("ConsistentRead", &kBoolean);
template <typename S>
inline constexpr Field<S> kCapacityMember =
    Optional<&S::options, &RequestOptions::return_consumed_capacity>("ReturnConsumedCapacity",
                                                                     &kReturnConsumedCapacityShape);
template <typename S>
inline constexpr Field<S> kReturnValuesMember =
    Optional<&S::return_values>("ReturnValues", &kReturnValuesShape);
template <typename S>
inline constexpr Field<S> kItemTableMember = {{"TableName", &kItemTableNameShape, true}};
template <typename S>
inline constexpr Field<S> kWrittenTableMember = {{"TableName", &kWrittenTableNameShape, true}};
inline constexpr std::string_view kAllOld = "ALL_OLD";
template <typename S>
inline constexpr Field<S> kReturnOnFailureMember =
    IsText<kAllOld, &S::return_item_on_condition_failure>("ReturnValuesOnConditionCheckFailure",
                                                          &kReturnValuesOnFailureShape);
template <typename S>
inline constexpr Field<S> kConditionMember =
    Optional<&S::condition>("ConditionExpression", &kString);
template <typename S>
inline constexpr Field<S> kProjectionExpressionMember =
    Optional<&S::projection>("ProjectionExpression", &kString);
template <typename S>
inline constexpr Field<S> kNamesMember = {
    {kNamesParameter, &kNamesShape},
    [](const Json& json, S* to) { return ReadNames(json, &to->names); },
    Optional<&S::names>({}).write};
template <typename S, Checker kChecker>
inline constexpr Field<S> kValuesMember = {
    {kValuesParameter, &kAttributeMapShape},
    [](const Json& json, S* to) { return ReadValues(json, to->names, kChecker, &to->values); },
    Optional<&S::values>({}).write};

// --- GetItem, PutItem, UpdateItem, DeleteItem ---

template <>
inline constexpr Described kMembers<GetItemInput> = {{
    kItemTableMember<GetItemInput>,
    kKeyMember<GetItemInput, kGetItemChecker>,
    Only<GetItemInput>({"AttributesToGet", &kAttributesToGetShape}),
    kConsistentReadMember<GetItemInput>,
    kCapacityMember<GetItemInput>,
    kProjectionExpressionMember<GetItemInput>,
    kNamesMember<GetItemInput>,
}};

template <typename S>
inline constexpr Field<S> kExpectedMember = {{"Expected", &kExpectedShape}};
template <typename S>
inline constexpr Field<S> kOperatorMember = {{"ConditionalOperator", &kWriteOperatorShape}};
template <typename S>
inline constexpr Field<S> kMetricsMember = {
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetricsShape}};
// The last members of all writes.
template <typename S, Checker kChecker>
inline constexpr Described<S, 4> kConditionMembers = {{
    kConditionMember<S>,
    kNamesMember<S>,
    kValuesMember<S, kChecker>,
    kReturnOnFailureMember<S>,
}};

template <>
inline constexpr Described kMembers<PutItemInput> = Joined<PutItemInput>(
    {
        kWrittenTableMember<PutItemInput>,
        RequiredItem<kPutItemChecker, &PutItemInput::item>("Item"),
        kExpectedMember<PutItemInput>,
        kOperatorMember<PutItemInput>,
        kCapacityMember<PutItemInput>,
        kReturnValuesMember<PutItemInput>,
        kMetricsMember<PutItemInput>,
    },
    kConditionMembers<PutItemInput, kPutItemChecker>);

template <>
inline constexpr Described kMembers<UpdateItemInput> = Joined<UpdateItemInput>(
    {
        kWrittenTableMember<UpdateItemInput>,
        kKeyMember<UpdateItemInput, kUpdateItemChecker>,
        Only<UpdateItemInput>({"AttributeUpdates", &kAttributeUpdatesShape}),
        kExpectedMember<UpdateItemInput>,
        kOperatorMember<UpdateItemInput>,
        Optional<&UpdateItemInput::return_values>("ReturnValues", &kReturnValuesAloneShape),
        kCapacityMember<UpdateItemInput>,
        kMetricsMember<UpdateItemInput>,
        Optional<&UpdateItemInput::update>("UpdateExpression", &kString),
    },
    kConditionMembers<UpdateItemInput, kUpdateItemChecker>);

template <>
inline constexpr Described kMembers<DeleteItemInput> = Joined<DeleteItemInput>(
    {
        kWrittenTableMember<DeleteItemInput>,
        kKeyMember<DeleteItemInput, kDeleteItemChecker>,
        kExpectedMember<DeleteItemInput>,
        kOperatorMember<DeleteItemInput>,
        kCapacityMember<DeleteItemInput>,
        kReturnValuesMember<DeleteItemInput>,
        kMetricsMember<DeleteItemInput>,
    },
    kConditionMembers<DeleteItemInput, kDeleteItemChecker>);

// --- Query and Scan ---

inline constexpr Enumeration kSelectShape = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES",
                                             "ALL_PROJECTED_ATTRIBUTES"};
inline constexpr Shape kQueryLimitShape = {.kind = Shape::Kind::kInteger,
                                           .range = kLimitShape.range,
                                           .unquoted = Shape::Unquoted::kAlways};
inline constexpr Shape kSegmentShape = {.kind = Shape::Kind::kInteger, .range = {0, 999'999}};
inline constexpr Shape kTotalSegmentsShape = {.kind = Shape::Kind::kInteger,
                                              .range = {1, 1'000'000}};

template <typename S>
inline constexpr Field<S> kIndexMember = Optional<&S::index>("IndexName", &kIndexNameShape);
template <typename S>
inline constexpr Field<S> kSelectMember = Optional<&S::select>("Select", &kSelectShape);
template <typename S>
inline constexpr Field<S> kFilterMember = Optional<&S::filter>("FilterExpression", &kString);
// A server reads it before all expressions.
template <typename S>
inline constexpr Field<S> kStartKeyMember = {{"ExclusiveStartKey", &kAttributeMapShape},
                                             nullptr,
                                             Optional<&S::exclusive_start_key>({}).write};
// A client that asks for the capacity also asks for the bytes that the page has read.
template <typename S>
inline constexpr Field<S> kReadExtensionsMember = {
    {kExtensions, &kMembers<ReadExtensions>},
    nullptr,
    [](std::string_view, const S& from, JsonWriter* json) {
      if (from.options.return_consumed_capacity == ReturnConsumedCapacity::kNone) return;
      WriteExtensions(ReadExtensions{.return_scanned_bytes = true}, json);
    }};

template <>
inline constexpr Described kMembers<QueryInput> = {{
    kItemTableMember<QueryInput>,
    kIndexMember<QueryInput>,
    kSelectMember<QueryInput>,
    Only<QueryInput>({"AttributesToGet", &kAttributesToGetShape}),
    Optional<&QueryInput::limit>("Limit", &kQueryLimitShape),
    kConsistentReadMember<QueryInput>,
    Only<QueryInput>({"KeyConditions", &kConditionsShape}),
    Only<QueryInput>({"QueryFilter", &kConditionsShape}),
    Only<QueryInput>({"ConditionalOperator", &kQueryOperatorShape}),
    Always<&QueryInput::forward>("ScanIndexForward", &kBoolean),
    kStartKeyMember<QueryInput>,
    kCapacityMember<QueryInput>,
    kProjectionExpressionMember<QueryInput>,
    kFilterMember<QueryInput>,
    {{"KeyConditionExpression", &kString},
     [](const Json& json, QueryInput* to) {
       to->key_condition = KeyConditionExpression(StringOf(json));
       return Status();
     },
     [](std::string_view name, const QueryInput& from, JsonWriter* json) {
       const auto* const text = std::get_if<KeyConditionExpression>(&from.key_condition);
       if (text != nullptr && text->given()) json->StringField(name, *text->text());
     }},
    kNamesMember<QueryInput>,
    kValuesMember<QueryInput, kQueryChecker>,
    kReadExtensionsMember<QueryInput>,
}};

template <>
inline constexpr Described kMembers<ScanInput> = {{
    kTableNameMember<ScanInput>,
    kIndexMember<ScanInput>,
    Only<ScanInput>({"AttributesToGet", &kAttributesToGetShape}),
    Optional<&ScanInput::limit>("Limit", &kLimitShape),
    kSelectMember<ScanInput>,
    Only<ScanInput>({"ScanFilter", &kConditionsShape}),
    Only<ScanInput>({"ConditionalOperator", &kConditionalOperatorShape}),
    kStartKeyMember<ScanInput>,
    kCapacityMember<ScanInput>,
    Optional<&ScanInput::total_segments>("TotalSegments", &kTotalSegmentsShape),
    Optional<&ScanInput::segment>("Segment", &kSegmentShape),
    kProjectionExpressionMember<ScanInput>,
    kFilterMember<ScanInput>,
    kNamesMember<ScanInput>,
    kValuesMember<ScanInput, kScanChecker>,
    kConsistentReadMember<ScanInput>,
    kReadExtensionsMember<ScanInput>,
}};

// --- BatchGetItem and BatchWriteItem ---

inline constexpr std::size_t kBatchKeysMax = 100;
inline constexpr Shape kKeysShape = {.kind = Shape::Kind::kList,
                                     .element = &kAttributeMapShape,
                                     .range = {1, kBatchKeysMax},
                                     .unquoted = Shape::Unquoted::kAlways};
// The keys and parameters for one table: KeysAndAttributes without the table.
struct TableKeys {
  std::string_view name = {};  // a name or an ARN, as in the request
  JsonObject json = {};        // on a server
  std::vector<Item> keys = {};
  ProjectionExpression projection = {};
  Names names = {};
  bool consistent_read = false;
};
inline constexpr Described kKeysParameters = {{
    Only<TableKeys>({"AttributesToGet", &kAttributesToGetShape}),
    kConsistentReadMember<TableKeys>,
    kProjectionExpressionMember<TableKeys>,
    kNamesMember<TableKeys>,
}};
// A server reads the keys first.
inline constexpr Described kKeysOnly = {
    {Field<TableKeys>{{"Keys", &kKeysShape, true},
                      [](const Json& json, TableKeys* to) {
                        return ReadItems(json, kBatchGetItemChecker, &to->keys);
                      },
                      Always<&TableKeys::keys>({}).write}}};
template <>
inline constexpr Described kMembers<TableKeys> = Joined<TableKeys>(
    {ClassName<TableKeys>("KeysAndAttributes"), kKeysOnly.fields[0]}, kKeysParameters);

inline constexpr Described kPutRequestMembers = {{
    ClassName<PutRequest>("PutRequest"),
    RequiredItem<kBatchWriteItemChecker, &PutRequest::item>("Item"),
}};
inline constexpr Described kDeleteRequestMembers = {{
    ClassName<DeleteRequest>("DeleteRequest"),
    kKeyMember<DeleteRequest, kBatchWriteItemChecker>,
}};
template <>
inline constexpr Described kMembers<WriteRequest> = {{
    ClassName<WriteRequest>("WriteRequest"),
    Alternative<WriteRequest, PutRequest, kPutRequestMembers>("PutRequest"),
    Alternative<WriteRequest, DeleteRequest, kDeleteRequestMembers>("DeleteRequest"),
}};

// --- TransactGetItems and TransactWriteItems ---

inline constexpr Described kTransactGet = {{
    ClassName<GetItemInput>("Get"),
    kKeyMember<GetItemInput, kTransactChecker>,
    kTableNameMember<GetItemInput>,
    kProjectionExpressionMember<GetItemInput>,
    kNamesMember<GetItemInput>,
}};

// An item in the response of a transaction that reads; nothing if it does not exist.
struct TransactionItem {
  std::optional<StoredItem> item = {};
};
template <>
inline constexpr Described kMembers<TransactionItem> = {{
    Optional<&TransactionItem::item>("Item"),
}};
struct TransactionItems {
  std::vector<TransactionItem> items = {};  // in the order of the request
};
template <>
inline constexpr Described kMembers<TransactionItems> = {{
    Always<&TransactionItems::items>("Responses"),
}};

using TransactAction = decltype(TransactWriteItem::action);
inline constexpr Described kTransactCheck = {{
    ClassName<ConditionCheckInput>("ConditionCheck"),
    kKeyMember<ConditionCheckInput, kTransactChecker>,
    kTableNameMember<ConditionCheckInput>,
    Required<&ConditionCheckInput::condition>("ConditionExpression", &kString),
    kNamesMember<ConditionCheckInput>,
    kValuesMember<ConditionCheckInput, kTransactChecker>,
    kReturnOnFailureMember<ConditionCheckInput>,
}};
inline constexpr Described kTransactPut = Joined<PutItemInput>(
    {
        ClassName<PutItemInput>("Put"),
        RequiredItem<kTransactChecker, &PutItemInput::item>("Item"),
        kTableNameMember<PutItemInput>,
    },
    kConditionMembers<PutItemInput, kTransactChecker>);
inline constexpr Described kTransactDelete = Joined<DeleteItemInput>(
    {
        ClassName<DeleteItemInput>("Delete"),
        kKeyMember<DeleteItemInput, kTransactChecker>,
        kTableNameMember<DeleteItemInput>,
    },
    kConditionMembers<DeleteItemInput, kTransactChecker>);
inline constexpr Described kTransactUpdate = Joined<UpdateItemInput>(
    {
        ClassName<UpdateItemInput>("Update"),
        kKeyMember<UpdateItemInput, kTransactChecker>,
        Required<&UpdateItemInput::update>("UpdateExpression", &kString),
        kTableNameMember<UpdateItemInput>,
    },
    kConditionMembers<UpdateItemInput, kTransactChecker>);
template <>
inline constexpr Described kMembers<TransactAction> = {{
    ClassName<TransactAction>("TransactWriteItem"),
    Alternative<TransactAction, ConditionCheckInput, kTransactCheck>("ConditionCheck"),
    Alternative<TransactAction, PutItemInput, kTransactPut>("Put"),
    Alternative<TransactAction, DeleteItemInput, kTransactDelete>("Delete"),
    Alternative<TransactAction, UpdateItemInput, kTransactUpdate>("Update"),
}};

// Writes the action of a client, {"Put": {...}}.
inline void EncodeActionFor(std::string_view table, const TransactAction& action,
                            JsonWriter* json) {
  const auto write = [&](std::string_view name, const auto& description, const auto& input) {
    json->BeginObject();
    json->Key(name);
    EncodeFor(table, description, input, json);
    json->EndObject();
  };
  if (const auto* put = std::get_if<PutItemInput>(&action)) write("Put", kTransactPut, *put);
  if (const auto* update = std::get_if<UpdateItemInput>(&action)) {
    write("Update", kTransactUpdate, *update);
  }
  if (const auto* remove = std::get_if<DeleteItemInput>(&action)) {
    write("Delete", kTransactDelete, *remove);
  }
  if (const auto* check = std::get_if<ConditionCheckInput>(&action)) {
    write("ConditionCheck", kTransactCheck, *check);
  }
}

// --- ExecuteStatement, BatchExecuteStatement, ExecuteTransaction ---

inline constexpr Shape kStatementShape = {.range = {1, 8192}};
inline constexpr Shape kStatementParametersShape = {
    .kind = Shape::Kind::kList, .element = &kAttributeValueShape, .range = kLimitShape.range};

// Reads the parameters of a statement, whose numbers follow the rules of DynamoDB's older checker.
// - kValidation: a value is invalid, as for ReadValue, or nests too deep.
Status ReadParameters(const Json& json, List* parameters);
// The parameters of a statement. An invalid one fails only its statement, after the syntax is checked.
template <typename S>
constexpr Field<S> ParametersMember() {
  Field<S> field = Optional<&S::parameters>("Parameters", &kStatementParametersShape);
  field.read = [](const Json& json, S* to) {
    to->parameter_error = ReadParameters(json, &to->parameters);
    return Status();
  };
  return field;
}
inline constexpr Shape kNextTokenShape = {.range = {1, 32'768}};
inline constexpr Shape kTokenShape = {.range = {1, 36}};

template <>
inline constexpr Described kMembers<ExecuteStatementInput> = {{
    Required<&ExecuteStatementInput::statement>("Statement", &kStatementShape),
    ParametersMember<ExecuteStatementInput>(),
    kConsistentReadMember<ExecuteStatementInput>,
    Optional<&ExecuteStatementInput::next_token>("NextToken", &kNextTokenShape),
    kCapacityMember<ExecuteStatementInput>,
    Optional<&ExecuteStatementInput::limit>("Limit", &kLimitShape),
    kReturnOnFailureMember<ExecuteStatementInput>,
}};
template <>
inline constexpr Described kMembers<StatementRequest> = {{
    ClassName<StatementRequest>("BatchStatementRequest"),
    Required<&StatementRequest::statement>("Statement", &kStatementShape),
    ParametersMember<StatementRequest>(),
    kConsistentReadMember<StatementRequest>,
    kReturnOnFailureMember<StatementRequest>,
}};
inline constexpr Shape kBatchStatementsShape = {
    .kind = Shape::Kind::kList, .element = &kMembers<StatementRequest>, .range = {1, 25}};
template <>
inline constexpr Described kMembers<BatchExecuteStatementInput> = {{
    Required<&BatchExecuteStatementInput::statements>("Statements", &kBatchStatementsShape),
    kCapacityMember<BatchExecuteStatementInput>,
}};
inline constexpr Structure kTransactStatementShape = {{
    Named("ParameterizedStatement"),
    {"Statement", &kStatementShape, true},
    {"Parameters", &kStatementParametersShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};
inline constexpr Shape kTransactStatementsShape = {
    .kind = Shape::Kind::kList, .element = &kTransactStatementShape, .range = {1, 100}};
template <>
inline constexpr Described kMembers<ExecuteTransactionInput> = {{
    Required<&ExecuteTransactionInput::statements>("TransactStatements", &kTransactStatementsShape),
    Optional<&ExecuteTransactionInput::client_request_token>("ClientRequestToken", &kTokenShape),
    kCapacityMember<ExecuteTransactionInput>,
}};

Status ReadStatementError(const Json& json, BatchStatementResponse* response);
void WriteStatementError(std::string_view name, const BatchStatementResponse& response,
                         JsonWriter* json);
template <>
inline constexpr Described kMembers<BatchStatementResponse> = {{
    {{"Error"}, ReadStatementError, WriteStatementError},
    Optional<&BatchStatementResponse::table_name>("TableName"),
    Optional<&BatchStatementResponse::item>("Item"),
}};
template <>
inline constexpr Described kMembers<BatchExecuteStatementOutput> = {{
    Always<&BatchExecuteStatementOutput::responses>("Responses"),
}};

}  // namespace dolmen::wire
