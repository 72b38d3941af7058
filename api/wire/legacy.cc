#include "wire/legacy.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wire/errors.h"

namespace dolmen::wire {

Status ReadAttributesToGet(const JsonObject& request, ProjectionExpression* projection) {
  const std::optional<Json> json = Member(request, "AttributesToGet");
  if (!json) return {};
  std::vector<std::string_view> attributes;
  std::set<std::string_view> names;
  for (const Json element : ArrayOf(*json)) {
    const std::string_view name = StringOf(element);
    if (!names.insert(name).second) {
      return InvalidParameter("Duplicate value in attribute name: " + std::string(name));
    }
    attributes.push_back(name);
  }
  return SetTree(ProjectionTree(attributes), projection);
}

}  // namespace dolmen::wire
