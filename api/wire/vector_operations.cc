#include "wire/vector_operations.h"

#include <array>
#include <string>

#include "engine/base/status_macros.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kVectorShape = {
    .kind = Kind::kList, .element = &kAttributeValueShape, .range = {1, 4096}};
constexpr Shape kTopKShape = {.kind = Kind::kInteger, .range = {.min = 1}};
constexpr std::array<MemberShape, 4> kSearchVectorsMembers = {{
    {"TableName", &kTableNameShape, true},
    {"IndexName", &kIndexNameShape, true},
    {"SearchVector", &kVectorShape, true},
    {"TopK", &kTopKShape, true},
}};
constexpr Shape kSearchVectorsInput = {.kind = Kind::kStructure, .members = kSearchVectorsMembers};

Status RunSearchVectors(const Context& context, const JsonObject& request, JsonWriter*) {
  DOLMEN_RETURN_IF_ERROR(
      context.database.OpenTable(TableNameOf(StringMember(request, "TableName"))).status());
  return Status::Validation(std::string("The table does not have the specified index: ")
                                .append(StringMember(request, "IndexName")));
}

}  // namespace

const Operation kSearchVectors = {"SearchVectors", &kSearchVectorsInput, RunSearchVectors};

}  // namespace dolmen::wire
