#include "wire/contributor_insights_operations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dolmen/internal/status_macros.h"
#include "wire/all_tables.h"
#include "wire/managed_table.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// The settings of a table or of a global index hold the member kInsights with the members kInsightsMode and
// LastUpdateDateTime. While the insights are enabled, kEnabledAt is the time in milliseconds at
// which they were enabled.
constexpr std::string_view kInsights = "ContributorInsights";
constexpr std::string_view kInsightsStatus = "ContributorInsightsStatus";
constexpr std::string_view kInsightsMode = "ContributorInsightsMode";
constexpr std::string_view kEnabledAt = "EnabledAtMilliseconds";
constexpr std::string_view kLastUpdate = "LastUpdateDateTime";
constexpr std::int64_t kInsightsPageMax = 100;

constexpr std::array<std::string_view, 2> kInsightsActions = {"ENABLE", "DISABLE"};
constexpr Shape kInsightsActionShape = {.values = kInsightsActions};
constexpr std::array<std::string_view, 2> kInsightsModes = {"ACCESSED_AND_THROTTLED_KEYS",
                                                            "THROTTLED_KEYS"};
constexpr Shape kInsightsModeShape = {.values = kInsightsModes};

constexpr std::array<MemberShape, 4> kUpdateInsightsMembers = {{
    kManagedTableName,
    {"IndexName", &kIndexNameShape},
    {"ContributorInsightsAction", &kInsightsActionShape, true},
    {kInsightsMode, &kInsightsModeShape},
}};
constexpr Shape kUpdateInsightsInput = {.kind = Kind::kStructure,
                                        .members = kUpdateInsightsMembers};
constexpr std::array<MemberShape, 2> kDescribeInsightsMembers = {{
    kManagedTableName,
    {"IndexName", &kIndexNameShape},
}};
constexpr Shape kDescribeInsightsInput = {.kind = Kind::kStructure,
                                          .members = kDescribeInsightsMembers};
constexpr Shape kInsightsTableShape = {.range = {1, 1024}, .pattern = kNamePattern, .or_arn = true};
constexpr Shape kInsightsPageShape = {.kind = Kind::kInteger, .range = {.max = kInsightsPageMax}};
constexpr std::array<MemberShape, 3> kListInsightsMembers = {{
    {"TableName", &kInsightsTableShape},
    {"NextToken", &kString},
    {"MaxResults", &kInsightsPageShape},
}};
constexpr Shape kListInsightsInput = {.kind = Kind::kStructure, .members = kListInsightsMembers};

// Checks that the table has the global index `index`. An empty name stands for the table itself.
Status CheckInsightsIndex(const TableDescription& table, std::string_view index) {
  const auto& indexes = table.global_secondary_indexes;
  if (index.empty() || std::any_of(indexes.begin(), indexes.end(), [&](const auto& described) {
        return described.index.name == index;
      })) {
    return {};
  }
  return Status::ResourceNotFound(
      std::string("Index: ").append(index).append(" not found for table: ").append(table.name));
}

const Map& InsightsOf(const Map& settings, std::string_view index) {
  return MapIn(index.empty() ? settings : MapIn(MapIn(settings, "Indexes"), index), kInsights);
}

Map& InsightsToChange(Map* settings, std::string_view index) {
  Map& resource = index.empty() ? *settings : MapToChange(&MapToChange(settings, "Indexes"), index);
  return MapToChange(&resource, kInsights);
}

bool IsEnabled(const Map& insights) { return insights.contains(kEnabledAt); }

// Writes the members that all responses about the insights of a table or an index have. An empty
// `status` stands for the current one.
void WriteInsights(std::string_view table, std::string_view index, const Map& insights,
                   JsonWriter* json, std::string_view status = {}) {
  json->StringField("TableName", table);
  if (!index.empty()) json->StringField("IndexName", index);
  const std::string_view current = IsEnabled(insights) ? "ENABLED" : "DISABLED";
  json->StringField(kInsightsStatus, status.empty() ? current : status);
  const std::string_view mode = TextIn(insights, kInsightsMode);
  if (!mode.empty()) json->StringField(kInsightsMode, mode);
}

Status RunUpdateInsights(const Context& context, const JsonObject& request, JsonWriter* response) {
  const std::string_view index = StringMember(request, "IndexName");
  const bool enable = StringMember(request, "ContributorInsightsAction") == "ENABLE";
  bool changes = false;
  Map insights;
  DOLMEN_RETURN_IF_ERROR(
      ChangeSettings(context, request, [&](const TableDescription& table, Map* settings) {
        DOLMEN_RETURN_IF_ERROR(CheckInsightsIndex(table, index));
        Map& stored = InsightsToChange(settings, index);
        const std::string_view mode = StringMember(request, kInsightsMode);
        const std::string_view wanted = mode.empty() ? kInsightsModes[0] : mode;
        changes = IsEnabled(stored) != enable || TextIn(stored, kInsightsMode) != wanted;
        const Timestamp now = context.database.clock()->Now();
        if (enable && !IsEnabled(stored)) Set(kEnabledAt, now.time_since_epoch().count(), &stored);
        if (!enable) Remove(kEnabledAt, &stored);
        if (enable || !mode.empty() || TextIn(stored, kInsightsMode).empty())
          Set(kInsightsMode, wanted, &stored);
        if (changes) SetTime(kLastUpdate, now, &stored);
        insights = stored;
        return Status();
      }));
  response->BeginObject();
  WriteInsights(TableNameOf(StringMember(request, "TableName")), index, insights, response,
                !changes ? ""
                : enable ? "ENABLING"
                         : "DISABLING");
  response->EndObject();
  return {};
}

// Writes the names that CloudWatch's rules for the insights would have. PKC and SKC rules count the
// most accessed keys, PKT and SKT rules the most throttled keys.
void WriteRules(const TableDescription& table, std::string_view index, const Map& insights,
                JsonWriter* json) {
  bool has_sort_key = table.sort_key.has_value();
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    if (described.index.name == index) has_sort_key = !described.index.sort_key.empty();
  }
  json->Key("ContributorInsightsRuleList");
  json->BeginArray();
  for (const std::string_view kind : {"PKC", "PKT", "SKC", "SKT"}) {
    if (kind.front() == 'S' && !has_sort_key) continue;
    if (kind.back() == 'C' && TextIn(insights, kInsightsMode) == "THROTTLED_KEYS") continue;
    json->String(std::string("DynamoDBContributorInsights-")
                     .append(kind)
                     .append("-")
                     .append(index.empty() ? table.name : index)
                     .append("-")
                     .append(std::to_string(IntegerIn(insights, kEnabledAt))));
  }
  json->EndArray();
}

Status RunDescribeInsights(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
  const std::string_view index = StringMember(request, "IndexName");
  DOLMEN_RETURN_IF_ERROR(CheckInsightsIndex(table, index));
  const Map settings = SettingsOf(table);
  const Map& insights = InsightsOf(settings, index);
  response->BeginObject();
  WriteInsights(table.name, index, insights, response);
  if (IsEnabled(insights)) WriteRules(table, index, insights, response);
  const auto updated = insights.find(kLastUpdate);
  if (updated != insights.end()) {
    response->Key(kLastUpdate);
    WritePlain(updated->second, response);
  }
  response->EndObject();
  return {};
}

// Enabled insights of a table, or of the index `index` of the table.
struct InsightsSummary {
  std::string table = {};
  std::string index = {};
  Map insights = {};

  // Returns the token of a page that ends with this summary.
  std::string Token() const { return index.empty() ? table : table + "/" + index; }
};

void AddInsights(const TableDescription& table, std::vector<InsightsSummary>* summaries) {
  const Map settings = SettingsOf(table);
  const auto add = [&](const std::string& index) {
    const Map& insights = InsightsOf(settings, index);
    if (IsEnabled(insights)) summaries->push_back({table.name, index, insights});
  };
  add({});
  std::vector<std::string> indexes;
  for (const auto& described : table.global_secondary_indexes) {
    indexes.push_back(described.index.name);
  }
  std::sort(indexes.begin(), indexes.end());
  for (const std::string& index : indexes) add(index);
}

// Returns the enabled insights of the table that the request names, or of all tables, in the order
// of their names. The summaries begin after the request's NextToken.
Result<std::vector<InsightsSummary>> FindInsights(const Context& context,
                                                  const JsonObject& request) {
  std::vector<InsightsSummary> summaries;
  if (Member(request, "TableName")) {
    DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
    AddInsights(table, &summaries);
  } else {
    DOLMEN_RETURN_IF_ERROR(VisitTables(context.database, [&](const Table& table) {
      const auto described = context.database.DescribeTable(table.name(), ContentSizes::kOmit);
      if (described.ok()) AddInsights(*described, &summaries);
      return described.status();
    }));
  }
  const std::string_view token = StringMember(request, "NextToken");
  const std::string_view table = token.substr(0, token.find('/'));
  const std::string_view index =
      table.size() < token.size() ? token.substr(table.size() + 1) : std::string_view();
  std::erase_if(summaries, [&](const InsightsSummary& summary) {
    return !token.empty() && std::tie(summary.table, summary.index) <= std::tie(table, index);
  });
  return summaries;
}

Status RunListInsights(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const auto& summaries, FindInsights(context, request));
  const std::int64_t wanted = IntegerMember(request, "MaxResults").value_or(kInsightsPageMax);
  const std::size_t count =
      std::min(summaries.size(), static_cast<std::size_t>(wanted > 0 ? wanted : kInsightsPageMax));
  response->BeginObject();
  response->Key("ContributorInsightsSummaries");
  response->BeginArray();
  for (std::size_t i = 0; i < count; ++i) {
    response->BeginObject();
    WriteInsights(summaries[i].table, summaries[i].index, summaries[i].insights, response);
    response->EndObject();
  }
  response->EndArray();
  if (count < summaries.size()) {
    response->StringField("NextToken", summaries[count - 1].Token());
  }
  response->EndObject();
  return {};
}

}  // namespace

const Operation kUpdateContributorInsights = {"UpdateContributorInsights", &kUpdateInsightsInput,
                                              RunUpdateInsights};
const Operation kDescribeContributorInsights = {"DescribeContributorInsights",
                                                &kDescribeInsightsInput, RunDescribeInsights};
const Operation kListContributorInsights = {"ListContributorInsights", &kListInsightsInput,
                                            RunListInsights};

}  // namespace dolmen::wire
