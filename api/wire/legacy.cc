#include "wire/legacy.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/projection_builder.h"
#include "wire/legacy_condition.h"

namespace dolmen::wire {
namespace {

void Replace(std::string_view from, std::string_view to, std::string* text) {
  if (const std::size_t at = text->find(from); at != text->npos) text->replace(at, from.size(), to);
}

}  // namespace

Status ReadAttributesToGet(const JsonObject& request, ProjectionExpression* projection) {
  const std::optional<Json> json = Member(request, "AttributesToGet");
  if (!json) return {};
  std::vector<Attr> attributes;
  std::set<std::string_view> names;
  for (const Json element : ArrayOf(*json)) {
    const std::string_view name = StringOf(element);
    if (!names.insert(name).second) {
      return InvalidParameter("Duplicate value in attribute name: " + std::string(name));
    }
    attributes.emplace_back(name);
  }
  *projection = Project(attributes);
  return {};
}

Status InLegacyWords(const JsonObject& request, Status status) {
  if (status.code() != StatusCode::kValidation) return status;
  std::string message = status.message();
  if (Member(request, "AttributeUpdates") &&
      message == "An operand in the update expression has an incorrect data type") {
    return Status::Validation("Type mismatch for attribute to update");
  }
  if (Member(request, "AttributesToGet")) {
    Replace("Cannot specify the ProjectionExpression", "Cannot specify the AttributesToGet",
            &message);
  }
  if (Member(request, "QueryFilter")) Replace("Filter Expression can", "QueryFilter can", &message);
  return Status::Validation(std::move(message));
}

}  // namespace dolmen::wire
