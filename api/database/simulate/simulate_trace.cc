#include "dolmen/testing/simulate_trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>

namespace dolmen {
namespace {

constexpr std::array<std::string_view, 10> kOperations = {
    "GetItem",    "Query",        "Scan",           "PutItem",          "UpdateItem",
    "DeleteItem", "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems"};
constexpr std::array<std::string_view, 13> kFaults = {"ProvisionedThroughputExceeded",
                                                      "Throttling",
                                                      "RequestLimitExceeded",
                                                      "TransactionConflict",
                                                      "TransactionInProgress",
                                                      "InternalServerError",
                                                      "ServiceUnavailable",
                                                      "DroppedConnection",
                                                      "HalfResponse",
                                                      "Latency",
                                                      "PartialBatch",
                                                      "PageItems",
                                                      "PageBytes"};
constexpr std::string_view kHexDigits = "0123456789ABCDEF";

bool IsPlain(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == ':';
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (IsPlain(c)) {
      escaped.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      escaped.append({'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]});
    }
  }
  return escaped;
}

std::optional<std::string> Unescaped(std::string_view escaped) {
  std::string text;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '%') {
      text.push_back(escaped[i]);
      continue;
    }
    if (i + 2 >= escaped.size()) return std::nullopt;
    const std::size_t high = kHexDigits.find(escaped[i + 1]);
    const std::size_t low = kHexDigits.find(escaped[i + 2]);
    if (high == kHexDigits.npos || low == kHexDigits.npos) return std::nullopt;
    text.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return text;
}

// Sets `*value` to the enumerator with the name. Returns false if no enumerator has it.
template <typename Enum, std::size_t kCount>
bool SetNamed(const std::array<std::string_view, kCount>& names, std::string_view name,
              Enum* value) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  *value = static_cast<Enum>(found - names.begin());
  return true;
}

// Returns the part of `*rest` before the first separator, and removes both from `*rest`.
std::string_view CutFirst(char separator, std::string_view* rest) {
  const std::size_t end = rest->find(separator);
  const std::string_view first = rest->substr(0, end);
  *rest = end == rest->npos ? std::string_view() : rest->substr(end + 1);
  return first;
}

template <typename Unsigned>
bool SetNumber(std::string_view text, Unsigned* number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end;
}

bool SetText(std::string_view escaped, std::string* text) {
  std::optional<std::string> unescaped = Unescaped(escaped);
  if (unescaped) *text = *std::move(unescaped);
  return unescaped.has_value();
}

bool SetItems(std::string_view list, std::vector<std::size_t>* items) {
  while (!list.empty()) {
    if (!SetNumber(CutFirst(',', &list), &items->emplace_back())) return false;
  }
  return true;
}

// Parses "TableReadProvisionedThroughputExceeded:table", or "...:table:index".
bool SetReason(std::string_view text, ThrottlingReason* reason) {
  return SetText(CutFirst(':', &text), &reason->reason) &&
         SetText(CutFirst(':', &text), &reason->table) && SetText(text, &reason->index);
}

// Sets the field that the word names, for example "call=2".
bool SetField(std::string_view word, SimulatedDecision* decision) {
  if (word == "after") {
    decision->moment = FaultMoment::kAfter;
    return true;
  }
  std::string_view value = word;
  const std::string_view name = CutFirst('=', &value);
  if (name == "table") return SetText(value, &decision->table);
  if (name == "index") return SetText(value, &decision->index);
  if (name == "key") return SetText(value, &decision->key);
  if (name == "call") return SetNumber(value, &decision->call);
  if (name == "fault") return SetNamed(kFaults, value, &decision->fault);
  if (name == "amount") return SetNumber(value, &decision->amount);
  if (name == "reason") return SetReason(value, &decision->throttling_reasons.emplace_back());
  return name == "items" && SetItems(value, &decision->items);
}

bool SetDecision(std::string_view line, SimulatedDecision* decision) {
  if (!SetNamed(kOperations, CutFirst(' ', &line), &decision->operation)) return false;
  while (!line.empty()) {
    if (!SetField(CutFirst(' ', &line), decision)) return false;
  }
  return true;
}

void AppendField(std::string_view name, const std::string& value, std::string* text) {
  if (!value.empty()) text->append(name).append(value);
}

std::string LineOf(const SimulatedDecision& decision) {
  std::string line(SimulatedOperationName(decision.operation));
  AppendField(" table=", Escaped(decision.table), &line);
  AppendField(" index=", Escaped(decision.index), &line);
  AppendField(" key=", Escaped(decision.key), &line);
  AppendField(" call=", std::to_string(decision.call), &line);
  line.append(" fault=").append(SimulatedFaultName(decision.fault));
  if (decision.moment == FaultMoment::kAfter) line.append(" after");
  if (decision.amount != 0) AppendField(" amount=", std::to_string(decision.amount), &line);
  std::string_view separator = " items=";
  for (const std::size_t item : decision.items) {
    line.append(std::exchange(separator, ",")).append(std::to_string(item));
  }
  for (const ThrottlingReason& reason : decision.throttling_reasons) {
    line.append(" reason=")
        .append(Escaped(reason.reason))
        .append(":")
        .append(Escaped(reason.table));
    AppendField(":", Escaped(reason.index), &line);
  }
  return line;
}

// Returns the trace without the decisions at the positions [first, last).
SimulatedTrace Without(const SimulatedTrace& trace, std::size_t first, std::size_t last) {
  SimulatedTrace rest;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (i < first || last <= i) rest.push_back(trace[i]);
  }
  return rest;
}

}  // namespace

std::span<const std::string_view> SimulatedOperationNames() { return kOperations; }

std::span<const std::string_view> SimulatedFaultNames() { return kFaults; }

std::string_view SimulatedOperationName(SimulatedOperation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}

std::string_view SimulatedFaultName(SimulatedFault fault) {
  return kFaults[static_cast<std::size_t>(fault)];
}

std::string ToText(const SimulatedTrace& trace) {
  std::string text;
  for (const SimulatedDecision& decision : trace) text.append(LineOf(decision)).push_back('\n');
  return text;
}

Result<SimulatedTrace> ParseSimulatedTrace(std::string_view text) {
  SimulatedTrace trace;
  while (!text.empty()) {
    const std::string_view line = CutFirst('\n', &text);
    if (line.empty()) continue;
    if (!SetDecision(line, &trace.emplace_back())) {
      return Status::Validation("The line is not a decision of a simulation: " + std::string(line));
    }
  }
  return trace;
}

SimulatedTrace ShrinkTrace(SimulatedTrace trace,
                           const std::function<bool(const SimulatedTrace&)>& still_fails) {
  // Removes parts of half the trace, then of a quarter, and so on. After a removal at the smallest
  // size, a decision that was necessary before may have become superfluous, so that size repeats.
  std::size_t part = std::max<std::size_t>(trace.size() / 2, 1);
  for (;;) {
    bool removed = false;
    for (std::size_t first = 0; first < trace.size();) {
      SimulatedTrace rest = Without(trace, first, first + part);
      if (still_fails(rest)) {
        trace = std::move(rest);
        removed = true;
      } else {
        first += part;
      }
    }
    if (part == 1 && !removed) return trace;
    part = std::max<std::size_t>(part / 2, 1);
  }
}

}  // namespace dolmen
