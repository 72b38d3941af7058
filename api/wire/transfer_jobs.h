// Exports, imports and bulk operations as jobs: their ARNs and their stored descriptions. A job ends
// before the response to the request that starts it, and this response shows the job in progress.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "wire/buckets.h"
#include "wire/operation.h"

namespace dolmen::wire {

// A kind of jobs.
struct JobKind {
  std::string_view folder;    // as in Buckets
  std::string_view arn_part;  // between the table and the ID: "export"
  std::string_view arn_name;  // the name of the member that holds the ARN: "ExportArn"
};

inline constexpr Shape kBucketShape = {.range = {1, 255}};
inline constexpr Shape kBucketPrefixShape = {.range = {0, 1024}};
inline constexpr Shape kJobArnShape = {.range = {37, 1024}};
inline constexpr Shape kJobsPageShape = {.kind = Shape::Kind::kInteger, .range = {1, 25}};

// Returns the buckets of the server.
// - kValidation: the server has no directory for buckets.
Result<Buckets*> BucketsOf(const Context& context);

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

// Stores the description.
Status SaveJob(Buckets* buckets, const JobKind& kind, std::string_view id, const Map& description);

// Adds to the description that the job has failed, because the bucket does not exist.
void SetNoSuchBucket(std::string_view status, Map* description);

// Returns the description of the job with this ARN as JSON.
// - kResourceNotFound, without DynamoDB's message: no such job exists.
Result<std::string> LoadJob(const Context& context, const JobKind& kind, std::string_view arn);

// Writes one page of the jobs, the newest first, as the member `list`: each job with the members
// `members` of its description. `table_arn` selects the jobs of a table; empty: all jobs.
// `page_size` is the largest number of jobs on the page. `token` is the NextToken of the page before.
Status WriteJobs(const Context& context, const JobKind& kind, std::string_view list,
                 std::span<const std::string_view> members, std::string_view table_arn,
                 std::size_t page_size, std::string_view token, JsonWriter* response);

}  // namespace dolmen::wire
