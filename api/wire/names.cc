#include "wire/names.h"

#include <algorithm>

namespace dolmen::wire {
namespace {

// Does not use std::isalnum, whose result depends on the locale.
bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

// Removes the text up to the next colon, and the colon, from `arn`. Returns that text.
std::string_view TakePart(std::string_view* arn) {
  const std::string_view part = arn->substr(0, arn->find(':'));
  arn->remove_prefix(std::min(part.size() + 1, arn->size()));
  return part;
}

// Removes the prefix from `text`. Returns false if `text` does not start with it.
bool Take(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// Removes the beginning of an ARN of DynamoDB from `text`, up to the resource. Returns nothing if `text`
// does not begin so.
std::optional<Place> TakePlace(std::string_view* text) {
  if (!Take("arn:", text) || !IsName(TakePart(text)) || TakePart(text) != "dynamodb") {
    return std::nullopt;
  }
  const std::string_view region = TakePart(text);
  const std::string_view account = TakePart(text);
  if (!IsName(region) || !IsName(account)) return std::nullopt;
  return Place{region, account};
}

}  // namespace

bool IsName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsNameCharacter);
}

std::string TableArn(const Place& place, std::string_view name) {
  return std::string("arn:aws:dynamodb:")
      .append(place.region)
      .append(":")
      .append(place.account)
      .append(":table/")
      .append(name);
}

std::string IndexArn(const Place& place, std::string_view table, std::string_view index) {
  return TableArn(place, table).append("/index/").append(index);
}

std::string StreamArn(const Place& place, std::string_view table, std::string_view label) {
  return TableArn(place, table).append("/stream/").append(label);
}

std::string BackupArn(const Place& place, std::string_view table, std::string_view id) {
  return TableArn(place, table).append("/backup/").append(id);
}

std::optional<std::string_view> BackupOfArn(std::string_view text) {
  constexpr std::string_view kBackup = "/backup/";
  const std::size_t end = text.find(kBackup);
  if (end == std::string_view::npos || !TableOfArn(text.substr(0, end))) return std::nullopt;
  const std::string_view id = text.substr(end + kBackup.size());
  return IsName(id) ? std::optional(id) : std::nullopt;
}

std::optional<Place> PlaceOfArn(std::string_view text) { return TakePlace(&text); }

std::optional<std::string_view> TableOfArn(std::string_view text) {
  if (!TakePlace(&text) || !Take("table/", &text)) return std::nullopt;
  if (text.size() < 3 || text.size() > 255 || !IsName(text)) return std::nullopt;
  return text;
}

}  // namespace dolmen::wire
