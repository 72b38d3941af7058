// What a store that is written to ought to hold, and whether it does.

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

// `Sender`, here and in what includes this, is how a store is written to:
//   static constexpr std::string_view kName;
//   using Store = ...;
//   using Request = ...;                           // made of a SentMessage
//   explicit Sender(const Store& store);
//   Status Send(const Request& request);           // the message, and what becomes of the others
//   Status Put(const Request& request);            // the message alone, whatever is there
//   Result<StoredRow> Read(const StoredRow& row);  // what is there in place of a row or entry
class WrittenRows {
 public:
  // Later items take the place of earlier ones.
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

  // Reads all of them; kCorruption if one is not there as it was added.
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
    return difference ? Status::Corruption("wrong contents: " + *difference) : Status();
  }

 private:
  std::map<std::string, std::string> items_;  // by key
};

// Reads, and compares, all that a send changes, so that it is in the store's cache: conversations
// and participants.  Only for the first who writes to `store`, which takes a number to know that.
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
