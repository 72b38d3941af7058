#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/constraints.h"
#include "wire/enum_names.h"
#include "wire/errors.h"
#include "wire/extensions.h"
#include "wire/managed_table.h"
#include "wire/table_description.h"
#include "wire/table_json.h"
#include "wire/table_requests.h"
#include "wire/table_settings.h"
#include "wire/tags.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

Status ReadTableKeys(const JsonObject& request, const AttributeDefinitions& definitions,
                     CreateTableInput* input) {
  std::size_t count = 0;
  const auto schema = Member(request, "KeySchema");
  if (schema) count = ArrayOf(*schema).size();
  if (count > definitions.given().size()) {
    return Status::Validation("Invalid KeySchema: Some index key attribute have no definition");
  }
  Keys keys;
  DOLMEN_RETURN_IF_ERROR(
      ReadKeySchema(request, definitions, KeySchemaOf::kTableOrLocalIndex, &keys));
  if (!keys.partition.empty()) input->partition_key = keys.partition[0];
  input->sort_key.reset();
  if (!keys.sort.empty()) input->sort_key = keys.sort[0];
  return {};
}

// The key attributes of a request's table and indexes, without repetitions.
struct UsedKeys {
  std::vector<KeyAttribute> list = {};  // in the order of the request
  std::set<std::string_view> names = {};

  // Adds the attributes of the structure's KeySchema.
  void Add(const JsonObject& structure) {
    const std::optional<Json> schema = Member(structure, "KeySchema");
    if (!schema) return;
    for (const Json element : ArrayOf(*schema)) {
      const std::string_view name = StringMember(ObjectOf(element), "AttributeName");
      if (names.insert(name).second) list.push_back({.name = std::string(name)});
    }
  }
};

// Checks that no attribute is defined twice, and that each defined attribute is a key attribute of the
// table or of an index. DynamoDB makes these checks before it reads the indexes and the throughput. A
// key attribute without a definition is found later, and hides an unused definition.
Status CheckDefinitions(const JsonObject& request, const AttributeDefinitions& definitions) {
  const std::vector<KeyAttribute>& given = definitions.given();
  std::set<std::string_view> defined;
  for (const KeyAttribute& attribute : given) {
    if (defined.insert(attribute.name).second) continue;
    return Status::Validation("Attribute Name is duplicated: " + attribute.name);
  }
  UsedKeys used;
  used.Add(request);
  bool has_indexes = false;
  for (const char* const member : {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"}) {
    const std::optional<Json> indexes = Member(request, member);
    if (!indexes) continue;
    has_indexes = true;
    for (const Json index : ArrayOf(*indexes)) used.Add(ObjectOf(index));
  }
  if (!std::ranges::includes(defined, used.names)) return {};
  const std::optional<Json> schema = Member(request, "KeySchema");
  const std::size_t count = schema ? ArrayOf(*schema).size() : 0;
  if (has_indexes ? defined == used.names : defined.size() <= count) return {};
  return InvalidParameter(
      has_indexes
          ? "Some AttributeDefinitions are not used. AttributeDefinitions: " + ListNames(given) +
                ", keys used: " + ListNames(used.list)
          : "Number of attributes in KeySchema does not exactly match number of attributes defined "
            "in AttributeDefinitions");
}

// Reads the index's projection into `index`, a local or a global index.
template <typename Index>
Status ReadProjection(const JsonObject& json, Index* index) {
  const std::optional<Json> member = Member(json, "Projection");
  if (!member) return {};
  const JsonObject projection = ObjectOf(*member);
  if (StringMember(projection, "ProjectionType").empty()) {
    return InvalidParameter("Unknown ProjectionType: null");
  }
  index->projection = ProjectionType::kKeysOnly;
  return DecodeMembers(kProjection<Index>, projection, index);
}

Status ReadLocalIndexes(const JsonObject& request, const AttributeDefinitions& definitions,
                        CreateTableInput* input) {
  const std::optional<Json> indexes = Member(request, "LocalSecondaryIndexes");
  if (!indexes) return {};
  // Checks the number of indexes before the engine compares each index with all others, which would
  // take too long for a long list.
  if (ArrayOf(*indexes).size() > 5) {
    return InvalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  }
  for (const Json json : ArrayOf(*indexes)) {
    LocalSecondaryIndex& index = input->local_secondary_indexes.emplace_back();
    DOLMEN_RETURN_IF_ERROR(ReadLocalIndex(ObjectOf(json), definitions, *input, &index));
  }
  if (!input->local_secondary_indexes.empty()) return {};
  return InvalidParameter("List of LocalSecondaryIndexes is empty");
}

Status ReadGlobalIndexes(const JsonObject& request, const AttributeDefinitions& definitions,
                         CreateTableInput* input, Map* settings) {
  const std::optional<Json> indexes = Member(request, "GlobalSecondaryIndexes");
  if (!indexes) return {};
  if (ArrayOf(*indexes).size() > 20) {
    return InvalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of 20");
  }
  const bool provisioned = IsProvisioned(*settings);
  for (const Json json : ArrayOf(*indexes)) {
    const JsonObject object = ObjectOf(json);
    GlobalSecondaryIndex& index = input->global_secondary_indexes.emplace_back();
    Map billing;
    DOLMEN_RETURN_IF_ERROR(ReadGlobalIndex(object, definitions, &index));
    DOLMEN_RETURN_IF_ERROR(ReadIndexBilling(provisioned, object, &billing));
    Set(index.name, std::move(billing), &MapToChange(settings, "Indexes"));
  }
  if (!input->global_secondary_indexes.empty()) return {};
  return InvalidParameter("List of GlobalSecondaryIndexes is empty");
}

std::vector<KeyAttribute> KeysUsed(const CreateTableInput& input) {
  std::vector<KeyAttribute> used = {input.partition_key};
  if (input.sort_key) used.push_back(*input.sort_key);
  for (const LocalSecondaryIndex& index : input.local_secondary_indexes) {
    used.push_back(index.sort_key);
  }
  for (const GlobalSecondaryIndex& index : input.global_secondary_indexes) {
    used.insert(used.end(), index.partition_key.begin(), index.partition_key.end());
    used.insert(used.end(), index.sort_key.begin(), index.sort_key.end());
  }
  return used;
}

void WriteDefinitions(std::string_view, const CreateTableInput& input, JsonWriter* json) {
  WriteAttributeDefinitions(KeysUsed(input), json);
}

void WriteKeys(std::string_view, const CreateTableInput& input, JsonWriter* json) {
  WriteKeySchema(input.partition_key, input.sort_key, json);
}

void WriteLocalIndexes(std::string_view name, const CreateTableInput& input, JsonWriter* json) {
  if (input.local_secondary_indexes.empty()) return;
  json->Key(name);
  json->BeginArray();
  for (const LocalSecondaryIndex& index : input.local_secondary_indexes) {
    json->BeginObject();
    WriteIndex(input.partition_key, index, json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteTags(std::string_view name, const CreateTableInput& input, JsonWriter* json) {
  const std::vector<Tag> tags = TagsOf(SettingsOf({.annotations = input.annotations}));
  if (tags.empty()) return;
  json->Key(name);
  members::WriteFrom(tags, json);
}

}  // namespace

template <>
constexpr Described kMembers<CreateTableInput> = {{
    {{"AttributeDefinitions", &kAttributeDefinitionsShape, true}, nullptr, WriteDefinitions},
    {kManagedTableName, nullptr, Always<&CreateTableInput::name>({}).write},
    {{"BillingMode", &kBillingModeShape},
     nullptr,
     [](std::string_view name, const CreateTableInput&, JsonWriter* json) {
       json->StringField(name, "PAY_PER_REQUEST");
     }},
    Only<CreateTableInput>({"ProvisionedThroughput", &kProvisionedThroughputShape}),
    {{"KeySchema", &kKeySchemaShape, true}, nullptr, WriteKeys},
    {{"GlobalSecondaryIndexes", &kGlobalSecondaryIndexesShape},
     nullptr,
     Optional<&CreateTableInput::global_secondary_indexes>({}).write},
    {{"LocalSecondaryIndexes", &kLocalSecondaryIndexesShape}, nullptr, WriteLocalIndexes},
    Optional<&CreateTableInput::stream_specification>("StreamSpecification",
                                                      &kMembers<StreamSpecification>),
    Only<CreateTableInput>({"SSESpecification", &kSseSpecificationShape}),
    {{"Tags", &kTagsShape}, nullptr, WriteTags},
    Only<CreateTableInput>({"TableClass", &kTableClassShape}),
    Optional<&CreateTableInput::deletion_protection>("DeletionProtectionEnabled", &kBoolean),
    Only<CreateTableInput>({"OnDemandThroughput", &kOnDemandThroughputShape}),
    Only<CreateTableInput>({"WarmThroughput", &kWarmThroughputShape}),
    Only<CreateTableInput>({"ResourcePolicy", &kString}),
    kTableExtensionsMember<CreateTableInput>,
}};
const Shape kCreateTableInput = kMembers<CreateTableInput>;

std::string CreateTableJson(const CreateTableInput& input) { return ToJson(input); }

Status ReadCreateTable(const JsonObject& request, CreateTableInput* input) {
  DOLMEN_ASSIGN_OR_RETURN(input->name, ManagedTableName(request));
  const AttributeDefinitions definitions(request);
  Map settings;
  DOLMEN_RETURN_IF_ERROR(CheckDefinitions(request, definitions));
  DOLMEN_RETURN_IF_ERROR(ReadBilling(request, &settings));
  DOLMEN_RETURN_IF_ERROR(ReadTableKeys(request, definitions, input));
  DOLMEN_RETURN_IF_ERROR(ReadLocalIndexes(request, definitions, input));
  DOLMEN_RETURN_IF_ERROR(ReadGlobalIndexes(request, definitions, input, &settings));
  Tags tags;
  DOLMEN_RETURN_IF_ERROR(ReadTags(request, &tags));
  DOLMEN_RETURN_IF_ERROR(AddTags(tags, &settings));
  ReadTableFeatures(request, &settings);
  SetSettings(std::move(settings), &input->annotations);
  return Decode(request, input);
}

Result<CreateTableInput> CheckAndReadCreateTable(const Json& request) {
  const Faults faults = Check(kCreateTableInput, request);
  const std::string& fault = faults.type.empty() ? faults.constraints : faults.type;
  if (!fault.empty()) return Status::Validation(fault);
  CreateTableInput input;
  DOLMEN_RETURN_IF_ERROR(ReadCreateTable(ObjectOf(request), &input));
  return input;
}

Result<CreateTableInput> ParseCreateTable(const std::string& request) {
  simdjson::dom::parser parser;
  Json json;
  if (const auto error = parser.parse(request).get(json); error != simdjson::SUCCESS) {
    return Status::Validation(simdjson::error_message(error));
  }
  return CheckAndReadCreateTable(json);
}

Status ReadLocalIndex(const JsonObject& json, const AttributeDefinitions& definitions,
                      const CreateTableInput& table, LocalSecondaryIndex* index) {
  index->name = StringMember(json, "IndexName");
  Keys keys;
  DOLMEN_RETURN_IF_ERROR(ReadKeySchema(json, definitions, KeySchemaOf::kTableOrLocalIndex, &keys));
  // If the table has no sort key, this function accepts a local index without a sort key. The
  // engine's CreateTable rejects that index later, because the table has no sort key.
  if (keys.sort.empty() && table.sort_key) {
    return InvalidParameter("Index KeySchema does not have a range key for index: " + index->name);
  }
  if (!keys.sort.empty()) index->sort_key = keys.sort[0];
  if (table.sort_key && keys.partition[0].name != table.partition_key.name) {
    return InvalidParameter(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        index->name + ". index hash key: " + keys.partition[0].name +
        ", table hash key: " + table.partition_key.name);
  }
  return ReadProjection(json, index);
}

Status ReadGlobalIndex(const JsonObject& json, const AttributeDefinitions& definitions,
                       GlobalSecondaryIndex* index) {
  index->name = StringMember(json, "IndexName");
  Keys keys;
  DOLMEN_RETURN_IF_ERROR(ReadKeySchema(json, definitions, KeySchemaOf::kGlobalIndex, &keys));
  index->partition_key = std::move(keys.partition);
  index->sort_key = std::move(keys.sort);
  return ReadProjection(json, index);
}

std::optional<StreamSpecification> ReadStreamSpecification(const JsonObject& structure) {
  const std::optional<Json> member = Member(structure, "StreamSpecification");
  if (!member) return std::nullopt;
  StreamSpecification stream{.enabled = false,
                             .retention = ExtensionsOf<TableExtensions>(structure).retention()};
  Decode(ObjectOf(*member), &stream).IgnoreError();
  return stream;
}

}  // namespace dolmen::wire
