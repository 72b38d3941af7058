// Random calls of one thread on tracked items.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/concurrent/recorded_client.h"
#include "tests/support/random.h"

namespace dolmen::test {

// A generator of random calls for one thread. It makes reads of every kind, writes without an
// earlier read, and writes on condition that an earlier read is still valid.
class RandomCalls {
 public:
  // REQUIRES: the client outlives this object
  RandomCalls(RecordedClient* client, std::uint64_t seed);

  // Does one call, or a read followed by a write that depends on the read.
  void Step();

 private:
  std::size_t PickItem();
  std::vector<std::size_t> PickItems(std::size_t count);
  std::vector<std::size_t> PickItemsToWrite();
  Marks NewMarks();

  std::vector<ItemRead> Read();
  void WriteUnseen();
  void WriteWhatWasRead();
  void Transact(const std::vector<Change>& changes);
  Change ChangeOf(const ItemRead& read);
  Change ChangeOfAbsent(std::size_t item);
  Change ChangeOfMarks(std::size_t item, const Marks& marks);

  RecordedClient* client_;
  Random random_;
  std::vector<bool> gone_;  // items that this thread saw deleted
};

}  // namespace dolmen::test
