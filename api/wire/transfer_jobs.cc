#include "wire/transfer_jobs.h"

#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/java_text.h"
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

// The end of a job that has failed.
struct Failure {
  std::string_view code;
  std::string_view message;
};
constexpr Failure kServerEnded = {"InternalServerError",
                                  "The server ended before the job. Start the job again."};

void SetEnd(const JobKind& kind, std::string_view status, const Failure& failure,
            Map* description) {
  Set(kind.status, std::string(status), description);
  Set("FailureCode", std::string(failure.code), description);
  Set("FailureMessage", std::string(failure.message), description);
}

Status SaveJob(Buckets* buckets, const JobKind& kind, std::string_view id, const Map& description) {
  return buckets->Save(kind.folder, id, JsonOf(description));
}

// Returns the description of a job as JSON.
// - kResourceNotFound: no such job exists.
Result<std::string> LoadJobWithId(const Context& context, const JobKind& kind,
                                  std::string_view id) {
  if (const std::optional<Map> running = context.jobs.Find(id)) return JsonOf(*running);
  return context.buckets->Load(kind.folder, id);
}

constexpr std::string_view kTokens = "tokens";
constexpr std::chrono::hours kTokenAge(8);

std::unique_lock<std::mutex> LockTokens() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

// Returns true if NewJobId can return the text.
bool IsJobId(std::string_view text) {
  return text.size() == 23 && text.find_first_not_of("0123456789") == 14 && text[14] == '-' &&
         text.find_first_not_of("0123456789abcdef", 15) == text.npos;
}

}  // namespace

Result<std::shared_ptr<Buckets>> BucketsOf(const Context& context) {
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

Status StartJob(const Context& context, const JobKind& kind, const std::string& id,
                const Map& description, TransferWork work) {
  return context.jobs.Start(
      id, description,
      [buckets = context.buckets, clock = context.database.clock(), kind, id, description,
       work = std::move(work)](Job& job) -> Status {
        Map unfinished = description;
        SetEnd(kind, "FAILED", kServerEnded, &unfinished);
        DOLMEN_RETURN_IF_ERROR(SaveJob(buckets.get(), kind, id, unfinished));
        Map done = description;
        const Status worked = work(&job, &done);
        if (job.was_stopped() && job.is_cancelled()) {
          SetEnd(kind, "CANCELLED", {"Cancelled", "The operation was cancelled."}, &done);
        } else if (job.was_stopped()) {
          SetEnd(kind, "FAILED", kServerEnded, &done);
        } else if (!worked.ok()) {
          SetEnd(kind, "FAILED", {kServerEnded.code, worked.message()}, &done);
        }
        SetTime("EndTime", clock->Now(), &done);
        return SaveJob(buckets.get(), kind, id, done);
      });
}

void SetNoSuchBucket(const JobKind& kind, Map* description) {
  SetEnd(kind, "FAILED", {"S3NoSuchBucket", "The specified bucket does not exist"}, description);
}

TransferWork PutItemsWork(const Context& context, const JobKind& kind, const std::string& table,
                          ImportSource source, void (*describe)(const ImportedItems&, Map*)) {
  return [database = context.database, buckets = context.buckets, kind, table,
          source = std::move(source), describe](Job* job, Map* description) -> Status {
    if (!buckets->Exists(source.bucket)) {
      SetNoSuchBucket(kind, description);
      return {};
    }
    const Result<Table> opened = database.OpenTable(table);
    if (!opened.ok()) return opened.status();
    DOLMEN_ASSIGN_OR_RETURN(
        const ImportedItems& put,
        buckets->Import(database, *opened, source, [job] { return job->Proceed(); }));
    describe(put, description);
    return {};
  };
}

ClientToken::ClientToken(const Context& context, const JobKind& kind, const Shape& input,
                         const JsonObject& request)
    : context_(context), kind_(kind) {
  const std::string_view token = StringMember(request, "ClientToken");
  if (token.empty()) return;
  lock_ = LockTokens();
  const std::string name = std::string(kind.folder).append("/").append(token);
  const XXH128_hash_t hash = XXH3_128bits(name.data(), name.size());
  char key[40];
  std::snprintf(key, sizeof key, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  key_ = key;
  request_ = JsonOf(PlainOf(input, request));
}

Result<std::string> ClientToken::FindJob() const {
  if (!lock_) return std::string();
  const Result<std::string> text = context_.buckets->Load(kTokens, key_);
  if (text.status().code() == StatusCode::kResourceNotFound) return std::string();
  if (!text.ok()) return text.status();
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const Json json, ParseJson(*text, "the token", &parser));
  const JsonObject saved = ObjectOf(json);
  const std::optional<Timestamp> time = TimeMember(saved, "Time");
  if (!time || *time + kTokenAge < context_.database.clock()->Now()) return std::string();
  if (StringMember(saved, "Request") != request_) {
    return Fail(context_, kind_.conflict, std::string(kind_.conflict_message));
  }
  const Result<std::string> job = LoadJobWithId(context_, kind_, StringMember(saved, "Id"));
  return job.status().code() == StatusCode::kResourceNotFound ? Result<std::string>(std::string())
                                                              : job;
}

Status ClientToken::Save(std::string_view id) const {
  if (!lock_) return {};
  Map saved = {{"Id", std::string(id)}, {"Request", request_}};
  SetTime("Time", context_.database.clock()->Now(), &saved);
  return context_.buckets->Save(kTokens, key_, JsonOf(saved));
}

Status WriteJob(const JobKind& kind, std::string_view json, JsonWriter* response) {
  response->BeginObject();
  response->Key(kind.description);
  response->Raw(json);
  response->EndObject();
  return {};
}

Result<std::string> LoadJob(const Context& context, const JobKind& kind, std::string_view arn) {
  DOLMEN_RETURN_IF_ERROR(BucketsOf(context).status());
  return LoadJobWithId(context, kind, JobIdOf(kind, arn));
}

Status WriteJobs(const Context& context, const JobKind& kind, std::string_view list,
                 std::span<const std::string_view> members, std::string_view table_arn,
                 std::size_t page_size, std::string_view token, JsonWriter* response) {
  if (!token.empty() && !IsJobId(token)) {
    return Status::Validation(
        std::string("Invalid Request: Provided nextToken is invalid: ").append(Truncated(token)));
  }
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
    const Result<std::string> text = LoadJobWithId(context, kind, id);
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
