// The rows that a store should hold after writes, and a function that compares them with the store.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// The rows that a store should hold. `Sender`, here and in the files that include this file, has
// these members:
//   static constexpr std::string_view kName;
//   using Store = ...;
//   using Request = ...;                           // constructible from a SentMessage
//   explicit Sender(const Store& store);
//   Status Send(const Request& request);           // writes message, conversation and participant
//   Status Put(const Request& request);            // writes the message alone, unconditionally
//   Result<StoredRow> Read(const StoredRow& row);  // reads the row or entry with the key of `row`
class WrittenRows {
 public:
  // Adds the rows of an item. A row replaces an earlier row with an equal key.
  void Add(const Item& item) {
    std::vector<StoredRow> rows;
    AppendStoredRows(item, &rows);
    for (StoredRow& row : rows) items_[std::move(row.key)] = std::move(row.item);
  }

  void Add(const SentMessage& sent) {
    Add(sent.message);
    Add(sent.conversation);
    Add(sent.participant);
  }

  // Reads all rows from the store and compares them with the expected rows.
  // - kCorruption: a row is missing or differs.
  template <typename Sender>
  Status Check(Sender* sender) const {
    Answer expected;
    Answer actual;
    for (const auto& [key, item] : items_) {
      Result<StoredRow> read = sender->Read(expected.emplace_back(StoredRow{key, item}));
      if (!read.ok()) return read.status();
      actual.push_back(*std::move(read));
    }
    const auto difference = Difference(expected, actual);
    return difference ? Status::Corruption("the store has wrong contents: " + *difference)
                      : Status();
  }

 private:
  std::map<std::string, std::string> items_;  // by key
};

// Reads all conversations and participants and compares them with the data. The reads also fill the
// store's cache. Only the first call for a store reads; later calls return success at once. The
// function recognises the first call because the store's TakeNumber() then returns 0.
template <typename Sender>
Status CheckAndWarm(const ChatData& data, const typename Sender::Store& store, Sender* sender) {
  if (store.TakeNumber() > 0) return {};
  for (std::uint64_t i = 0; i < data.conversations(); ++i) {
    WrittenRows loaded;
    loaded.Add(data.Conversation(i));
    for (std::uint64_t n = 0; n < kParticipantsPerConversation; ++n) {
      loaded.Add(data.Participant(i * kParticipantsPerConversation + n));
    }
    if (Status checked = loaded.Check(sender); !checked.ok()) return checked;
  }
  return {};
}

}  // namespace dolmen::bench
