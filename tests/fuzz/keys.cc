#include "tests/fuzz/keys.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>

#include "engine/key/key_codec.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

using engine::EncodedKey;
using engine::KeyspaceId;
using engine::kKeyspaceBytes;
using engine::SortKeyForm;
using Operator = SortKeyCondition::Operator;

// The encoded bytes of a partition key and a sort key.
struct KeyBytes {
  std::string_view partition;
  std::string_view sort;
};

std::string_view TakePart(std::string_view* input) {
  if (input->empty()) return {};
  const auto size = std::min<std::size_t>(static_cast<unsigned char>(input->front()),  //
                                          input->size() - 1);
  const std::string_view part = input->substr(1, size);
  input->remove_prefix(1 + size);
  return part;
}

// Removes the first part of the key, which must be terminated in the format of FORMAT.md, and
// returns the decoded part. Returns nothing if the key does not begin with a terminated part.
std::optional<std::string> TakeTerminated(std::string_view* key) {
  std::string part;
  for (std::size_t i = 0; i < key->size(); ++i) {
    if ((*key)[i] != '\0') {
      part.push_back((*key)[i]);
      continue;
    }
    if (i + 1 == key->size()) return std::nullopt;
    const char after = (*key)[++i];
    if (after == '\x01') {
      key->remove_prefix(i + 1);
      return part;
    }
    if (after != '\xFF') return std::nullopt;
    part.push_back('\0');
  }
  return std::nullopt;
}

EncodedKey Row(const KeyBytes& key) {
  return engine::RowKey(KeyspaceId::kFirst, {key.partition, key.sort});
}

EncodedKey Entry(const KeyBytes& index_key, const KeyBytes& key) {
  return engine::IndexEntryKey(KeyspaceId::kFirst, {index_key.partition, index_key.sort},
                               {key.partition, key.sort});
}

void RequireReadable(const KeyBytes& index_key, const KeyBytes& key) {
  const EncodedKey row = Row(key);
  std::string_view rest = row.bytes().substr(kKeyspaceBytes);
  Require(TakeTerminated(&rest) == key.partition && rest == key.sort,
          "a row's key holds its parts");
  const EncodedKey entry = Entry(index_key, key);
  rest = entry.bytes().substr(kKeyspaceBytes);
  Require(TakeTerminated(&rest) == index_key.partition,
          "an entry's key begins with the index's partition key");
  Require(TakeTerminated(&rest) == index_key.sort, "then comes the index's sort key");
  Require(TakeTerminated(&rest) == key.partition && rest == key.sort, "then come the row's parts");
  Require(engine::PrefixBytes(entry.bytes(), 3) + key.sort.size() == entry.bytes().size(),
          "PrefixBytes finds the end of the third part");
}

void RequireOrder(const KeyBytes& a, const KeyBytes& b) {
  const auto rows = std::tie(a.partition, a.sort) <=> std::tie(b.partition, b.sort);
  Require((Row(a) <=> Row(b)) == rows, "rows sort like their keys");
  const auto entries = std::tie(a.partition, a.sort, b.partition, b.sort) <=>
                       std::tie(b.partition, b.sort, a.partition, a.sort);
  Require((Entry(a, b) <=> Entry(b, a)) == entries, "entries sort by index key, then row key");
}

bool Meets(std::string_view sort, const engine::SortKeyBounds& bounds) {
  switch (bounds.op) {
    case Operator::kEqual:
      return sort == bounds.value;
    case Operator::kLess:
      return sort < bounds.value;
    case Operator::kLessOrEqual:
      return sort <= bounds.value;
    case Operator::kGreater:
      return sort > bounds.value;
    case Operator::kGreaterOrEqual:
      return sort >= bounds.value;
    case Operator::kBetween:
      return bounds.value <= sort && sort <= bounds.upper;
    case Operator::kBeginsWith:
      return sort.starts_with(bounds.value);
  }
  return false;
}

void RequireRange(const KeyBytes& wanted, const KeyBytes& key, std::string_view upper) {
  const bool same = wanted.partition == key.partition;
  const EncodedKey prefix = engine::KeyPrefix(KeyspaceId::kFirst, {&wanted.partition, 1});
  const engine::KeyRange all = engine::PrefixRange(prefix);
  Require(all.Contains(Row(key).bytes()) == same, "a partition's range holds its rows");
  for (const Operator op :
       {Operator::kEqual, Operator::kLess, Operator::kLessOrEqual, Operator::kGreater,
        Operator::kGreaterOrEqual, Operator::kBetween, Operator::kBeginsWith}) {
    const engine::SortKeyBounds bounds{op, wanted.sort, upper};
    const bool meets = same && Meets(key.sort, bounds);
    const auto range = [&](SortKeyForm form) { return engine::SortKeyRange(prefix, bounds, form); };
    Require(range(SortKeyForm::kRaw).Contains(Row(key).bytes()) == meets,
            "a range holds exactly the rows that meet it");
    Require(range(SortKeyForm::kTerminated).Contains(Entry(key, wanted).bytes()) == meets,
            "a range holds exactly the entries that meet it");
  }
}

// Checks the successor and the prefix range of a key of arbitrary bytes.
void RequireNeighbours(std::string_view bytes) {
  const EncodedKey key = EncodedKey::FromBytes(bytes);
  Require(key.bytes() == bytes, "a key keeps its bytes");
  EncodedKey next = key;
  next.AdvancePast();
  Require(key < next, "AdvancePast gives a greater key");
  const engine::KeyRange range = engine::PrefixRange(key);
  if (range.upper.bytes().empty()) return;  // all bytes are FF, which no key begins with
  Require(range.Contains(bytes) && range.Contains(next.bytes()), "a prefix's range holds its keys");
  Require(!range.Contains(range.upper.bytes()) && !range.upper.bytes().starts_with(bytes),
          "a prefix's range ends behind its keys");
}

}  // namespace

void TryKeys(std::string_view input) {
  RequireNeighbours(input);
  const KeyBytes a{TakePart(&input), TakePart(&input)};
  const KeyBytes b{TakePart(&input), TakePart(&input)};
  const KeyBytes in_same_partition{a.partition, b.sort};
  const std::string_view upper = TakePart(&input);
  for (const KeyBytes& other : {b, in_same_partition}) {
    RequireReadable(a, other);
    RequireOrder(a, other);
    RequireRange(a, other, upper);
    RequireRange(other, a, upper);
  }
}

}  // namespace dolmen::fuzz
