#include "engine/value/display.h"

#include <boost/algorithm/hex.hpp>
#include <iterator>
#include <utility>

#include "engine/value/item_form.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {
namespace {

void AppendText(const AttributeView& value, int depth, std::string* out);

void AppendMapText(const MapView& map, int depth, std::string* out) {
  std::string_view separator = "{";
  for (const auto [name, value] : map) {
    out->append(separator).append(name).append(": ");
    AppendText(value, depth, out);
    separator = ", ";
  }
  out->append(map.empty() ? "{}" : "}");
}

template <typename Elements>
void AppendElementsText(const Elements& elements, std::string_view open, std::string_view close,
                        int depth, std::string* out) {
  out->append(open);
  std::string_view separator;
  for (const AttributeView value : elements) {
    out->append(separator);
    AppendText(value, depth, out);
    separator = ", ";
  }
  out->append(close);
}

void AppendText(const AttributeView& value, int depth, std::string* out) {
  if (depth > kReadDepthMax) {
    out->append("damaged");
    return;
  }
  switch (value.type()) {
    case AttributeType::kS:
      out->append("\"").append(value.payload()).append("\"");
      return;
    case AttributeType::kN: {
      const auto number = value.AsNumber();
      out->append(number ? number->ToString() : "damaged");
      return;
    }
    case AttributeType::kB:
      out->append("x\"");
      boost::algorithm::hex_lower(value.payload().begin(), value.payload().end(),
                                  std::back_inserter(*out));
      out->append("\"");
      return;
    case AttributeType::kBool:
      out->append(value.AsBool().value_or(false) ? "true" : "false");
      return;
    case AttributeType::kNull:
      out->append("null");
      return;
    case AttributeType::kM:
      return AppendMapText(value.AsMap(), depth + 1, out);
    case AttributeType::kL:
      return AppendElementsText(value.AsList(), "[", "]", depth + 1, out);
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      return AppendElementsText(value.AsSet(), "<<", ">>", depth + 1, out);
  }
}

}  // namespace

std::string DisplayText(const AttributeView& value) {
  if (!value.exists()) return "absent";
  std::string text;
  AppendText(value, 0, &text);
  return ToUtf8(std::move(text));
}

std::string DisplayText(const MapView& map) {
  std::string text;
  AppendMapText(map, 0, &text);
  return ToUtf8(std::move(text));
}

}  // namespace dolmen::engine
