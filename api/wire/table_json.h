// The JSON of tables, of their indexes, streams, tags and times to live. Members of requests are in the
// order in which DynamoDB reports errors in them.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Types.html

#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/list_tables.h"
#include "dolmen/time_to_live.h"
#include "wire/enum_names.h"
#include "wire/members.h"
#include "wire/shape.h"

namespace dolmen::wire {

inline constexpr Shape kLong = {.kind = Shape::Kind::kLong};

// --- keys ---

inline constexpr Shape kKeyNameShape = {.range = {1, 255}, .in_bytes = true};

inline constexpr Enumeration kAttributeTypeShape = {"B", "N", "S"};
template <>
inline constexpr Described kMembers<KeyAttribute> = {{
    ClassName<KeyAttribute>("AttributeDefinition"),
    Required<&KeyAttribute::name>("AttributeName", &kKeyNameShape),
    Required<&KeyAttribute::type>("AttributeType", &kAttributeTypeShape),
}};
inline constexpr Shape kAttributeDefinitionsShape = {.kind = Shape::Kind::kList,
                                                     .element = &kMembers<KeyAttribute>};

enum class KeyType : std::uint8_t { kHash, kRange };
template <>
inline constexpr EnumNames<KeyType, 2> kNames<KeyType> = {{"HASH", "RANGE"}};
struct KeySchemaElement {
  std::string name = {};
  KeyType type = KeyType::kRange;
};
inline constexpr Shape kKeyTypeShape = {.values = kNames<KeyType>.names};
template <>
inline constexpr Described kMembers<KeySchemaElement> = {{
    ClassName<KeySchemaElement>("KeySchemaElement"),
    Required<&KeySchemaElement::name>("AttributeName", &kKeyNameShape),
    Required<&KeySchemaElement::type>("KeyType", &kKeyTypeShape),
}};
inline constexpr Shape kKeySchemaShape = {
    .kind = Shape::Kind::kList, .element = &kMembers<KeySchemaElement>, .range = {1, 2}};
// The key schema of a global index, which has up to four attributes of each kind.
inline constexpr Shape kLongKeySchemaShape = {
    .kind = Shape::Kind::kList, .element = &kMembers<KeySchemaElement>, .range = {1, 8}};

// Reading and writing of KeySchema and AttributeDefinitions.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_KeySchemaElement.html

// The types of key attributes, by name.
class AttributeDefinitions {
 public:
  // Reads the request's AttributeDefinitions.
  explicit AttributeDefinitions(const JsonObject& request);

  // Adds a key attribute of an existing table, so that TypeOf finds it. Does nothing if the request
  // defines an attribute of that name.
  void AddKnown(const KeyAttribute& attribute) { types_.emplace(attribute.name, attribute.type); }

  // Replaces the type in the request by the type in the table. Does nothing if the request does not define the attribute.
  void KeepType(const KeyAttribute& attribute) {
    const auto found = types_.find(attribute.name);
    if (found != types_.end()) found->second = attribute.type;
  }

  std::optional<AttributeType> TypeOf(std::string_view name) const;

  // The definitions in the order of the request.
  const std::vector<KeyAttribute>& given() const { return given_; }

 private:
  std::vector<KeyAttribute> given_;
  std::map<std::string, AttributeType, std::less<>> types_;  // of the request and of AddKnown
};

// Returns the names as DynamoDB's messages list them, "[a, b]". A long list is cut to about
// kShownMax bytes.
std::string ListNames(const std::vector<KeyAttribute>& attributes);

struct Keys {
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};
};

// The owner of a key schema. Only a global index may have several partition key attributes or
// several sort key attributes.
enum class KeySchemaOf : std::uint8_t { kTableOrLocalIndex, kGlobalIndex };

// Reads the structure's KeySchema. After an error `keys` is unspecified. The error has DynamoDB's
// message:
// - kValidation: an attribute is not defined, is repeated, or is of the wrong kind.
Status ReadKeySchema(const JsonObject& structure, const AttributeDefinitions& definitions,
                     KeySchemaOf of, Keys* keys);

// Write the member KeySchema of a response.
void WriteKeySchema(const Keys& keys, JsonWriter* json);
void WriteKeySchema(const KeyAttribute& partition_key, const std::optional<KeyAttribute>& sort_key,
                    JsonWriter* json);

// --- throughput ---

inline constexpr Shape kCapacityUnitsShape = {.kind = Shape::Kind::kLong, .range = {.min = 1}};
inline constexpr Structure kProvisionedThroughputShape = {{
    Named("ProvisionedThroughput"),
    {"WriteCapacityUnits", &kCapacityUnitsShape, true},
    {"ReadCapacityUnits", &kCapacityUnitsShape, true},
}};

inline constexpr Structure kOnDemandThroughputShape = {{
    Named("OnDemandThroughput"),
    {"MaxReadRequestUnits", &kLong},
    {"MaxWriteRequestUnits", &kLong},
}};

inline constexpr Structure kWarmThroughputShape = {{
    Named("WarmThroughput"),
    {"ReadUnitsPerSecond", &kLong},
    {"WriteUnitsPerSecond", &kLong},
}};

inline constexpr Enumeration kBillingModeShape = {"PROVISIONED", "PAY_PER_REQUEST"};

// --- indexes ---

inline constexpr Shape kNonKeyAttributesShape = {
    .kind = Shape::Kind::kList, .element = &kKeyNameShape, .range = {1, 20}};
inline constexpr Enumeration kProjectionTypeShape = {"ALL", "INCLUDE", "KEYS_ONLY"};
// The projection of a GlobalSecondaryIndex or a LocalSecondaryIndex.
template <typename Index>
inline constexpr Described<Index, 3> kProjection = {{
    ClassName<Index>("Projection"),
    Always<&Index::projection>("ProjectionType", &kProjectionTypeShape),
    Optional<&Index::non_key_attributes>("NonKeyAttributes", &kNonKeyAttributesShape),
}};
template <typename Index>
inline constexpr Field<Index> kProjectionMember =
    Inside<kProjection<Index>>("Projection", &kProjection<Index>, true);

template <>
inline constexpr Described kMembers<LocalSecondaryIndex> = {{
    ClassName<LocalSecondaryIndex>("LocalSecondaryIndex"),
    Required<&LocalSecondaryIndex::name>("IndexName", &kIndexNameShape),
    Only<LocalSecondaryIndex>({"KeySchema", &kKeySchemaShape, true}),
    kProjectionMember<LocalSecondaryIndex>,
}};
inline constexpr Shape kLocalSecondaryIndexesShape = {.kind = Shape::Kind::kList,
                                                      .element = &kMembers<LocalSecondaryIndex>};

void WriteIndexKeys(std::string_view name, const GlobalSecondaryIndex& index, JsonWriter* json);
template <>
inline constexpr Described kMembers<GlobalSecondaryIndex> = {{
    ClassName<GlobalSecondaryIndex>("GlobalSecondaryIndex"),
    Required<&GlobalSecondaryIndex::name>("IndexName", &kIndexNameShape),
    {{"KeySchema", &kLongKeySchemaShape, true}, nullptr, WriteIndexKeys},
    kProjectionMember<GlobalSecondaryIndex>,
    Only<GlobalSecondaryIndex>({"ProvisionedThroughput", &kProvisionedThroughputShape}),
    Only<GlobalSecondaryIndex>({"OnDemandThroughput", &kOnDemandThroughputShape}),
    Only<GlobalSecondaryIndex>({"WarmThroughput", &kWarmThroughputShape}),
}};
inline constexpr Shape kGlobalSecondaryIndexesShape = {.kind = Shape::Kind::kList,
                                                       .element = &kMembers<GlobalSecondaryIndex>};

// --- other features of a table ---

inline constexpr Shape kStreamViewTypeShape = {.values = kNames<StreamViewType>.names};
template <>
inline constexpr Described kMembers<StreamSpecification> = {{
    ClassName<StreamSpecification>("StreamSpecification"),
    Required<&StreamSpecification::enabled>("StreamEnabled", &kBoolean),
    Optional<&StreamSpecification::view_type>("StreamViewType", &kStreamViewTypeShape),
}};

inline constexpr Enumeration kSseTypeShape = {"AES256", "KMS"};
inline constexpr Structure kSseSpecificationShape = {{
    Named("SSESpecification"),
    {"Enabled", &kBoolean},
    {"SSEType", &kSseTypeShape},
    {"KMSMasterKeyId", &kString},
}};

inline constexpr Enumeration kTableClassShape = {"STANDARD", "STANDARD_INFREQUENT_ACCESS"};

// A tag's key and value have no constraints here. ReadTags checks them, because DynamoDB's messages
// about them differ from the usual messages about constraints.
struct Tag {
  std::string key = {};
  std::string value = {};
};
template <>
inline constexpr Described kMembers<Tag> = {{
    ClassName<Tag>("Tag"),
    Always<&Tag::key>("Key"),
    Always<&Tag::value>("Value"),
}};
inline constexpr Shape kTagsShape = {.kind = Shape::Kind::kList, .element = &kMembers<Tag>};

inline constexpr Shape kResourceArnShape = {.range = {1, 1283}};
struct TagResourceInput {
  std::string resource_arn = {};
  std::vector<Tag> tags = {};
};
template <>
inline constexpr Described kMembers<TagResourceInput> = {{
    Required<&TagResourceInput::resource_arn>("ResourceArn", &kResourceArnShape),
    Required<&TagResourceInput::tags>("Tags", &kTagsShape),
}};
struct ListTagsInput {
  std::string resource_arn = {};
  std::string next_token = {};  // Dolmen ignores it: all tags of a table fit one page.
};
template <>
inline constexpr Described kMembers<ListTagsInput> = {{
    Required<&ListTagsInput::resource_arn>("ResourceArn", &kResourceArnShape),
    Optional<&ListTagsInput::next_token>("NextToken", &kString),
}};
struct ListTagsOutput {
  std::vector<Tag> tags = {};
  std::string next_token = {};
};
template <>
inline constexpr Described kMembers<ListTagsOutput> = {{
    Always<&ListTagsOutput::tags>("Tags"),
    Optional<&ListTagsOutput::next_token>("NextToken"),
}};

// --- the time to live ---

inline constexpr Shape kTimeToLiveNameShape = {.range = {1, 255}};
template <>
inline constexpr Described kMembers<TimeToLiveSpecification> = {{
    ClassName<TimeToLiveSpecification>("TimeToLiveSpecification"),
    Required<&TimeToLiveSpecification::attribute_name>("AttributeName", &kTimeToLiveNameShape),
    Required<&TimeToLiveSpecification::enabled>("Enabled", &kBoolean),
}};
template <>
inline constexpr Described kMembers<UpdateTimeToLiveInput> = {{
    Always<&UpdateTimeToLiveInput::table_name>(kManagedTableName.name, kManagedTableName.shape),
    Required<&UpdateTimeToLiveInput::specification>("TimeToLiveSpecification",
                                                    &kMembers<TimeToLiveSpecification>),
}};
template <>
inline constexpr Described kMembers<TimeToLiveDescription> = {{
    Always<&TimeToLiveDescription::status>("TimeToLiveStatus"),
    Optional<&TimeToLiveDescription::attribute_name>("AttributeName"),
}};

// --- requests for a table, and lists of tables ---

struct TableRequest {
  std::string table_name = {};
};
template <>
inline constexpr Described kMembers<TableRequest> = {{
    Always<&TableRequest::table_name>(kManagedTableName.name, kManagedTableName.shape),
}};

inline constexpr Shape kStartNameShape = {.range = {3, 255}, .pattern = kNamePattern};
inline constexpr Shape kTablesLimitShape = {.kind = Shape::Kind::kInteger, .range = {1, 100}};
template <>
inline constexpr Described kMembers<ListTablesInput> = {{
    Optional<&ListTablesInput::exclusive_start_table_name>("ExclusiveStartTableName",
                                                           &kStartNameShape),
    Always<&ListTablesInput::limit>("Limit", &kTablesLimitShape),
}};
template <>
inline constexpr Described kMembers<ListTablesOutput> = {{
    Always<&ListTablesOutput::table_names>("TableNames"),
    Optional<&ListTablesOutput::last_evaluated_table_name>("LastEvaluatedTableName"),
}};

}  // namespace dolmen::wire
