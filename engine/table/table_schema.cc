#include "engine/table/table_schema.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace dolmen::engine {
namespace {

constexpr std::size_t kIndexesMax = 20;
constexpr std::size_t kNameBytesMin = 3;
constexpr std::size_t kNameBytesMax = 255;

// Names of the attributes of a catalog entry; FORMAT.md lists them.
constexpr std::string_view kName = "name";
constexpr std::string_view kKeyspace = "keyspace";
constexpr std::string_view kKeys = "keys";
constexpr std::string_view kIndexes = "indexes";
constexpr std::string_view kType = "type";

Status Invalid(std::string_view what) {
  return Status::Validation(
      std::string("One or more parameter values were invalid: ").append(what));
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

Status CheckName(const std::string& name, std::string_view parameter) {
  if (name.size() < kNameBytesMin || name.size() > kNameBytesMax) {
    return Status::Validation(std::string(parameter).append(
        " must be at least 3 characters long and at most 255 characters long"));
  }
  if (!std::all_of(name.begin(), name.end(), IsNameCharacter)) {
    return Status::Validation("1 validation error detected: Value '" + name +
                              "' failed to satisfy constraint: Member must satisfy regular "
                              "expression pattern: [a-zA-Z0-9_.-]+");
  }
  return {};
}

Status CheckKeyAttribute(const KeyAttribute& attribute) {
  if (attribute.name.empty() || attribute.name.size() > kNameBytesMax) {
    return Invalid("The name of a key attribute must have 1 to 255 bytes: " + attribute.name);
  }
  if (attribute.type != AttributeType::kS && attribute.type != AttributeType::kN &&
      attribute.type != AttributeType::kB) {
    return Invalid("Member must satisfy enum value set: [B, N, S]: type of key attribute " +
                   attribute.name);
  }
  return {};
}

// DynamoDB defines each key attribute once, however many keys it is part of.
class AttributeDefinitions {
 public:
  Status Add(const KeySchema& keys) {
    if (keys.sort && keys.sort->name == keys.partition.name) {
      return Invalid(
          "Both the Hash Key and the Range Key element in the KeySchema have the same "
          "name");
    }
    if (Status added = Add(keys.partition); !added.ok()) return added;
    return keys.sort ? Add(*keys.sort) : Status();
  }

 private:
  Status Add(const KeyAttribute& attribute) {
    if (Status valid = CheckKeyAttribute(attribute); !valid.ok()) return valid;
    for (const KeyAttribute& other : attributes_) {
      if (other.name == attribute.name && other.type != attribute.type) {
        return Invalid("Duplicate AttributeName in AttributeDefinitions: " + attribute.name);
      }
    }
    attributes_.push_back(attribute);
    return {};
  }

  std::vector<KeyAttribute> attributes_;
};

List EncodeKeys(const KeySchema& keys) {
  const auto encode = [](const KeyAttribute& attribute) {
    return Map{{std::string(kName), attribute.name},
               {std::string(kType), AttributeTypeName(attribute.type)}};
  };
  List list{encode(keys.partition)};
  if (keys.sort) list.push_back(encode(*keys.sort));
  return list;
}

std::optional<KeyAttribute> DecodeKey(const AttributeView& entry) {
  const auto name = entry[kName].AsString();
  const auto type = entry[kType].AsString();
  if (!name || !type) return std::nullopt;
  for (const AttributeType t : {AttributeType::kS, AttributeType::kN, AttributeType::kB}) {
    if (*type == AttributeTypeName(t)) return KeyAttribute{std::string(*name), t};
  }
  return std::nullopt;
}

std::optional<KeySchema> DecodeKeys(const AttributeView& list) {
  const std::optional<KeyAttribute> partition = DecodeKey(list[0]);
  if (!partition) return std::nullopt;
  if (list.AsList().size() == 1) return KeySchema{*partition};
  if (list.AsList().size() > 2) return std::nullopt;
  const std::optional<KeyAttribute> sort = DecodeKey(list[1]);
  if (!sort) return std::nullopt;
  return KeySchema{*partition, sort};
}

std::optional<KeyspaceId> DecodeKeyspace(const AttributeView& value) {
  const std::optional<std::int64_t> id = value.AsInt64();
  if (!id || *id < static_cast<std::int64_t>(KeyspaceId::kFirst) || *id >= 0xFFFFFFFF) {
    return std::nullopt;
  }
  return static_cast<KeyspaceId>(*id);
}

// What tables and indexes have in common.
template <typename Schema, typename View>
std::optional<Schema> DecodeCommon(const View& entry) {
  const auto name = entry[kName].AsString();
  const auto keyspace = DecodeKeyspace(entry[kKeyspace]);
  const auto keys = DecodeKeys(entry[kKeys]);
  if (!name || !keyspace || !keys) return std::nullopt;
  return Schema{std::string(*name), *keyspace, *keys};
}

KeyspaceId Advance(KeyspaceId id, std::size_t by) {
  return static_cast<KeyspaceId>(static_cast<std::uint32_t>(id) + by);
}

std::int64_t ToInteger(KeyspaceId id) { return static_cast<std::int64_t>(id); }

}  // namespace

const IndexSchema* TableSchema::FindIndex(std::string_view index) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const IndexSchema& i) { return i.name == index; });
  return found == indexes.end() ? nullptr : &*found;
}

std::size_t KeyspacesNeeded(const CreateTableInput& input) {
  return 1 + input.global_secondary_indexes.size();
}

Result<TableSchema> MakeTableSchema(const CreateTableInput& input, KeyspaceId first) {
  if (Status named = CheckName(input.name, "TableName"); !named.ok()) return named;
  TableSchema table{input.name, first, {input.partition_key, input.sort_key}};
  AttributeDefinitions definitions;
  if (Status added = definitions.Add(table.keys); !added.ok()) return added;
  if (input.global_secondary_indexes.size() > kIndexesMax) {
    return Invalid("GlobalSecondaryIndex count exceeds the per-table limit of 20");
  }
  for (const GlobalSecondaryIndex& index : input.global_secondary_indexes) {
    if (Status named = CheckName(index.name, "IndexName"); !named.ok()) return named;
    if (table.FindIndex(index.name) != nullptr) {
      return Invalid("Duplicate index name: " + index.name);
    }
    IndexSchema schema{index.name,
                       Advance(first, 1 + table.indexes.size()),
                       {index.partition_key, index.sort_key}};
    if (Status added = definitions.Add(schema.keys); !added.ok()) return added;
    table.indexes.push_back(std::move(schema));
  }
  return table;
}

Item EncodeTableSchema(const TableSchema& schema) {
  List indexes;
  for (const IndexSchema& index : schema.indexes) {
    indexes.push_back(Map{{std::string(kName), index.name},
                          {std::string(kKeyspace), ToInteger(index.keyspace)},
                          {std::string(kKeys), EncodeKeys(index.keys)}});
  }
  return Item{{std::string(kName), schema.name},
              {std::string(kKeyspace), ToInteger(schema.keyspace)},
              {std::string(kKeys), EncodeKeys(schema.keys)},
              {std::string(kIndexes), std::move(indexes)}};
}

Result<TableSchema> DecodeTableSchema(const ItemView& entry) {
  const Status corrupt = Status::Corruption("a table's entry in the catalog is damaged");
  auto table = DecodeCommon<TableSchema>(entry);
  if (!entry.Check().ok() || !table || !entry[kIndexes].Is(AttributeType::kL)) return corrupt;
  for (const AttributeView view : entry[kIndexes].AsList()) {
    auto index = DecodeCommon<IndexSchema>(view);
    if (!index) return corrupt;
    table->indexes.push_back(*std::move(index));
  }
  return *std::move(table);
}

}  // namespace dolmen::engine
