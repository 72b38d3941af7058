#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/all_tables.h"
#include "wire/contributor_insights.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kInsightsStatus = "ContributorInsightsStatus";
constexpr std::string_view kLastUpdate = "LastUpdateDateTime";
constexpr std::int64_t kInsightsPageMax = 100;

constexpr Enumeration kInsightsActionShape = {"ENABLE", "DISABLE"};
constexpr Enumeration kInsightsModeShape = {"ACCESSED_AND_THROTTLED_KEYS", kThrottledKeysMode};

constexpr Structure kUpdateInsightsInput = {{
    kManagedTableName,
    {"IndexName", &kIndexNameShape},
    {"ContributorInsightsAction", &kInsightsActionShape, true},
    {kInsightsMode, &kInsightsModeShape},
}};
constexpr Structure kDescribeInsightsInput = {{
    kManagedTableName,
    {"IndexName", &kNameOfAnyLengthShape},
}};
constexpr Shape kInsightsTableShape = {.range = {1, 1024}, .pattern = kNamePattern, .or_arn = true};
constexpr Shape kInsightsPageShape = {.kind = Kind::kInteger, .range = {.max = kInsightsPageMax}};
constexpr Structure kListInsightsInput = {{
    {"TableName", &kInsightsTableShape},
    {"NextToken", &kString},
    {"MaxResults", &kInsightsPageShape},
}};

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

Map& InsightsToChange(Map* settings, std::string_view index) {
  Map& resource = index.empty() ? *settings : MapToChange(&MapToChange(settings, "Indexes"), index);
  return MapToChange(&resource, kInsights);
}

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
        const std::string_view wanted = mode.empty() ? kInsightsModeShape.list[0] : mode;
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
  context.insights->Reload(context.database);
  response->BeginObject();
  WriteInsights(TableNameOf(StringMember(request, "TableName")), index, insights, response,
                !changes ? ""
                : enable ? "ENABLING"
                         : "DISABLING");
  response->EndObject();
  return {};
}

// Writes the names that CloudWatch's rules for the insights would have.
void WriteRules(const EnabledInsights& insights, JsonWriter* json) {
  json->Key("ContributorInsightsRuleList");
  json->BeginArray();
  for (const std::string_view kind : insights.RuleKinds()) json->String(insights.RuleName(kind));
  json->EndArray();
}

Status RunDescribeInsights(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  const std::string_view index = StringMember(request, "IndexName");
  if (!index.empty()) DOLMEN_RETURN_IF_ERROR(CheckNameLength("IndexName", index));
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
  DOLMEN_RETURN_IF_ERROR(CheckInsightsIndex(table, index));
  const Map settings = SettingsOf(table);
  const Map& insights = InsightsOf(settings, index);
  response->BeginObject();
  WriteInsights(table.name, index, insights, response);
  for (const EnabledInsights& enabled : EnabledInsightsOf(table)) {
    if (enabled.index == index) WriteRules(enabled, response);
  }
  const auto updated = insights.find(kLastUpdate);
  if (updated != insights.end()) {
    response->Key(kLastUpdate);
    WritePlain(updated->second, response);
  }
  response->EndObject();
  return {};
}

// Returns the token of a page that ends with these insights.
std::string TokenOf(const EnabledInsights& insights) {
  return insights.index.empty() ? insights.table : insights.table + "/" + insights.index;
}

// Returns the enabled insights of the table that the request names, or of all tables, in the order
// of their names. The summaries begin after the request's NextToken.
Result<std::vector<EnabledInsights>> FindInsights(const Context& context,
                                                  const JsonObject& request) {
  std::vector<EnabledInsights> summaries;
  if (Member(request, "TableName")) {
    DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
    summaries = EnabledInsightsOf(table);
  } else {
    DOLMEN_RETURN_IF_ERROR(VisitTables(context.database, [&](const Table& table) {
      const auto described = context.database.DescribeTable(table.name(), ContentSizes::kOmit);
      if (!described.ok()) return described.status();
      for (EnabledInsights& enabled : EnabledInsightsOf(*described)) {
        summaries.push_back(std::move(enabled));
      }
      return Status();
    }));
  }
  const std::string_view token = StringMember(request, "NextToken");
  const std::string_view table = token.substr(0, token.find('/'));
  const std::string_view index =
      table.size() < token.size() ? token.substr(table.size() + 1) : std::string_view();
  std::erase_if(summaries, [&](const EnabledInsights& summary) {
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
    response->StringField("NextToken", TokenOf(summaries[count - 1]));
  }
  response->EndObject();
  return {};
}

}  // namespace

std::span<const Operation> ContributorInsightsOperations() {
  static constexpr Operation kOperations[] = {
      {"UpdateContributorInsights", &kUpdateInsightsInput, RunUpdateInsights},
      {"DescribeContributorInsights", &kDescribeInsightsInput, RunDescribeInsights},
      {"ListContributorInsights", &kListInsightsInput, RunListInsights},
  };
  return kOperations;
}

}  // namespace dolmen::wire
