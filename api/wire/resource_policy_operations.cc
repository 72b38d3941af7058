#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// The settings of a table hold the policies of the table and of its streams. The policy of the
// table has the name kOfTable, and the policy of a stream has the stream's label.
constexpr std::string_view kPolicies = "ResourcePolicies";
constexpr std::string_view kOfTable = "table";
constexpr std::string_view kPolicy = "Policy";
constexpr std::string_view kRevision = "RevisionId";
constexpr std::string_view kExpectedRevision = "ExpectedRevisionId";
constexpr std::string_view kNoPolicy = "NO_POLICY";
constexpr std::string_view kStreamPart = "/stream/";
constexpr std::size_t kPolicyBytesMax = 20'480;
constexpr std::string_view kPolicyNotFound = "PolicyNotFoundException";
constexpr std::string_view kPolicyNotFoundText =
    "Resource-based policy not found for the provided ResourceArn: ";

constexpr Shape kPolicyArnShape = {.range = {1, 1283}};
constexpr MemberShape kPolicyArn = {"ResourceArn", &kPolicyArnShape, true};
constexpr Shape kRevisionShape = {.range = {1, 255}};

constexpr Structure kPutPolicyInput = {{
    kPolicyArn,
    {kPolicy, &kString, true},
    {kExpectedRevision, &kRevisionShape},
    {"ConfirmRemoveSelfResourceAccess", &kBoolean},
}};
constexpr Structure kGetPolicyInput = {{
    kPolicyArn,
}};
constexpr Structure kDeletePolicyInput = {{
    kPolicyArn,
    {kExpectedRevision, &kRevisionShape},
}};

std::string_view PolicyArnOf(const JsonObject& request) {
  return StringMember(request, "ResourceArn");
}

// Returns the part of the ARN of a table or of a stream that is the ARN of the table.
std::string_view TablePartOf(std::string_view arn) { return arn.substr(0, arn.find(kStreamPart)); }

// - kValidation: `arn` is not the ARN of a table or of a stream.
Status CheckPolicyArn(std::string_view arn) { return CheckResource(TablePartOf(arn)); }

// A table or a stream that may have a policy.
struct PolicyResource {
  TableDescription table = {};
  std::string name = {};  // the name of the policy in the settings
};

// Returns the table or the stream with this ARN.
// - kValidation: `arn` is not the ARN of a table or of a stream.
// - kResourceNotFound: the table or the stream does not exist.
Result<PolicyResource> FindPolicyResource(const Context& context, std::string_view arn) {
  DOLMEN_RETURN_IF_ERROR(CheckPolicyArn(arn));
  const std::string_view table_arn = TablePartOf(arn);
  Result<TableDescription> table =
      context.database.DescribeTable(*TableOfArn(table_arn), ContentSizes::kOmit);
  if (!table.ok()) return table.status();
  if (table_arn == arn) return PolicyResource{*std::move(table), std::string(kOfTable)};
  const std::string_view label = arn.substr(table_arn.size() + kStreamPart.size());
  if (label.empty() || label != table->latest_stream_label) {
    return Status::ResourceNotFound(
        std::string("Requested resource not found: Stream: ").append(arn).append(" not found"));
  }
  return PolicyResource{*std::move(table), std::string(label)};
}

Status InvalidPolicy(std::string_view why) {
  return InvalidParameter(std::string("Invalid policy document: ").append(why));
}

// Checks the statements of a policy: one statement, or a list of statements whose Sids differ.
Status CheckStatements(const Json& statements) {
  if (statements.is_object()) return {};
  if (!statements.is_array()) return InvalidPolicy("Statement must be an object or a list");
  std::set<std::string_view> ids;
  for (const Json statement : ArrayOf(statements)) {
    if (!statement.is_object()) return InvalidPolicy("each statement must be an object");
    const std::optional<Json> id = Member(ObjectOf(statement), "Sid");
    if (id && !ids.insert(StringOf(*id)).second) {
      return InvalidPolicy("The Statement Ids in the policy are not unique");
    }
  }
  return {};
}

// Returns the policy without spaces between its parts.
Result<std::string> ParsePolicy(std::string_view text) {
  if (text.size() > kPolicyBytesMax) {
    return InvalidPolicy("the policy has " + std::to_string(text.size()) + " bytes, at most " +
                         std::to_string(kPolicyBytesMax) + " are allowed");
  }
  simdjson::dom::parser parser;
  Json policy;
  if (parser.parse(text.data(), text.size()).get(policy) != simdjson::SUCCESS ||
      !policy.is_object()) {
    return InvalidPolicy("the policy is not a JSON object");
  }
  const std::optional<Json> statements = Member(ObjectOf(policy), "Statement");
  if (!statements) return InvalidPolicy("the policy has no Statement");
  DOLMEN_RETURN_IF_ERROR(CheckStatements(*statements));
  return simdjson::minify(policy);
}

// Stores a policy. An equal policy keeps its revision ID. Every other policy gets a higher one, which
// is the time in milliseconds if the clock has advanced.
void StorePolicy(std::string policy, Timestamp now, Map* stored) {
  if (TextIn(*stored, kPolicy) == policy) return;
  const Result<Number> former = Number::Parse(TextIn(*stored, kRevision));
  const std::int64_t former_revision = former ? former->ToInt64().value_or(0) : 0;
  std::string revision =
      std::to_string(std::max<std::int64_t>(now.time_since_epoch().count(), former_revision + 1));
  Set(kPolicy, std::move(policy), stored);
  Set(kRevision, std::move(revision), stored);
}

// Checks the revision that the request expects. `stored` is the current policy, or empty.
Status CheckRevision(const Context& context, const JsonObject& request, std::string_view table,
                     const Map& stored) {
  const std::string_view expected = StringMember(request, kExpectedRevision);
  const std::string current(TextIn(stored, kRevision));
  if (expected.empty() || expected == (current.empty() ? kNoPolicy : current)) return {};
  std::string text(kPolicyNotFoundText);
  if (current.empty()) {
    text.append(PolicyArnOf(request));
  } else if (expected == kNoPolicy) {
    text.append("Requested policy update expecting none to be present for table ")
        .append(table)
        .append(", but a policy exists with revision id " + current + ".");
  } else {
    text.append("Requested update for policy with revision id ")
        .append(expected)
        .append(", but the policy associated to target table ")
        .append(table)
        .append(" has revision id " + current + ".");
  }
  return Fail(context, kPolicyNotFound, std::move(text));
}

void WriteRevision(const std::string& revision, JsonWriter* response) {
  response->BeginObject();
  response->StringField(kRevision, revision);
  response->EndObject();
}

Status RunPutPolicy(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(CheckPolicyArn(PolicyArnOf(request)));
  DOLMEN_ASSIGN_OR_RETURN(std::string policy, ParsePolicy(StringMember(request, kPolicy)));
  const auto lock = LockSettings();
  DOLMEN_ASSIGN_OR_RETURN(const PolicyResource& resource,
                          FindPolicyResource(context, PolicyArnOf(request)));
  Map settings = SettingsOf(resource.table);
  Map& stored = MapToChange(&MapToChange(&settings, kPolicies), resource.name);
  DOLMEN_RETURN_IF_ERROR(CheckRevision(context, request, resource.table.name, stored));
  StorePolicy(std::move(policy), context.database.clock()->Now(), &stored);
  WriteRevision(std::string(TextIn(stored, kRevision)), response);
  return StoreSettings(context.database, resource.table, std::move(settings));
}

Status RunGetPolicy(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const PolicyResource& resource,
                          FindPolicyResource(context, PolicyArnOf(request)));
  const Map settings = SettingsOf(resource.table);
  const Map& stored = MapIn(MapIn(settings, kPolicies), resource.name);
  if (stored.empty()) {
    return Fail(context, kPolicyNotFound,
                std::string(kPolicyNotFoundText).append(PolicyArnOf(request)));
  }
  WritePlain(stored, response);
  return {};
}

Status RunDeletePolicy(const Context& context, const JsonObject& request, JsonWriter* response) {
  const auto lock = LockSettings();
  DOLMEN_ASSIGN_OR_RETURN(const PolicyResource& resource,
                          FindPolicyResource(context, PolicyArnOf(request)));
  Map settings = SettingsOf(resource.table);
  Map& policies = MapToChange(&settings, kPolicies);
  const Map& stored = MapIn(policies, resource.name);
  const std::string revision(TextIn(stored, kRevision));
  DOLMEN_RETURN_IF_ERROR(CheckRevision(context, request, resource.table.name, stored));
  if (revision.empty()) return {};
  WriteRevision(revision, response);
  Remove(resource.name, &policies);
  return StoreSettings(context.database, resource.table, std::move(settings));
}

}  // namespace

Status ReadResourcePolicy(const JsonObject& create_table, Timestamp now, Map* settings) {
  const std::optional<Json> text = Member(create_table, "ResourcePolicy");
  if (!text) return {};
  DOLMEN_ASSIGN_OR_RETURN(std::string policy, ParsePolicy(StringOf(*text)));
  StorePolicy(std::move(policy), now, &MapToChange(&MapToChange(settings, kPolicies), kOfTable));
  return {};
}

std::span<const Operation> ResourcePolicyOperations() {
  static constexpr Operation kOperations[] = {
      {"PutResourcePolicy", &kPutPolicyInput, RunPutPolicy},
      {"GetResourcePolicy", &kGetPolicyInput, RunGetPolicy},
      {"DeleteResourcePolicy", &kDeletePolicyInput, RunDeletePolicy},
  };
  return kOperations;
}

}  // namespace dolmen::wire
