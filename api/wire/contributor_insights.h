// Contributor insights: the settings of tables and of global indexes, and the counts of the keys that
// requests access.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "wire/json.h"

namespace dolmen::wire {

// The settings of a table or of a global index hold the member kInsights with the members kInsightsMode and
// LastUpdateDateTime. While the insights are enabled, kEnabledAt is the time in milliseconds at
// which they were enabled.
inline constexpr std::string_view kInsights = "ContributorInsights";
inline constexpr std::string_view kInsightsMode = "ContributorInsightsMode";
inline constexpr std::string_view kEnabledAt = "EnabledAtMilliseconds";
inline constexpr std::string_view kThrottledKeysMode = "THROTTLED_KEYS";

// Returns the insights of the table, or of its index, in the settings. An empty name stands for the
// table itself.
const Map& InsightsOf(const Map& settings, std::string_view index);
// Returns true if these insights are enabled.
bool IsEnabled(const Map& insights);

// The enabled insights of a table, or of a global index of the table.
struct EnabledInsights {
  std::string table = {};
  std::string index = {};  // empty: the table itself
  Map insights = {};
  Timestamp table_created_at = {};
  std::vector<std::string> partition_key = {};  // the names of the attributes
  std::vector<std::string> sort_key = {};       // empty: no sort key

  // Returns the name that CloudWatch's rule of a kind would have. A rule of the kind PKC or SKC counts
  // accesses, of PKT or SKT throttled accesses; by the partition key, or by both keys.
  std::string RuleName(std::string_view kind) const;
  // Returns the kinds of the rules that the insights have.
  std::vector<std::string_view> RuleKinds() const;

  friend bool operator==(const EnabledInsights&, const EnabledInsights&) = default;
};

// Returns the enabled insights of the table, and then those of its indexes in the order of their names.
std::vector<EnabledInsights> EnabledInsightsOf(const TableDescription& table);

// The counts of the accesses to the tables and indexes of one database whose insights are enabled, since
// the enabling or since the construction of the object. Thread-safe.
//
// The object is a part of the endpoint, because only the endpoint's operations enable insights, and
// because each request has its keys there as JSON. While no insights are enabled, a request costs one
// relaxed load of an atomic.
class ContributorInsights {
 public:
  // The number of keys that each rule counts. The error of a count is at most the number of all counted
  // accesses, divided by this number.
  static constexpr std::size_t kKeysMax = 1000;
  // The number of keys in a report, as in CloudWatch.
  static constexpr std::size_t kReportedMax = 100;

  ContributorInsights();
  ~ContributorInsights();

  // Returns false if Count would count nothing.
  bool may_count() const { return state_.load(std::memory_order_relaxed) != State::kOff; }

  // Counts the keys of an executed request. `done` is its outcome, `response` the body of a success.
  // Counts the items of a request that succeeded or whose condition was false, and for a Query the keys
  // that its key condition names. If the request was throttled, counts these keys as throttled, and so
  // counts the items that a batch has not processed.
  void Count(const Database& database, const JsonObject& request, const Status& done,
             std::string_view response) DOLMEN_EXCLUDES(mutex_);

  // Reads the settings of all tables again, because insights were enabled or disabled.
  void Reload(const Database& database) DOLMEN_EXCLUDES(mutex_);

  // Returns the keys with the greatest counts as a JSON array, which api/wire/README.md describes.
  std::string Report(const Database& database) DOLMEN_EXCLUDES(mutex_);

 private:
  enum class State : std::uint8_t { kUnknown, kOff, kOn };
  struct Resource;
  using Resources = std::vector<std::unique_ptr<Resource>>;

  // Returns the resource with the enabled insights, or null.
  Resource* Find(std::string_view table, std::string_view index) DOLMEN_REQUIRES(mutex_);
  void LoadLocked(const Database& database) DOLMEN_REQUIRES(mutex_);

  std::atomic<State> state_ = State::kUnknown;
  Mutex mutex_;
  Resources resources_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::wire
