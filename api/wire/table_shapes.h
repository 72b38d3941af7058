// The shapes of requests that create or change tables and indexes. Members are in the order in
// which DynamoDB reports errors in them.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Types.html

#pragma once

#include <array>
#include <string_view>

#include "wire/enum_names.h"
#include "wire/shape.h"

namespace dolmen::wire {

inline constexpr Shape kLong = {.kind = Shape::Kind::kLong};

// --- keys ---

inline constexpr Shape kKeyNameShape = {.range = {1, 255}, .in_bytes = true};

inline constexpr std::array<std::string_view, 3> kAttributeTypes = {"B", "N", "S"};
inline constexpr Shape kAttributeTypeShape = {.values = kAttributeTypes};
inline constexpr Structure kAttributeDefinitionShape = {{
    Named("AttributeDefinition"),
    {"AttributeName", &kKeyNameShape, true},
    {"AttributeType", &kAttributeTypeShape, true},
}};
inline constexpr Shape kAttributeDefinitionsShape = {.kind = Shape::Kind::kList,
                                                     .element = &kAttributeDefinitionShape};

inline constexpr std::array<std::string_view, 2> kKeyTypes = {"HASH", "RANGE"};
inline constexpr Shape kKeyTypeShape = {.values = kKeyTypes};
inline constexpr Structure kKeySchemaElementShape = {{
    Named("KeySchemaElement"),
    {"AttributeName", &kKeyNameShape, true},
    {"KeyType", &kKeyTypeShape, true},
}};
inline constexpr Shape kKeySchemaShape = {
    .kind = Shape::Kind::kList, .element = &kKeySchemaElementShape, .range = {1, 2}};
// The key schema of a global index, which has up to four attributes of each kind.
inline constexpr Shape kLongKeySchemaShape = {
    .kind = Shape::Kind::kList, .element = &kKeySchemaElementShape, .range = {1, 8}};

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

inline constexpr std::array<std::string_view, 2> kBillingModes = {"PROVISIONED", "PAY_PER_REQUEST"};
inline constexpr Shape kBillingModeShape = {.values = kBillingModes};

// --- indexes ---

inline constexpr Shape kNonKeyAttributesShape = {
    .kind = Shape::Kind::kList, .element = &kKeyNameShape, .range = {1, 20}};
inline constexpr std::array<std::string_view, 3> kProjectionTypes = {"ALL", "INCLUDE", "KEYS_ONLY"};
inline constexpr Shape kProjectionTypeShape = {.values = kProjectionTypes};
inline constexpr Structure kProjectionShape = {{
    Named("Projection"),
    {"ProjectionType", &kProjectionTypeShape},
    {"NonKeyAttributes", &kNonKeyAttributesShape},
}};

inline constexpr Structure kLocalSecondaryIndexShape = {{
    Named("LocalSecondaryIndex"),
    {"IndexName", &kIndexNameShape, true},
    {"KeySchema", &kKeySchemaShape, true},
    {"Projection", &kProjectionShape, true},
}};
inline constexpr Shape kLocalSecondaryIndexesShape = {.kind = Shape::Kind::kList,
                                                      .element = &kLocalSecondaryIndexShape};
inline constexpr Structure kGlobalSecondaryIndexShape = {{
    Named("GlobalSecondaryIndex"),
    {"IndexName", &kIndexNameShape, true},
    {"KeySchema", &kLongKeySchemaShape, true},
    {"Projection", &kProjectionShape, true},
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"WarmThroughput", &kWarmThroughputShape},
}};
inline constexpr Shape kGlobalSecondaryIndexesShape = {.kind = Shape::Kind::kList,
                                                       .element = &kGlobalSecondaryIndexShape};

// --- other features of a table ---

inline constexpr Shape kStreamViewTypeShape = {.values = kNames<StreamViewType>.names};
inline constexpr Structure kStreamSpecificationShape = {{
    Named("StreamSpecification"),
    {"StreamEnabled", &kBoolean, true},
    {"StreamViewType", &kStreamViewTypeShape},
}};

inline constexpr std::array<std::string_view, 2> kSseTypes = {"AES256", "KMS"};
inline constexpr Shape kSseTypeShape = {.values = kSseTypes};
inline constexpr Structure kSseSpecificationShape = {{
    Named("SSESpecification"),
    {"Enabled", &kBoolean},
    {"SSEType", &kSseTypeShape},
    {"KMSMasterKeyId", &kString},
}};

inline constexpr std::array<std::string_view, 2> kTableClasses = {"STANDARD",
                                                                  "STANDARD_INFREQUENT_ACCESS"};
inline constexpr Shape kTableClassShape = {.values = kTableClasses};

inline constexpr Shape kTagKeyShape = {.range = {1, 128}};
inline constexpr Shape kTagValueShape = {.range = {0, 256}};
inline constexpr Structure kTagShape = {{
    Named("Tag"),
    {"Key", &kTagKeyShape, true},
    {"Value", &kTagValueShape, true},
}};
inline constexpr Shape kTagsShape = {.kind = Shape::Kind::kList, .element = &kTagShape};

}  // namespace dolmen::wire
