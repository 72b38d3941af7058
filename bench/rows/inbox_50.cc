// inbox_50 reads a user's 50 newest conversations, newest first, from the index GSI1. An entry of
// GSI1 holds the whole participant item, so no read of the table is needed.

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/readers.h"
#include "bench/sqlite_index_store.h"

namespace dolmen::bench::inbox_50 {
namespace {

class Inbox50 {
 public:
  static constexpr std::string_view kName = "inbox_50";
  static constexpr std::size_t kRows = 50;
  static RangeShape Shape() { return {.index = true, .forward = false, .limit = kRows}; }

  explicit Inbox50(const ChatData& data) : data_(data) {}

  std::uint64_t questions() const { return data_.users(); }
  std::string Question(std::uint64_t user) const { return ChatData::IndexPartition(user); }

  Answer Expected(std::uint64_t user) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      const std::string bytes = StoredForm(data_.Participant(data_.NewestParticipant(user, n)));
      answer.push_back({std::string(EntryKeyOf(*ItemView::Parse(bytes)).bytes()), bytes});
    }
    return answer;
  }

 private:
  ChatData data_;
};

const AllAndKeptRangeReaders<Inbox50> kContenders;
const Registered<TimedRead<Inbox50, SqliteIndexReader>> kSqliteIndex;

}  // namespace
}  // namespace dolmen::bench::inbox_50
