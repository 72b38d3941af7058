// A writer of JSON, and of attribute values in DynamoDB's JSON, to the end of a string.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/item_view.h"

namespace dolmen::wire {

// A writer that inserts the commas. It borrows the output string, which no other code may change
// during the lifetime of the writer. Not thread-safe.
class JsonWriter {
 public:
  // Appends to `out`. Does not read what `out` already contains.
  explicit JsonWriter(std::string* out) : out_(out), start_(out->size()) {}

  void BeginObject() { Begin('{'); }
  void EndObject() { out_->push_back('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { out_->push_back(']'); }

  // Writes the name of the member whose value is written next.
  void Key(std::string_view name);

  void String(std::string_view text);
  void Integer(std::int64_t number);
  void Unsigned(std::uint64_t number);
  // Always writes a decimal point, as DynamoDB does for doubles: 1.0.
  void Double(double number);
  void Boolean(bool value);
  // Writes seconds since 1970, with three decimals if the milliseconds are not zero.
  void Time(Timestamp time);

  // Writes a value that is JSON already.
  void Raw(std::string_view json);

  // Write a typed value: {"S": "text"}. A value that cannot be stored becomes null.
  void Value(const AttributeView& value);
  void Value(const AttributeValue& value);
  // Write the attributes of an item: {"PK": {"S": "text"}}.
  void Attributes(const ItemView& item);
  void ItemAttributes(const Item& item);

  // Write a member: its name and its value.
  void StringField(std::string_view name, std::string_view text) { Key(name), String(text); }
  void IntegerField(std::string_view name, std::int64_t number) { Key(name), Integer(number); }
  void UnsignedField(std::string_view name, std::uint64_t number) { Key(name), Unsigned(number); }
  void DoubleField(std::string_view name, double number) { Key(name), Double(number); }
  void BooleanField(std::string_view name, bool value) { Key(name), Boolean(value); }
  void TimeField(std::string_view name, Timestamp time) { Key(name), Time(time); }

 private:
  void Begin(char bracket) {
    Separate();
    out_->push_back(bracket);
  }
  // Writes a comma before the next value. Writes nothing before the first value of an object or
  // array, and after the name of a member.
  void Separate();
  void Quoted(std::string_view text);
  void QuotedBase64(std::string_view bytes);
  void MapMembers(const MapView& map);

  std::string* out_;
  std::size_t start_;
};

}  // namespace dolmen::wire
