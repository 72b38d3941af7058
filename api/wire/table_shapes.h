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
inline constexpr std::array<MemberShape, 2> kAttributeDefinitionMembers = {{
    {"AttributeName", &kKeyNameShape, true},
    {"AttributeType", &kAttributeTypeShape, true},
}};
inline constexpr Shape kAttributeDefinitionShape = {.kind = Shape::Kind::kStructure,
                                                    .name = "AttributeDefinition",
                                                    .members = kAttributeDefinitionMembers};
inline constexpr Shape kAttributeDefinitionsShape = {.kind = Shape::Kind::kList,
                                                     .element = &kAttributeDefinitionShape};

inline constexpr std::array<std::string_view, 2> kKeyTypes = {"HASH", "RANGE"};
inline constexpr Shape kKeyTypeShape = {.values = kKeyTypes};
inline constexpr std::array<MemberShape, 2> kKeySchemaElementMembers = {{
    {"AttributeName", &kKeyNameShape, true},
    {"KeyType", &kKeyTypeShape, true},
}};
inline constexpr Shape kKeySchemaElementShape = {.kind = Shape::Kind::kStructure,
                                                 .name = "KeySchemaElement",
                                                 .members = kKeySchemaElementMembers};
inline constexpr Shape kKeySchemaShape = {
    .kind = Shape::Kind::kList, .element = &kKeySchemaElementShape, .range = {1, 2}};
// The key schema of a global index, which has up to four attributes of each kind.
inline constexpr Shape kLongKeySchemaShape = {
    .kind = Shape::Kind::kList, .element = &kKeySchemaElementShape, .range = {1, 8}};

// --- throughput ---

inline constexpr Shape kCapacityUnitsShape = {.kind = Shape::Kind::kLong, .range = {.min = 1}};
inline constexpr std::array<MemberShape, 2> kProvisionedThroughputMembers = {{
    {"WriteCapacityUnits", &kCapacityUnitsShape, true},
    {"ReadCapacityUnits", &kCapacityUnitsShape, true},
}};
inline constexpr Shape kProvisionedThroughputShape = {.kind = Shape::Kind::kStructure,
                                                      .name = "ProvisionedThroughput",
                                                      .members = kProvisionedThroughputMembers};

inline constexpr std::array<MemberShape, 2> kOnDemandThroughputMembers = {{
    {"MaxReadRequestUnits", &kLong},
    {"MaxWriteRequestUnits", &kLong},
}};
inline constexpr Shape kOnDemandThroughputShape = {.kind = Shape::Kind::kStructure,
                                                   .name = "OnDemandThroughput",
                                                   .members = kOnDemandThroughputMembers};

inline constexpr std::array<MemberShape, 2> kWarmThroughputMembers = {{
    {"ReadUnitsPerSecond", &kLong},
    {"WriteUnitsPerSecond", &kLong},
}};
inline constexpr Shape kWarmThroughputShape = {
    .kind = Shape::Kind::kStructure, .name = "WarmThroughput", .members = kWarmThroughputMembers};

inline constexpr std::array<std::string_view, 2> kBillingModes = {"PROVISIONED", "PAY_PER_REQUEST"};
inline constexpr Shape kBillingModeShape = {.values = kBillingModes};

// --- indexes ---

inline constexpr Shape kNonKeyAttributesShape = {
    .kind = Shape::Kind::kList, .element = &kKeyNameShape, .range = {1, 20}};
inline constexpr std::array<std::string_view, 3> kProjectionTypes = {"ALL", "INCLUDE", "KEYS_ONLY"};
inline constexpr Shape kProjectionTypeShape = {.values = kProjectionTypes};
inline constexpr std::array<MemberShape, 2> kProjectionMembers = {{
    {"ProjectionType", &kProjectionTypeShape},
    {"NonKeyAttributes", &kNonKeyAttributesShape},
}};
inline constexpr Shape kProjectionShape = {
    .kind = Shape::Kind::kStructure, .name = "Projection", .members = kProjectionMembers};

inline constexpr std::array<MemberShape, 6> kGlobalSecondaryIndexMembers = {{
    {"IndexName", &kIndexNameShape, true},
    {"KeySchema", &kLongKeySchemaShape, true},
    {"Projection", &kProjectionShape, true},
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"WarmThroughput", &kWarmThroughputShape},
}};

inline constexpr std::array<MemberShape, 3> kLocalSecondaryIndexMembers = {{
    {"IndexName", &kIndexNameShape, true},
    {"KeySchema", &kKeySchemaShape, true},
    {"Projection", &kProjectionShape, true},
}};
inline constexpr Shape kLocalSecondaryIndexShape = {.kind = Shape::Kind::kStructure,
                                                    .name = "LocalSecondaryIndex",
                                                    .members = kLocalSecondaryIndexMembers};
inline constexpr Shape kLocalSecondaryIndexesShape = {.kind = Shape::Kind::kList,
                                                      .element = &kLocalSecondaryIndexShape};
inline constexpr Shape kGlobalSecondaryIndexShape = {.kind = Shape::Kind::kStructure,
                                                     .name = "GlobalSecondaryIndex",
                                                     .members = kGlobalSecondaryIndexMembers};
inline constexpr Shape kGlobalSecondaryIndexesShape = {.kind = Shape::Kind::kList,
                                                       .element = &kGlobalSecondaryIndexShape};

// --- other features of a table ---

inline constexpr Shape kStreamViewTypeShape = {.values = kStreamViewTypeNames.names};
inline constexpr std::array<MemberShape, 2> kStreamSpecificationMembers = {{
    {"StreamEnabled", &kBoolean, true},
    {"StreamViewType", &kStreamViewTypeShape},
}};
inline constexpr Shape kStreamSpecificationShape = {.kind = Shape::Kind::kStructure,
                                                    .name = "StreamSpecification",
                                                    .members = kStreamSpecificationMembers};

inline constexpr std::array<std::string_view, 2> kSseTypes = {"AES256", "KMS"};
inline constexpr Shape kSseTypeShape = {.values = kSseTypes};
inline constexpr std::array<MemberShape, 3> kSseSpecificationMembers = {{
    {"Enabled", &kBoolean},
    {"SSEType", &kSseTypeShape},
    {"KMSMasterKeyId", &kString},
}};
inline constexpr Shape kSseSpecificationShape = {.kind = Shape::Kind::kStructure,
                                                 .name = "SSESpecification",
                                                 .members = kSseSpecificationMembers};

inline constexpr std::array<std::string_view, 2> kTableClasses = {"STANDARD",
                                                                  "STANDARD_INFREQUENT_ACCESS"};
inline constexpr Shape kTableClassShape = {.values = kTableClasses};

inline constexpr Shape kTagKeyShape = {.range = {1, 128}};
inline constexpr Shape kTagValueShape = {.range = {0, 256}};
inline constexpr std::array<MemberShape, 2> kTagMembers = {{
    {"Key", &kTagKeyShape, true},
    {"Value", &kTagValueShape, true},
}};
inline constexpr Shape kTagShape = {
    .kind = Shape::Kind::kStructure, .name = "Tag", .members = kTagMembers};
inline constexpr Shape kTagsShape = {.kind = Shape::Kind::kList, .element = &kTagShape};

}  // namespace dolmen::wire
