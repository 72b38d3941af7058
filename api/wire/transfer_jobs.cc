#include "wire/transfer_jobs.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>

#include "dolmen/internal/status_macros.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Writes the members of the description that `members` names.
void WriteMembers(const JsonObject& description, std::span<const std::string_view> members,
                  JsonWriter* response) {
  response->BeginObject();
  for (const std::string_view name : members) {
    const std::optional<Json> value = Member(description, name);
    if (!value) continue;
    response->Key(name);
    response->Raw(simdjson::minify(*value));
  }
  response->EndObject();
}

}  // namespace

Result<Buckets*> BucketsOf(const Context& context) {
  if (context.buckets != nullptr) return context.buckets;
  return Status::Validation(
      "Exports and imports need a directory whose folders are the buckets: start the server with "
      "the option --buckets DIR");
}

Status CheckBucket(std::string_view bucket, std::string_view prefix) {
  const bool is_name = std::all_of(bucket.begin(), bucket.end(), [](char c) {
    return IsAlphanumeric(c) || c == '.' || c == '-' || c == '_';
  });
  if (bucket.empty() || !is_name || !IsAlphanumeric(bucket.front()) ||
      !IsAlphanumeric(bucket.back())) {
    return Status::Validation("Invalid S3Bucket: " + std::string(bucket));
  }
  for (std::string_view rest = prefix; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part == "." || part == "..") {
      return Status::Validation("Invalid prefix: a part is . or ..: " + std::string(prefix));
    }
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return {};
}

std::string NewJobId(const Context& context) {
  char id[40];
  std::snprintf(id, sizeof id, "%014lld-%08x",
                static_cast<long long>(context.database.clock()->Now().time_since_epoch().count()),
                std::random_device()());
  return id;
}

std::string JobArn(const Context& context, const JobKind& kind, std::string_view table,
                   std::string_view id) {
  return TableArn(context.place, table).append("/").append(kind.arn_part).append("/").append(id);
}

std::string_view JobIdOf(const JobKind& kind, std::string_view arn) {
  const std::string part = "/" + std::string(kind.arn_part) + "/";
  const std::size_t at = arn.find(part);
  if (at == arn.npos || !TableOfArn(arn.substr(0, at))) return {};
  const std::string_view id = arn.substr(at + part.size());
  return IsName(id) && IsAlphanumeric(id.front()) ? id : std::string_view();
}

Status SaveJob(Buckets* buckets, const JobKind& kind, std::string_view id, const Map& description) {
  std::string json;
  JsonWriter writer(&json);
  WritePlain(description, &writer);
  return buckets->Save(kind.folder, id, json);
}

void SetNoSuchBucket(std::string_view status, Map* description) {
  Set(status, "FAILED", description);
  Set("FailureCode", "S3NoSuchBucket", description);
  Set("FailureMessage", "The specified bucket does not exist", description);
}

Result<std::string> LoadJob(const Context& context, const JobKind& kind, std::string_view arn) {
  DOLMEN_ASSIGN_OR_RETURN(Buckets* const buckets, BucketsOf(context));
  return buckets->Load(kind.folder, JobIdOf(kind, arn));
}

Status WriteJobs(const Context& context, const JobKind& kind, std::string_view list,
                 std::span<const std::string_view> members, std::string_view table_arn,
                 std::size_t page_size, std::string_view token, JsonWriter* response) {
  std::vector<std::string> ids;
  if (context.buckets != nullptr) {
    DOLMEN_ASSIGN_OR_RETURN(ids, context.buckets->List(kind.folder));
  }
  response->BeginObject();
  response->Key(list);
  response->BeginArray();
  std::size_t count = 0;
  std::string last;
  bool more = false;
  simdjson::dom::parser parser;
  for (const std::string& id : ids) {
    if (!token.empty() && id >= token) continue;
    const Result<std::string> text = context.buckets->Load(kind.folder, id);
    Json json;
    if (!text.ok() || parser.parse(*text).get(json) != simdjson::SUCCESS) continue;
    if (!table_arn.empty() && StringMember(ObjectOf(json), "TableArn") != table_arn) continue;
    more = count == page_size;
    if (more) break;
    WriteMembers(ObjectOf(json), members, response);
    last = id;
    ++count;
  }
  response->EndArray();
  if (more) response->StringField("NextToken", last);
  response->EndObject();
  return {};
}

}  // namespace dolmen::wire
