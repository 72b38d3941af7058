// Senders that write messages with Dolmen's public API.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/data.h"
#include "bench/dolmen_store.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// A message as an application holds it: the strings that the message's items contain.
struct MessageTexts {
  MessageTexts() = default;
  explicit MessageTexts(const SentMessage& sent);

  std::string partition;  // PK of message, conversation and participant
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

// A sender that reuses its inputs. Their conditions and updates are expressions in text form and
// never change. So a send only assigns keys and values.
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

// A DolmenSender that writes to an encrypted database.
class DolmenEncryptedSender : public DolmenSender {
 public:
  using Store = DolmenEncryptedStore;
  static constexpr std::string_view kName = Store::kName;

  using DolmenSender::DolmenSender;
};

// A DolmenSender that writes to a store without a row cache: see Uncached.
class DolmenUncachedSender : public DolmenSender {
 public:
  static constexpr std::string_view kName = "dolmen_uncached";

  using DolmenSender::DolmenSender;
};

// A DolmenSender that writes to a table with a stream.
class DolmenStreamSender : public DolmenSender {
 public:
  using Store = DolmenStreamStore;
  static constexpr std::string_view kName = "dolmen_stream";

  explicit DolmenStreamSender(const DolmenStreamStore& store) : DolmenSender(store) {}
};

// A sender that builds new inputs for each send, with the typed builders.
class DolmenBuiltSender : public DolmenSenderBase {
 public:
  static constexpr std::string_view kName = "dolmen_built";

  explicit DolmenBuiltSender(const DolmenStore& store) : DolmenSenderBase(store) {}
  Status Send(const MessageTexts& texts);
};

}  // namespace dolmen::bench
