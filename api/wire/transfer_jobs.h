// Exports, imports and bulk operations as jobs: their ARNs, their tokens and their descriptions. The
// response to the request that starts a job shows the job in progress.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "wire/buckets.h"
#include "wire/jobs.h"
#include "wire/operation.h"

namespace dolmen::wire {

// A kind of jobs.
struct JobKind {
  std::string_view folder;       // as in Buckets
  std::string_view arn_part;     // between the table and the ID: "export"
  std::string_view arn_name;     // the name of the member that holds the ARN: "ExportArn"
  std::string_view status;       // the name of the member that holds the status: "ExportStatus"
  std::string_view description;  // the name of the member of responses: "ExportDescription"
  // The exception of a request that repeats a ClientToken with other parameters, and its message.
  std::string_view conflict;
  std::string_view conflict_message;
};

inline constexpr Shape kBucketShape = {.range = {1, 255}};
inline constexpr Shape kBucketPrefixShape = {.range = {0, 1024}};
inline constexpr Shape kJobArnShape = {.range = {37, 1024}};
inline constexpr Shape kJobsPageShape = {.kind = Shape::Kind::kInteger, .range = {1, 25}};

// Returns the buckets of the server.
// - kValidation: the server has no directory for buckets.
Result<std::shared_ptr<Buckets>> BucketsOf(const Context& context);

// Checks a bucket's name and a prefix.
// - kValidation: the name is invalid for a bucket, or a part of the prefix is "." or "..".
Status CheckBucket(std::string_view bucket, std::string_view prefix);

// Returns the ID of a new job that starts now: its time and random digits.
std::string NewJobId(const Context& context);

// Returns the ARN of the job of a table.
std::string JobArn(const Context& context, const JobKind& kind, std::string_view table,
                   std::string_view id);

// Returns the ID in the ARN of a job, or "" for any other text.
std::string_view JobIdOf(const JobKind& kind, std::string_view arn);

// The function that does the work of a job. Adds the outcome to the description, which has the status
// IN_PROGRESS. After an error the job has the status FAILED, with the error's message.
using TransferWork = std::function<Status(Job* job, Map* description)>;

// Starts a job (Jobs::Start). `description` has the status IN_PROGRESS. Until the job has ended, the
// stored description says that the server ended before the job. A job that must end is FAILED or, after
// Jobs::Cancel, CANCELLED.
// - The errors of Jobs::Start.
// - kStorage: the description cannot be stored.
Status StartJob(const Context& context, const JobKind& kind, const std::string& id,
                const Map& description, TransferWork work);

// Adds to the description that the job has failed, because the bucket does not exist.
void SetNoSuchBucket(const JobKind& kind, Map* description);

// Returns the work that puts the items of a bucket into the table. `describe` adds the result to the
// description.
TransferWork PutItemsWork(const Context& context, const JobKind& kind, const std::string& table,
                          ImportSource source, void (*describe)(const ImportedItems&, Map*));

// The ClientToken of a request that starts a job. The lock makes a request with the same token wait.
class ClientToken {
 public:
  // `input` is the shape of the request.
  ClientToken(const Context& context, const JobKind& kind, const Shape& input,
              const JsonObject& request);

  // Returns the description of the job that an earlier request with this token has started within
  // the last 8 hours, as JSON. Returns "" if no such job exists, or the request has no token.
  // - kind.conflict: the earlier request had other parameters.
  Result<std::string> FindJob() const;
  // Stores that the job with the ID has the token.
  Status Save(std::string_view id) const;

 private:
  const Context& context_;
  const JobKind& kind_;
  std::unique_lock<std::mutex> lock_;  // empty: the request has no token
  std::string key_;                    // the name of the stored token
  std::string request_;                // the parameters
};

// Writes a response that describes a job, from its description as JSON.
Status WriteJob(const JobKind& kind, std::string_view json, JsonWriter* response);

// Returns the description of the job with this ARN as JSON.
// - kResourceNotFound, without DynamoDB's message: no such job exists.
Result<std::string> LoadJob(const Context& context, const JobKind& kind, std::string_view arn);

// Writes one page of the jobs, the newest first, as the member `list`: each job with the members
// `members` of its description. `table_arn` selects the jobs of a table; empty: all jobs.
// `page_size` is the largest number of jobs on the page. `token` is the NextToken of the page before.
// - kValidation: no page has the token.
Status WriteJobs(const Context& context, const JobKind& kind, std::string_view list,
                 std::span<const std::string_view> members, std::string_view table_arn,
                 std::size_t page_size, std::string_view token, JsonWriter* response);

}  // namespace dolmen::wire
