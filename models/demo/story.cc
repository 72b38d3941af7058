#include "models/demo/story.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

#include "models/demo/draw_items.h"

namespace dolmen::demo {
namespace {

constexpr std::size_t kRequestsShown = 3;
constexpr std::size_t kDetailsShown = 12;
constexpr auto kRepeatedCallMax = std::chrono::milliseconds(2);

std::string FormatUnits(const Capacity& consumed) {
  std::string text;
  char units[32];
  if (consumed.read_units > 0) {
    std::snprintf(units, sizeof units, "%.4g read", consumed.read_units);
    text += units;
  }
  if (consumed.write_units > 0) {
    std::snprintf(units, sizeof units, "%.4g write", consumed.write_units);
    text.append(text.empty() ? "" : ", ").append(units);
  }
  return text.empty() ? "no units" : text;
}

bool Writes(const RequestTrace& trace) {
  return trace.operation.find("Put") != std::string::npos ||
         trace.operation.find("Update") != std::string::npos ||
         trace.operation.find("Delete") != std::string::npos ||
         trace.operation.find("Write") != std::string::npos;
}

// Returns the lines of one request. The details of a transaction repeat its writes, so they stand in
// place of the request.
std::string FormatRequest(const RequestTrace& trace) {
  const bool is_transaction = trace.operation == "TransactWriteItems";
  std::string text =
      Shortened("    " + trace.operation + "  " + (is_transaction ? "" : trace.request)) + '\n';
  for (std::size_t n = 0; n < trace.details.size(); ++n) {
    if (n == kDetailsShown) {
      text += "      ... and " + FormatCount(trace.details.size() - n) + " more lines\n";
      break;
    }
    text += Shortened("      " + trace.details[n]) + '\n';
  }
  return text;
}

// Returns the operations in their order, each with its number: "GetItem + 3 Query".
std::string OperationsOf(const std::vector<RequestTrace>& requests) {
  std::string text;
  for (std::size_t begin = 0; begin < requests.size();) {
    std::size_t end = begin;
    while (end < requests.size() && requests[end].operation == requests[begin].operation) ++end;
    if (!text.empty()) text += " + ";
    if (end - begin > 1) text += FormatCount(end - begin) + " ";
    text += requests[begin].operation;
    begin = end;
  }
  return text.empty() ? "none" : text;
}

}  // namespace

Story::Story(Page* page, std::string_view title) : page_(page) {
  PrintTitle(title);
  page_->AddHeading(2, title);
}

void Story::Print(const std::string& text) {
  std::cout << text;
  page_->AddText(text);
}

Story& Story::Tell(std::string_view sentence) {
  if (!status_.ok()) return *this;
  std::cout << "\n  " << sentence << '\n';
  page_->AddParagraph(sentence);
  return *this;
}

void Story::PrintHeading(const Step& step) {
  PrintStep(step.number, step.name);
  const std::string number(step.number);
  page_->AddHeading(
      3, number.empty() ? std::string(step.name) : number + "  " + std::string(step.name));
}

Story& Story::Draw(const Database& database, const TableDesign& design) {
  if (!status_.ok()) return *this;
  const Result<Table> table = database.OpenTable(design.name());
  if (status_ = table.status(); !status_.ok()) return *this;
  std::vector<Item> items;
  ItemRange scan = table->ScanAll({});
  for (const ItemView item : scan) {
    if (Result<Item> copy = item.Copy(); copy.ok()) items.push_back(*std::move(copy));
  }
  if (status_ = scan.status(); !status_.ok()) return *this;
  PrintHeading({"", "The table, and its indexes, with the sample data"});
  std::cout << DrawItems(design.Table(), items);
  page_->AddPicture(design.ToSvg(items));
  return *this;
}

bool Story::MayRepeat(const std::vector<RequestTrace>& requests, std::chrono::nanoseconds took) {
  return took < kRepeatedCallMax && std::ranges::none_of(requests, Writes);
}

void Story::PrintRequests(const Step& step, const std::vector<RequestTrace>& requests,
                          std::vector<std::chrono::nanoseconds> times) {
  Capacity consumed;
  std::string text;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    consumed += requests[i].total();
    if (i < kRequestsShown) text += FormatRequest(requests[i]);
  }
  if (requests.size() > kRequestsShown) {
    text += "    ... and " + FormatCount(requests.size() - kRequestsShown) + " more requests\n";
  }
  std::ranges::nth_element(times, times.begin() + times.size() / 2);
  Cost cost = {.pattern = std::string(step.number) + (step.number.empty() ? "" : "  ") +
                          std::string(step.name),
               .requests = OperationsOf(requests),
               .units = FormatUnits(consumed),
               .time = times[times.size() / 2],
               .calls = times.size()};
  text += "  -> " + cost.requests + ", " + cost.units + ", " + FormatDuration(cost.time) + '\n';
  Print(text);
  costs_.push_back(std::move(cost));
}

Story& Story::PrintCosts() {
  if (!status_.ok()) return *this;
  Rows rows = {{"access pattern", "requests", "units", "time"}};
  for (const Cost& cost : costs_) {
    rows.push_back({cost.pattern, cost.requests, cost.units,
                    FormatDuration(cost.time) + (cost.calls > 1 ? "" : " *")});
  }
  PrintHeading({"", "All access patterns of this model"});
  Print(
      FormatRows(rows) +
      "\n  Times are of this machine. A time is the median of 101 calls; * marks a single call.\n");
  return *this;
}

}  // namespace dolmen::demo
