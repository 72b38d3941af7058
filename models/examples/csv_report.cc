#include "models/examples/csv_report.h"

#include <dolmen/entity.h>

#include <fstream>
#include <string>

#include "models/examples/member_rows.h"

namespace dolmen::examples {
namespace {

// Quotes a text for CSV, so that it can hold commas and quotation marks.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

Result<Subscription> AppendMembersToCsv(const Database& database, std::filesystem::path file) {
  return SubscribeToMembers(
      database, "members as CSV",
      [file = std::move(file)](const MemberRow& row, const StreamRecord& record) {
        const char* event = !record.old_image ? "INSERT" : record.new_image ? "MODIFY" : "REMOVE";
        std::ofstream out(file, std::ios::app);
        out << record.sequence_number << ',' << event;
        for (const std::string& column : row.columns()) out << ',' << Quoted(column);
        out << std::endl;
        return out ? Status() : Status::Storage("cannot write " + file.string());
      });
}

}  // namespace dolmen::examples
