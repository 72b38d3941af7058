// How messages are written to Dolmen.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/data.h"
#include "bench/dolmen_store.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// What an application has in its hands when it sends a message.
struct MessageTexts {
  MessageTexts() = default;
  explicit MessageTexts(const SentMessage& sent);

  std::string partition;  // PK of all three items
  std::string message_sort;
  std::string participant_sort;
  std::string sender;
  std::string body;
  std::string at;
};

class DolmenSenderBase {
 public:
  using Store = DolmenStore;
  using Request = MessageTexts;

  Result<StoredRow> Read(const StoredRow& row) const;

 protected:
  explicit DolmenSenderBase(const DolmenStore& store) : store_(store) {}

  const Table& table() const { return store_.table(); }
  std::vector<TransactWriteItem>& actions() { return input_.actions; }
  Status Commit() const { return store_.database().TransactWriteItems(input_).status(); }

 private:
  const DolmenStore& store_;
  TransactWriteItemsInput input_;
};

// Conditions and updates are texts, and the inputs are kept: a send assigns keys and values.
class DolmenSender : public DolmenSenderBase {
 public:
  static constexpr std::string_view kName = "dolmen";

  explicit DolmenSender(const DolmenStore& store);
  Status Send(const MessageTexts& texts);
  Status Put(const MessageTexts& texts);

 private:
  void SetConversation(const MessageTexts& texts);
  void SetParticipant(const MessageTexts& texts);

  PutItemInput put_;
};

// The same to a table that has a stream.
class DolmenStreamSender : public DolmenSender {
 public:
  using Store = DolmenStreamStore;
  static constexpr std::string_view kName = "dolmen_stream";

  explicit DolmenStreamSender(const DolmenStreamStore& store) : DolmenSender(store) {}
};

// All is made anew for each send, by the builders.
class DolmenBuiltSender : public DolmenSenderBase {
 public:
  static constexpr std::string_view kName = "dolmen_built";

  explicit DolmenBuiltSender(const DolmenStore& store) : DolmenSenderBase(store) {}
  Status Send(const MessageTexts& texts);
};

}  // namespace dolmen::bench
