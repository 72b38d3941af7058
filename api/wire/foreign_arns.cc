#include "wire/foreign_arns.h"

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/status_macros.h"
#include "engine/value/violation.h"
#include "wire/errors.h"
#include "wire/java_text.h"
#include "wire/names.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kAccessDenied = "AccessDeniedException";

bool IsOfPolicies(std::string_view operation) { return operation.ends_with("ResourcePolicy"); }

bool IsOfTags(std::string_view operation) {
  return operation == "TagResource" || operation == "UntagResource" ||
         operation == "ListTagsOfResource";
}

bool IsOfBackup(std::string_view operation) {
  return operation == "DescribeBackup" || operation == "DeleteBackup" ||
         operation == "RestoreTableFromBackup";
}

// Returns the error for an ARN in another region.
Status InOtherRegion(const Context& context, std::string_view operation, std::string_view arn) {
  const std::string shown(Truncated(arn));
  if (operation == "DescribeExport") {
    return Fail(context, "ExportNotFoundException", "Export not found: Invalid export arn");
  }
  if (IsOfBackup(operation)) return Status::Validation("BackupArn is not valid");
  if (IsOfPolicies(operation)) {
    return InvalidParameter("Invalid resource Arn: " + shown);
  }
  if (IsOfTags(operation)) {
    return Status::Validation("Invalid TableArn: Invalid ResourceArn provided as input " + shown);
  }
  return engine::DetectedOne("Invalid AWS region in '" + shown + "'");
}

// Returns the error for an ARN in another account. Dolmen evaluates no policies, and it does not know
// who has signed the request, so the text names the root of its own account.
Status InOtherAccount(const Context& context, std::string_view operation, std::string_view arn) {
  if (IsOfPolicies(operation)) {
    return Status::Validation(
        "This action is only supported by accounts that match the resource owner\u2019s account.");
  }
  if (IsOfBackup(operation)) return Fail(context, kAccessDenied, "Access is denied");
  return Fail(context, kAccessDenied,
              std::string("User: arn:aws:iam::")
                  .append(context.place.account)
                  .append(":root is not authorized to perform: dynamodb:")
                  .append(operation)
                  .append(" on resource: ")
                  .append(Truncated(arn)));
}

// A walk through a request that checks the ARNs.
class PlaceCheck {
 public:
  PlaceCheck(const Context& context, std::string_view operation)
      : context_(context), operation_(operation) {}

  Status VisitMembers(const Shape& structure, const JsonObject& json) const {
    for (const MemberShape& member : structure.members) {
      if (member.shape == nullptr || !MayHoldArns(*member.shape, member.name)) continue;
      const std::optional<Json> value = Member(json, member.name);
      if (value) DOLMEN_RETURN_IF_ERROR(Visit(*member.shape, *value));
    }
    return {};
  }

 private:
  static bool MayHoldArns(const Shape& shape, std::string_view name) {
    switch (shape.kind) {
      case Kind::kString:
        return shape.or_arn || name.ends_with("Arn");
      case Kind::kStructure:
        return true;
      case Kind::kList:
        return MayHoldArns(*shape.element, name);
      case Kind::kMap:
        return (shape.key != nullptr && shape.key->or_arn) || MayHoldArns(*shape.element, {});
      default:
        return false;
    }
  }

  Status Visit(const Shape& shape, const Json& json) const {
    if (shape.kind == Kind::kString) return CheckPlace(StringOf(json));
    if (shape.kind == Kind::kStructure) return VisitMembers(shape, ObjectOf(json));
    if (shape.kind == Kind::kList) {
      for (const Json element : ArrayOf(json))
        DOLMEN_RETURN_IF_ERROR(Visit(*shape.element, element));
      return {};
    }
    for (const auto& [key, value] : ObjectOf(json)) {
      if (shape.key != nullptr && shape.key->or_arn) DOLMEN_RETURN_IF_ERROR(CheckPlace(key));
      if (MayHoldArns(*shape.element, {})) DOLMEN_RETURN_IF_ERROR(Visit(*shape.element, value));
    }
    return {};
  }

  Status CheckPlace(std::string_view text) const {
    const std::optional<Place> place = PlaceOfArn(text);
    if (!place) return {};
    if (place->region != context_.place.region) return InOtherRegion(context_, operation_, text);
    if (place->account == context_.place.account) return {};
    return InOtherAccount(context_, operation_, text);
  }

  const Context& context_;
  const std::string_view operation_;
};

}  // namespace

Status CheckPlaces(const Context& context, const Operation& operation, const JsonObject& request) {
  return PlaceCheck(context, operation.name).VisitMembers(*operation.input, request);
}

}  // namespace dolmen::wire
