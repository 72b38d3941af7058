#include "dolmen/entity/query_planner.h"

#include <algorithm>
#include <memory>

#include "dolmen/entity/item.h"
#include "engine/base/status_macros.h"
#include "entity/cursor.h"

namespace dolmen::entity {
namespace {

// A zero byte. A text followed by a zero byte is the next text in byte order.
constexpr std::string_view kNextTextSuffix("\0", 1);

std::string CommonPrefix(const std::string& a, const std::string& b) {
  return {a.begin(), std::ranges::mismatch(a, b).in1};
}

// Returns the character before `character` in the order of Unicode, which is the order of their
// bytes in UTF-8. REQUIRES: `character` is one character in UTF-8, and not a zero byte
std::string CharacterBefore(std::string character) {
  // The least characters of 2, 3 and 4 bytes, and the first one after the surrogates.
  if (character == "\xC2\x80") return "\x7F";
  if (character == "\xE0\xA0\x80") return "\xDF\xBF";
  if (character == "\xEE\x80\x80") return "\xED\x9F\xBF";
  if (character == "\xF0\x90\x80\x80") return "\xEF\xBF\xBF";
  // Counts down like a number whose last digits run from 0x80 to 0xBF.
  std::size_t digit = character.size() - 1;
  for (; character[digit] == '\x80'; --digit) character[digit] = '\xBF';
  --character[digit];
  return character;
}

// Returns true if the text ends with a character that is neither a letter nor a digit of ASCII.
bool EndsWithSeparator(const std::string& text) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  return !text.empty() && !is_letter_or_digit(text.back());
}

// Returns the greatest text that is less than `text`: the character before the last one, followed by
// kLastCharacter. REQUIRES: `text` is UTF-8 and not empty
std::string LastTextBefore(std::string text) {
  std::size_t begin = text.size() - 1;
  while ((static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  const std::string last = text.substr(begin);
  text.resize(begin);
  if (last == std::string_view("\0", 1)) return text;
  return text.append(CharacterBefore(last)).append(kLastCharacter);
}

// Returns the name of the segment's attribute. REQUIRES: the segment has an attribute
std::string_view NameOf(const EntitySpec& entity, const KeySegment& segment) {
  return entity.attributes[static_cast<std::size_t>(segment.attribute)].name;
}

QueryRange RangeOf(std::vector<AttributeValue> partitions, std::optional<SortKeyCondition> sort) {
  if (partitions.size() > 1) return Partitions(std::move(partitions), std::move(sort));
  return Partition(std::move(partitions.front()), std::move(sort));
}

Status NotInIndex(const EntitySpec& entity, const std::string& index) {
  return Status::Validation(std::string(entity.name) + " has no key in " + index);
}

}  // namespace

// A source of values for the parts of an entity's key: the values that the query sets. An attribute
// of the entity gets the value that is set for its name.
class QueryPlanner::GivenPartValues : public PartValues {
 public:
  GivenPartValues(const EntitySpec& entity, const std::vector<NamedValue>& given,
                  const NamedValue* each)
      : entity_(entity), given_(given), each_(each) {}

  Result<bool> Get(std::size_t attribute, AttributeValue* value) const override {
    const std::string_view name = entity_.attributes[attribute].name;
    if (each_ != nullptr && each_->first == name) {
      *value = each_->second;
      return true;
    }
    const auto found = std::ranges::find(given_, name, &NamedValue::first);
    if (found == given_.end()) return false;
    *value = found->second;
    return true;
  }

 private:
  const EntitySpec& entity_;
  const std::vector<NamedValue>& given_;
  const NamedValue* each_;
};

QueryPlanner::QueryPlanner(std::string index, std::initializer_list<const EntitySpec*> entities)
    : index_(std::move(index)), matcher_(std::move(entities)) {
  for (const EntitySpec* entity : this->entities()) {
    if (status_.ok() && entity->FindKey(index_) == nullptr) status_ = NotInIndex(*entity, index_);
  }
}

QueryPlanner::QueryPlanner(const QueryPlanner& other) = default;
QueryPlanner::QueryPlanner(QueryPlanner&& other) noexcept = default;
QueryPlanner& QueryPlanner::operator=(const QueryPlanner& other) = default;
QueryPlanner& QueryPlanner::operator=(QueryPlanner&& other) noexcept = default;
QueryPlanner::~QueryPlanner() = default;

void QueryPlanner::set_filter(FilterExpression filter) { filter_ = std::move(filter); }

void QueryPlanner::Record(std::string_view attribute, const Status& error) {
  if (status_.ok() && !error.ok()) {
    status_ = InvalidAttribute(*entities().front(), attribute, error.message());
  }
}

std::optional<AttributeValue> QueryPlanner::Encode(const AttributeSpec& attribute,
                                                   const void* value) {
  Status status = Status::Validation("is not given");
  AttributeValue encoded;
  if (attribute.is_present(value)) status = attribute.encode(value, &encoded);
  Record(attribute.name, status);
  if (!status.ok()) return std::nullopt;
  return encoded;
}

void QueryPlanner::SetPart(const AttributeSpec& attribute, const void* value) {
  auto encoded = Encode(attribute, value);
  if (encoded) given_.emplace_back(attribute.name, *std::move(encoded));
}

void QueryPlanner::SetPartToEach(const AttributeSpec& attribute, std::size_t count) {
  if (count == 0) Record(attribute.name, Status::Validation("is not given"));
  each_.emplace(attribute.name, std::vector<AttributeValue>());
}

void QueryPlanner::AddToEach(const AttributeSpec& attribute, const void* value) {
  auto encoded = Encode(attribute, value);
  if (encoded) each_->second.push_back(*std::move(encoded));
}

void QueryPlanner::AddBounds(const AttributeSpec& attribute, const void* lower, const void* upper,
                             bool is_open) {
  if (!bounds_) bounds_ = {.attribute = attribute.name};
  if (attribute.name != bounds_->attribute) {
    Record(attribute.name, Status::Validation("cannot have a range, because a different attribute "
                                              "has a range"));
  }
  if (lower != nullptr) {
    bounds_->lower = Encode(attribute, lower);
    bounds_->after = is_open;
  }
  if (upper != nullptr) {
    bounds_->upper = Encode(attribute, upper);
    bounds_->before = is_open;
  }
}

void QueryPlanner::Project(std::size_t entity, std::size_t attribute) {
  projected_.resize(entities().size());
  auto& shared = projected_[entity];
  auto projected = shared != nullptr ? std::make_shared<ProjectedEntity>(*shared)
                                     : std::make_shared<ProjectedEntity>(*entities()[entity]);
  projected->Add(attribute);
  matcher_.Replace(entity, &projected->spec());
  shared = std::move(projected);
}

Result<std::string> QueryPlanner::PartitionKey(const EntitySpec& entity,
                                               const NamedValue* each) const {
  const KeyTemplate& key = KeyOf(entity).partition;
  std::string text;
  DOLMEN_ASSIGN_OR_RETURN(const std::size_t count,
                          RenderKey(entity, key, GivenPartValues(entity, given_, each), &text));
  if (count == key.count) return text;
  const auto missing = static_cast<std::size_t>(key.segments[count].attribute);
  return InvalidAttribute(entity, entity.attributes[missing].name,
                          "is part of the partition key, but is not given");
}

Result<std::vector<AttributeValue>> QueryPlanner::PartitionKeys(const EntitySpec& entity) const {
  std::vector<AttributeValue> partitions;
  if (!each_) {
    DOLMEN_ASSIGN_OR_RETURN(std::string text, PartitionKey(entity, nullptr));
    partitions.emplace_back(std::move(text));
    return partitions;
  }
  for (const AttributeValue& value : each_->second) {
    const NamedValue each = {each_->first, value};
    DOLMEN_ASSIGN_OR_RETURN(std::string text, PartitionKey(entity, &each));
    partitions.emplace_back(std::move(text));
  }
  return partitions;
}

Result<SortKeyCondition> QueryPlanner::BoundedSortCondition(const EntitySpec& entity,
                                                            const KeyTemplate& key) const {
  std::string prefix;
  const Result<std::size_t> count =
      RenderKey(entity, key, GivenPartValues(entity, given_, nullptr), &prefix);
  if (!count.ok()) return count.status();
  const KeySegment* segment = *count < key.count ? &key.segments[*count] : nullptr;
  if (segment == nullptr || NameOf(entity, *segment) != bounds_->attribute) {
    return InvalidAttribute(
        entity, bounds_->attribute,
        "cannot have a range, because it is not the first part of the sort key without a value");
  }
  DOLMEN_RETURN_IF_ERROR(CheckNoPartAfter(entity, key, *count));
  DOLMEN_RETURN_IF_ERROR(CheckBounds(entity, key, *segment));
  // A suffix for the text of a bound. The text with the suffix sorts after all keys that contain
  // the value of the bound. The suffix is the literal that follows the bounded part, and
  // kLastCharacter. The last part of a key has no literal after it, and needs no suffix.
  const bool is_last = segment + 1 == key.end();
  const std::string all_that_have_it =
      is_last ? std::string() : std::string(segment[1].literal).append(kLastCharacter);
  std::string lower = prefix;
  std::string upper = prefix;
  if (bounds_->lower) {
    DOLMEN_RETURN_IF_ERROR(RenderPart(entity, key, *segment, *bounds_->lower, &lower));
    if (bounds_->after) lower += is_last ? std::string(kNextTextSuffix) : all_that_have_it;
  }
  if (bounds_->upper) {
    DOLMEN_RETURN_IF_ERROR(RenderPart(entity, key, *segment, *bounds_->upper, &upper));
    if (!bounds_->before) {
      upper += all_that_have_it;
    } else if (is_last) {
      upper = LastTextBefore(upper);
    }  // otherwise a literal follows the value, so every key that has the value is greater
  } else {
    upper += kLastCharacter;
  }
  return lower.empty() ? dolmen::LessOrEqual(upper) : dolmen::Between(lower, upper);
}

Status QueryPlanner::CheckBounds(const EntitySpec& entity, const KeyTemplate& key,
                                 const KeySegment& segment) const {
  const AttributeSpec& attribute = entity.attributes[static_cast<std::size_t>(segment.attribute)];
  std::string message;
  if (attribute.part_kind == PartKind::kInteger && segment.format != PartFormat::kPadded) {
    message = "is not padded in its key, so a range is not possible: declare it as {name:04}";
  } else if (attribute.part_kind == PartKind::kText && &segment + 1 != key.end() &&
             (bounds_->upper || bounds_->after)) {
    // In the key, a literal such as "#" follows the text. A blank sorts before "#", so the key
    // "Santo Andre#" sorts before the key "Santo#", but the text "Santo" sorts before the text
    // "Santo Andre". A range of keys with the upper end "Santo#" would contain "Santo Andre#", so
    // an upper bound is not possible.
    message = "is a text before other parts of the key, so a range can only have AtLeast";
  }
  return message.empty() ? Status() : InvalidAttribute(entity, attribute.name, message);
}

Status QueryPlanner::CheckNoPartAfter(const EntitySpec& entity, const KeyTemplate& key,
                                      std::size_t count) const {
  for (std::size_t i = count + 1; i < key.count; ++i) {
    if (key.segments[i].attribute == KeySegment::kNoAttribute) continue;
    if (!IsGiven(NameOf(entity, key.segments[i]))) continue;
    return InvalidAttribute(entity, NameOf(entity, key.segments[count]),
                            "is part of the sort key and is not given, but a later part is given");
  }
  return {};
}

Result<std::optional<SortKeyCondition>> QueryPlanner::SortCondition() const {
  if (bounds_) {
    if (entities().size() > 1)
      return Status::Validation(
          "A query with a range takes one entity: query each entity separately");
    Result<SortKeyCondition> sort =
        BoundedSortCondition(*entities()[0], KeyOf(*entities()[0]).sort);
    if (!sort.ok()) return sort.status();
    return std::optional<SortKeyCondition>(*std::move(sort));
  }
  std::string prefix;
  std::string first;                 // the least text with which a key of any entity begins
  std::string last;                  // the greatest text of a key of any entity
  std::optional<std::string> whole;  // the shortest complete key of an entity
  for (const EntitySpec* entity : entities()) {
    const KeyTemplate& key = KeyOf(*entity).sort;
    std::string text;
    const Result<std::size_t> count =
        RenderKey(*entity, key, GivenPartValues(*entity, given_, nullptr), &text);
    if (!count.ok()) return count.status();
    DOLMEN_RETURN_IF_ERROR(CheckNoPartAfter(*entity, key, *count));
    const bool is_front = entity == entities().front();
    prefix = is_front ? text : CommonPrefix(prefix, text);
    first = is_front ? text : std::min(first, text);
    if (*count == key.count && (!whole || text.size() < whole->size())) whole = text;
    last = std::max(last, *count == key.count ? text : text.append(kLastCharacter));
  }
  if (first.empty()) return std::optional<SortKeyCondition>();  // the whole partition
  // A common prefix that does not end with a separator is accidental: ROOM# and ROLE# share "RO".
  // Keys of entities that are not queried may begin with RO, too. The query therefore reads the
  // range from the first to the last key instead.
  if (entities().size() > 1 && whole != prefix && !EndsWithSeparator(prefix)) {
    return std::optional<SortKeyCondition>(dolmen::Between(first, last));
  }
  // Does not use begins_with if the prefix is the whole sort key of an entity: for the key m1,
  // begins_with would also find the entity with the key m10. Reads instead all keys between the
  // entity's key and the last key of the items below this entity.
  if (whole != prefix) return std::optional<SortKeyCondition>(dolmen::BeginsWith(prefix));
  return std::optional<SortKeyCondition>(last == prefix ? dolmen::Equal(prefix)
                                                        : dolmen::Between(prefix, last));
}

bool QueryPlanner::IsGiven(std::string_view name) const {
  return std::ranges::find(given_, name, &NamedValue::first) != given_.end();
}

Status QueryPlanner::CheckGivenParts() const {
  if (each_) {
    const bool is_known = std::ranges::any_of(entities(), [&](const EntitySpec* entity) {
      const KeyTemplate& key = KeyOf(*entity).partition;
      return std::ranges::any_of(key, [&](const KeySegment& segment) {
        return segment.attribute != KeySegment::kNoAttribute &&
               NameOf(*entity, segment) == each_->first;
      });
    });
    if (!is_known) {
      return InvalidAttribute(*entities().front(), each_->first,
                              "is not part of the partition key");
    }
  }
  for (const auto& [name, value] : given_) {
    for (const EntitySpec* entity : entities()) {
      const auto found = std::ranges::find(entity->attributes, name, &AttributeSpec::name);
      const auto position = static_cast<std::size_t>(found - entity->attributes.begin());
      if (found != entity->attributes.end() && KeyOf(*entity).HasPart(position)) continue;
      return InvalidAttribute(*entity, name, "is not part of the queried key");
    }
  }
  return {};
}

Result<QueryInput> QueryPlanner::Plan() const {
  if (!status_.ok()) return status_;
  DOLMEN_RETURN_IF_ERROR(CheckGivenParts());
  Result<std::vector<AttributeValue>> partitions = PartitionKeys(*entities().front());
  if (!partitions.ok()) return partitions.status();
  for (const EntitySpec* entity : entities()) {
    DOLMEN_ASSIGN_OR_RETURN(const std::vector<AttributeValue>& others, PartitionKeys(*entity));
    if (others == *partitions) continue;
    return Status::Validation(std::string(entity->name) + " and " +
                              std::string(entities().front()->name) +
                              " are not in the same partition");
  }
  DOLMEN_ASSIGN_OR_RETURN(std::optional<SortKeyCondition> sort, SortCondition());
  QueryInput input = {.index = index_,
                      .key_condition = RangeOf(*std::move(partitions), std::move(sort)),
                      .filter = filter_,
                      .forward = forward_,
                      .limit = limit_};
  if (!cursor_.empty()) {
    const EntitySpec& entity = *entities().front();
    DOLMEN_ASSIGN_OR_RETURN(input.exclusive_start_key,
                            DecodeCursor(cursor_, entity.primary(), KeyOf(entity)));
  }
  return input;
}

}  // namespace dolmen::entity
