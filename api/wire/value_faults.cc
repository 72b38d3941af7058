#include "wire/value_faults.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "database/base64.h"
#include "engine/base/deep.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "engine/value/invalid_parameter.h"
#include "engine/value/older_number.h"
#include "wire/errors.h"
#include "wire/java_text.h"
#include "wire/shape.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kSuppliedValue = "Supplied AttributeValue ";
constexpr std::string_view kInputCollection = "Input collection ";

Status NotOneDatatype(std::string_view what) {
  return Status::Validation(std::string(kSuppliedValue)
                                .append(what)
                                .append(", must contain exactly one of the supported datatypes"));
}

// Returns the members of a set with duplicates in the order in which the current checker prints them: those before the
// first repeated member in byte order, then the repeated member and the rest as sent.
std::vector<std::string_view> InCheckedOrder(const JsonArray& members, bool is_binary) {
  std::map<std::string, std::string_view> before;  // text by bytes
  std::vector<std::string_view> rest;
  for (const Json member : members) {
    const std::string_view text = StringOf(member);
    std::string bytes;
    if (is_binary) {
      internal::DecodeBase64(text, &bytes).IgnoreError();
    } else {
      bytes = text;
    }
    if (!rest.empty() || !before.emplace(std::move(bytes), text).second) rest.push_back(text);
  }
  std::vector<std::string_view> ordered;
  for (const auto& [bytes, text] : before) ordered.push_back(text);
  ordered.insert(ordered.end(), rest.begin(), rest.end());
  return ordered;
}

// Returns the members in quotes, cut like JavaText.
std::string QuotedList(const std::vector<std::string_view>& members, std::string_view separator) {
  std::string list = "[";
  for (const std::string_view member : members) {
    if (list.size() > kShownMax) break;
    if (list.size() > 1) list.append(separator);
    list.append("\"").append(Truncated(member)).append("\"");
  }
  return list.append("]");
}

}  // namespace

Result<Number> ReadNumber(std::string_view text, Checker checker) {
  Result<Number> number =
      checker == Checker::kOlder ? engine::ReadOlderNumber(text) : Number::Parse(text);
  if (number.ok()) return number;
  // Only the older checker leaves out the colon before an empty text.
  if (text.empty() && checker == Checker::kCurrent) {
    return Status::Validation(number.status().message() + ": ");
  }
  return Status::Validation(std::string(Truncated(number.status().message())));
}

Status EmptySetFault(std::string_view type) {
  if (type == "BS") return InvalidParameter(engine::kEmptyBinarySet);
  return InvalidParameter(type == "NS" ? engine::kEmptyNumberSet : engine::kEmptyStringSet);
}

Status DuplicatesFault(std::string_view type, const Json& json, Checker checker) {
  const bool is_older = checker == Checker::kOlder;
  if (type == "NS") {
    return is_older ? Status::Validation("Input collection contains duplicates")
                    : InvalidParameter("Input collection contains duplicates.");
  }
  const bool is_binary = type == "BS";
  std::string text(kInputCollection);
  text.append(is_older
                  ? JavaText(json, kString)
                  : QuotedList(InCheckedOrder(ArrayOf(json), is_binary), is_binary ? "," : ", "));
  return InvalidParameter(
      text.append(is_binary ? "of type BS contains duplicates." : " contains duplicates."));
}

Status NullFault() {
  return InvalidParameter("Null attribute value types must have the value of true");
}

Status NoDatatype() { return NotOneDatatype("is empty"); }
Status SeveralDatatypes() { return NotOneDatatype("has more than one datatypes set"); }

Status ExpressionValueFault(std::string_view token, const Status& fault) {
  return Status::Validation(std::string("ExpressionAttributeValues contains invalid value: ")
                                .append(fault.message())
                                .append(" for key ")
                                .append(Truncated(token)));
}

namespace {

// DynamoDB's parser stops at a value with more lists and maps around a scalar. 61 pass it, 63 do not.
constexpr int kParsedContainersMax = 62;

// Returns true if the value has a list or a map in it.
bool HasContainer(const Json& json) {
  for (const auto& [tag, content] : ObjectOf(json)) {
    if (tag == "L" || tag == "M") return true;
  }
  return false;
}

// Returns true if the value nests deeper. `containers` is the number of lists and maps around it. A coroutine,
// because the value may nest as deep as simdjson reads.
engine::Deep<bool> NestsTooDeeplyToParse(Json json, int containers) {
  for (const auto& [tag, content] : EntriesOf(ObjectOf(json))) {
    if (content.is_null() || (tag != "L" && tag != "M")) continue;
    if (containers == kParsedContainersMax) co_return true;
    if (tag == "L") {
      for (const Json element : ArrayOf(content)) {
        if (!HasContainer(element)) continue;
        const bool too_deep = co_await NestsTooDeeplyToParse(element, containers + 1);
        if (too_deep) co_return true;
      }
    } else {
      for (const auto& [name, element] : EntriesOf(ObjectOf(content))) {
        if (!HasContainer(element)) continue;
        const bool too_deep = co_await NestsTooDeeplyToParse(element, containers + 1);
        if (too_deep) co_return true;
      }
    }
  }
  co_return false;
}

Status ParserFaultIn(const Shape& shape, const Json& json) {
  switch (shape.kind) {
    case Shape::Kind::kAttributeValue:
      return NestsTooDeeplyToParse(json, 0).Run() ? engine::NestedTooDeep() : Status();
    case Shape::Kind::kList:
      for (const Json element : ArrayOf(json)) {
        DOLMEN_RETURN_IF_ERROR(ParserFaultIn(*shape.element, element));
      }
      return {};
    case Shape::Kind::kMap:
      for (const auto& [name, element] : EntriesOf(ObjectOf(json))) {
        if (element.is_null()) continue;
        const Status fault = ParserFaultIn(*shape.element, element);
        // Only the names of values begin with a colon.
        if (!fault.ok()) return name.starts_with(':') ? ExpressionValueFault(name, fault) : fault;
      }
      return {};
    case Shape::Kind::kStructure:
      return ParserFault(shape, ObjectOf(json));
    default:
      return {};
  }
}

}  // namespace

Status ParserFault(const Shape& shape, const JsonObject& request) {
  for (const MemberShape& member : shape.members) {
    const std::optional<Json> content = Member(request, member.name);
    if (content) DOLMEN_RETURN_IF_ERROR(ParserFaultIn(*member.shape, *content));
  }
  return {};
}

bool IsDatatypeFault(const Status& fault) {
  return fault.message() == NoDatatype().message() ||
         fault.message() == SeveralDatatypes().message();
}

bool IsStartKeyFault(const Status& fault) {
  std::string_view text = fault.message();
  if (text.starts_with(kSuppliedValue)) return true;
  if (!text.starts_with(kInvalidParameter)) return false;
  text.remove_prefix(kInvalidParameter.size());
  return !text.starts_with(kInputCollection) && text != engine::kEmptyNumberSet;
}

}  // namespace dolmen::wire
