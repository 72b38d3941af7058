#include "models/demo/step.h"

#include <cstdio>

namespace dolmen::demo {
namespace {

constexpr std::size_t kRequestsShown = 6;

std::string FormatUnits(double units) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", units);
  return text;
}

// Prints a request, with each write of a transaction on a line of its own.
void PrintRequest(const RequestTrace& trace) {
  constexpr std::string_view kSeparator = "; ";
  std::string line = "   " + trace.operation + "  ";
  const std::string blanks(line.size(), ' ');
  std::string_view rest = trace.request;
  for (std::size_t end = 0; (end = rest.find(kSeparator)) != std::string_view::npos;) {
    PrintNote(line.append(rest.substr(0, end)));
    rest.remove_prefix(end + kSeparator.size());
    line = blanks;
  }
  PrintNote(line.append(rest));
}

}  // namespace

void PrintRequests(const std::vector<RequestTrace>& requests, std::chrono::nanoseconds took) {
  Capacity consumed;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    consumed += requests[i].total();
    if (i < kRequestsShown) PrintRequest(requests[i]);
  }
  if (requests.size() > kRequestsShown) {
    PrintNote("   ... and " + FormatCount(requests.size() - kRequestsShown) + " more");
  }
  std::string what =
      FormatCount(requests.size()) + (requests.size() == 1 ? " request" : " requests");
  if (consumed.read_units > 0) what += ", " + FormatUnits(consumed.read_units) + " read units";
  if (consumed.write_units > 0) what += ", " + FormatUnits(consumed.write_units) + " write units";
  PrintTook(what, took);
}

}  // namespace dolmen::demo
