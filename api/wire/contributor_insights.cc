#include "wire/contributor_insights.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/all_tables.h"
#include "wire/attribute_json.h"
#include "wire/heavy_hitters.h"
#include "wire/json_writer.h"
#include "wire/names.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

// A function that gets an item or a key of a request, and the name or the ARN of its table.
using VisitAttributes = std::function<void(std::string_view table, const JsonObject& attributes)>;

// Calls `visit` with the item or the key of a structure that has one.
void VisitItem(std::string_view table, const JsonObject& json, const VisitAttributes& visit) {
  for (const std::string_view name : {"Key", "Item"}) {
    if (const std::optional<Json> attributes = Member(json, name)) {
      visit(table, ObjectOf(*attributes));
    }
  }
}

// Visits {"Keys": [...]} of BatchGetItem, or [{"PutRequest": {"Item": ...}}, ...] of BatchWriteItem.
void VisitBatch(std::string_view table, const Json& batch, const VisitAttributes& visit) {
  if (batch.is_object()) {
    if (const std::optional<Json> keys = Member(ObjectOf(batch), "Keys")) {
      for (const Json key : ArrayOf(*keys)) visit(table, ObjectOf(key));
    }
  }
  for (const Json write : ArrayOf(batch)) {
    for (const auto& [kind, request] : EntriesOf(ObjectOf(write))) {
      VisitItem(table, ObjectOf(request), visit);
    }
  }
}

// Returns the first token of the text, and removes it from the text: a name, a placeholder, or a
// sequence of operators. Returns "" at the end.
std::string_view NextToken(std::string_view* text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '#' || c == ':' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto is_comparison = [](char c) { return c == '<' || c == '>' || c == '='; };
  const std::size_t begin = text->find_first_not_of(" \t\r\n");
  if (begin == text->npos) return {};
  text->remove_prefix(begin);
  std::size_t end = 1;
  for (const auto& belongs : {+is_word, +is_comparison}) {
    if (!belongs(text->front())) continue;
    while (end < text->size() && belongs((*text)[end])) ++end;
  }
  const std::string_view token = text->substr(0, end);
  text->remove_prefix(end);
  return token;
}

void AddValue(std::string_view name, const std::optional<Json>& json, Map* values) {
  AttributeValue value;
  if (!json || !ReadValue(*json, &value).ok()) return;
  values->insert_or_assign(std::string(name), std::move(value));
}

void AddExpression(const JsonObject& request, std::string_view expression, Map* values) {
  const auto member_of = [&](std::string_view map, std::string_view name) {
    const std::optional<Json> given = Member(request, map);
    return given ? Member(ObjectOf(*given), name) : std::nullopt;
  };
  std::array<std::string_view, 3> last;  // the last three tokens
  for (;;) {
    last = {last[1], last[2], NextToken(&expression)};
    if (last[2].empty()) return;
    if (last[1] != "=" || !last[2].starts_with(':')) continue;
    std::string_view name = last[0];
    if (name.starts_with('#')) {
      const std::optional<Json> given = member_of("ExpressionAttributeNames", name);
      name = given ? StringOf(*given) : std::string_view();
    }
    AddValue(name, member_of("ExpressionAttributeValues", last[2]), values);
  }
}

// Calls `visit` with each item and each key of a request, in the order of the request. The request is
// valid, and of any operation: a request without items makes no call. Statements of PartiQL and scans
// name no items. Also accepts the response to a batch, whose items are the unprocessed ones.
void VisitItems(const JsonObject& request, const VisitAttributes& visit) {
  VisitItem(StringMember(request, "TableName"), request, visit);
  for (const std::string_view name : {"RequestItems", "UnprocessedKeys", "UnprocessedItems"}) {
    const std::optional<Json> tables = Member(request, name);
    if (!tables) continue;
    for (const auto& [table, batch] : EntriesOf(ObjectOf(*tables))) {
      VisitBatch(table, batch, visit);
    }
  }
  const std::optional<Json> actions = Member(request, "TransactItems");
  if (!actions) return;
  for (const Json action : ArrayOf(*actions)) {
    for (const auto& [kind, part] : EntriesOf(ObjectOf(action))) {
      VisitItem(StringMember(ObjectOf(part), "TableName"), ObjectOf(part), visit);
    }
  }
}

// Returns the values that the key condition of a Query demands by "=", by the name of the attribute.
// Returns an empty map for the request of another operation. Ignores invalid values.
Map KeysOfQuery(const JsonObject& request) {
  Map values;
  AddExpression(request, StringMember(request, "KeyConditionExpression"), &values);
  const std::optional<Json> conditions = Member(request, "KeyConditions");
  if (!conditions) return values;
  for (const auto& [name, condition] : EntriesOf(ObjectOf(*conditions))) {
    const JsonObject json = ObjectOf(condition);
    const std::optional<Json> operands = Member(json, "AttributeValueList");
    if (!operands || StringMember(json, "ComparisonOperator") != "EQ") continue;
    for (const Json operand : ArrayOf(*operands)) AddValue(name, operand, &values);
  }
  return values;
}

std::vector<std::string> AttributeNamesOf(const std::vector<KeyAttribute>& key) {
  std::vector<std::string> names;
  for (const KeyAttribute& attribute : key) names.push_back(attribute.name);
  return names;
}

bool IsKeyType(AttributeType type) {
  return type == AttributeType::kS || type == AttributeType::kN || type == AttributeType::kB;
}

// An item or a key of a request, or the keys that the condition of a Query demands.
struct Access {
  std::string_view table;
  std::string_view index;          // of a Query; otherwise empty
  std::optional<JsonObject> item;  // nothing: a Query
  Map keys;                        // of a Query

  // Returns the attribute, or nothing if it is absent or has a type that a key cannot have.
  std::optional<AttributeValue> Find(const std::string& name) const {
    AttributeValue value;
    if (!item) {
      const auto key = keys.find(name);
      if (key == keys.end()) return std::nullopt;
      value = key->second;
    } else {
      const std::optional<Json> json = Member(*item, name);
      if (!json || !ReadValue(*json, &value).ok()) return std::nullopt;
    }
    return IsKeyType(value.type()) ? std::optional(std::move(value)) : std::nullopt;
  }
};

std::vector<Access> AccessesOf(const JsonObject& request) {
  std::vector<Access> accesses;
  VisitItems(request, [&](std::string_view table, const JsonObject& item) {
    accesses.push_back({TableNameOf(table), {}, item, {}});
  });
  Map keys = KeysOfQuery(request);
  if (!keys.empty()) {
    accesses.push_back({TableNameOf(StringMember(request, "TableName")),
                        StringMember(request, "IndexName"), std::nullopt, std::move(keys)});
  }
  return accesses;
}

// Adds the attributes with the names to `key`. Returns false if one is not that of a key.
bool AddKey(const std::vector<std::string>& names, const Access& access, Map* key) {
  for (const std::string& name : names) {
    std::optional<AttributeValue> value = access.Find(name);
    if (!value) return false;
    key->emplace(name, *std::move(value));
  }
  return true;
}

std::string TextOf(const Map& key) {
  std::string text;
  JsonWriter(&text).ItemAttributes(key);
  return text;
}

// The keys of an access as JSON. A text is empty if the access does not have the key.
struct AccessedKeys {
  std::string partition = {};
  std::string item = {};  // both keys; equals `partition` without a sort key
};

AccessedKeys AccessedKeysOf(const EnabledInsights& insights, const Access& access) {
  AccessedKeys keys;
  Map key;
  if (!AddKey(insights.partition_key, access, &key)) return keys;
  keys.partition = TextOf(key);
  if (insights.sort_key.empty()) {
    keys.item = keys.partition;
  } else if (AddKey(insights.sort_key, access, &key)) {
    keys.item = TextOf(key);
  }
  return keys;
}

bool IsThrottling(const Status& status) {
  return status.code() == StatusCode::kProvisionedThroughputExceeded ||
         status.code() == StatusCode::kThrottling ||
         status.code() == StatusCode::kRequestLimitExceeded;
}

// Returns true for an outcome that has read the items of the request.
bool HasAccessed(const Status& status) {
  return status.ok() || status.code() == StatusCode::kConditionalCheckFailed ||
         status.code() == StatusCode::kTransactionCanceled;
}

// Returns the outcome of the item at the position `i` of the request.
const Status& OutcomeOf(const Status& done, std::size_t i) {
  return i < done.reasons().size() && IsThrottling(done.reasons()[i]) ? done.reasons()[i] : done;
}

}  // namespace

const Map& InsightsOf(const Map& settings, std::string_view index) {
  return MapIn(index.empty() ? settings : MapIn(MapIn(settings, "Indexes"), index), kInsights);
}

bool IsEnabled(const Map& insights) { return insights.contains(kEnabledAt); }

std::string EnabledInsights::RuleName(std::string_view kind) const {
  return std::string("DynamoDBContributorInsights-")
      .append(kind)
      .append("-")
      .append(index.empty() ? table : index)
      .append("-")
      .append(std::to_string(IntegerIn(insights, kEnabledAt)));
}

std::vector<std::string_view> EnabledInsights::RuleKinds() const {
  std::vector<std::string_view> kinds = {"PKC", "PKT", "SKC", "SKT"};
  const bool only_throttled = TextIn(insights, kInsightsMode) == kThrottledKeysMode;
  std::erase_if(kinds, [&](std::string_view kind) {
    return (kind.front() == 'S' && sort_key.empty()) || (kind.back() == 'C' && only_throttled);
  });
  return kinds;
}

std::vector<EnabledInsights> EnabledInsightsOf(const TableDescription& table) {
  const Map settings = SettingsOf(table);
  std::vector<EnabledInsights> enabled;
  const auto add = [&](const std::string& index, std::vector<std::string> partition_key,
                       std::vector<std::string> sort_key) {
    const Map& insights = InsightsOf(settings, index);
    if (!IsEnabled(insights)) return;
    enabled.push_back({table.name, index, insights, table.created_at, std::move(partition_key),
                       std::move(sort_key)});
  };
  add({}, {table.partition_key.name},
      table.sort_key ? std::vector{table.sort_key->name} : std::vector<std::string>());
  std::map<std::string, const GlobalSecondaryIndex*> indexes;
  for (const auto& described : table.global_secondary_indexes) {
    indexes.emplace(described.index.name, &described.index);
  }
  for (const auto& [name, index] : indexes) {
    add(name, AttributeNamesOf(index->partition_key), AttributeNamesOf(index->sort_key));
  }
  return enabled;
}

// The counts of a table or an index.
struct ContributorInsights::Resource {
  EnabledInsights insights;
  Timestamp since;
  std::map<std::string_view, HeavyHitters> rules = {};  // by their kinds

  void Count(const AccessedKeys& keys, bool is_throttled) {
    for (auto& [kind, counts] : rules) {
      const std::string& key = kind.front() == 'P' ? keys.partition : keys.item;
      if ((kind.back() == 'T') == is_throttled && !key.empty()) counts.Add(key);
    }
  }

  void Write(JsonWriter* json) const {
    json->BeginObject();
    json->StringField("TableName", insights.table);
    if (!insights.index.empty()) json->StringField("IndexName", insights.index);
    json->StringField("Since", ToIso8601(since));
    json->Key("Rules");
    json->BeginArray();
    for (const auto& [kind, counts] : rules) {
      json->BeginObject();
      json->StringField("Name", insights.RuleName(kind));
      json->UnsignedField("Total", counts.total());
      json->Key("Contributors");
      json->BeginArray();
      for (const HeavyHitters::Entry& entry : counts.Top(kReportedMax)) {
        json->BeginObject();
        json->Key("Keys");
        json->Raw(entry.key);
        json->UnsignedField("Count", entry.count);
        json->UnsignedField("ErrorMax", entry.error);
        json->EndObject();
      }
      json->EndArray();
      json->EndObject();
    }
    json->EndArray();
    json->EndObject();
  }
};

ContributorInsights::ContributorInsights() = default;
ContributorInsights::~ContributorInsights() = default;

void ContributorInsights::Count(const Database& database, const JsonObject& request,
                                const Status& done, std::string_view response) {
  if (state_ == State::kUnknown) Reload(database);
  if (!may_count() || (!HasAccessed(done) && !IsThrottling(done))) return;
  const std::vector<Access> accesses = AccessesOf(request);
  if (accesses.empty()) return;
  std::vector<Access> unprocessed;
  simdjson::dom::parser parser;
  if (Member(request, "RequestItems") && response.find(R"("Unprocessed)") != response.npos) {
    const Result<Json> json = ParseJson(response, "the response", &parser);
    if (json.ok()) unprocessed = AccessesOf(ObjectOf(*json));
  }
  const MutexLock lock(mutex_);
  std::set<std::pair<const Resource*, std::string>> left;
  for (const Access& access : unprocessed) {
    const Resource* const resource = Find(access.table, access.index);
    if (resource != nullptr)
      left.emplace(resource, AccessedKeysOf(resource->insights, access).item);
  }
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    Resource* const resource = Find(accesses[i].table, accesses[i].index);
    if (resource == nullptr) continue;
    const AccessedKeys keys = AccessedKeysOf(resource->insights, accesses[i]);
    resource->Count(keys, IsThrottling(OutcomeOf(done, i)) || left.contains({resource, keys.item}));
  }
}

ContributorInsights::Resource* ContributorInsights::Find(std::string_view table,
                                                         std::string_view index) {
  for (const auto& resource : resources_) {
    if (resource->insights.table == table && resource->insights.index == index) {
      return resource.get();
    }
  }
  return nullptr;
}

void ContributorInsights::Reload(const Database& database) {
  const MutexLock lock(mutex_);
  LoadLocked(database);
}

void ContributorInsights::LoadLocked(const Database& database) {
  std::vector<EnabledInsights> enabled;
  const Status visited = VisitTables(database, [&](const Table& table) {
    const auto described = database.DescribeTable(table.name(), ContentSizes::kOmit);
    if (!described.ok()) return described.status();
    for (EnabledInsights& insights : EnabledInsightsOf(*described)) {
      enabled.push_back(std::move(insights));
    }
    return Status();
  });
  if (!visited.ok()) return;
  Resources loaded;
  for (EnabledInsights& insights : enabled) {
    Resource* const known = Find(insights.table, insights.index);
    auto resource = std::make_unique<Resource>(
        Resource{.insights = std::move(insights), .since = database.clock()->Now()});
    for (const std::string_view kind : resource->insights.RuleKinds()) {
      resource->rules.emplace(kind, kKeysMax);
    }
    // Keeps the counts of insights that stay enabled in the same way.
    if (known != nullptr && known->insights == resource->insights) std::swap(*resource, *known);
    loaded.push_back(std::move(resource));
  }
  resources_ = std::move(loaded);
  state_ = resources_.empty() ? State::kOff : State::kOn;
}

std::string ContributorInsights::Report(const Database& database) {
  const MutexLock lock(mutex_);
  LoadLocked(database);
  std::string text;
  JsonWriter json(&text);
  json.BeginArray();
  for (const auto& resource : resources_) resource->Write(&json);
  json.EndArray();
  return text;
}

}  // namespace dolmen::wire
