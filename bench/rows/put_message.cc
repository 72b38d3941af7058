// put_message puts one new message without a condition. The message is in no index, so a put
// writes one row. No write waits for the disk. In the report's row dolmen_stream, the table has a
// stream, so a put also writes a stream record. In the row dolmen_uncached, the row cache is off.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bench/writers.h"

namespace dolmen::bench::put_message {
namespace {

struct PutMessage : MessagePut {
  static constexpr std::string_view kName = "put_message";
  static constexpr std::string_view kCopy = "written";
  static constexpr Durability kDurability = Durability::kBuffered;
  static constexpr std::uint64_t kWritesChecked = 1000;
};

struct PutStreamedMessage : PutMessage {
  static constexpr std::string_view kCopy = "streamed";
};

class StreamedPuts : public MessageWrites<PutStreamedMessage, DolmenStreamSender> {
 public:
  Status Prepare(Stores& stores) override {
    Status prepared = MessageWrites::Prepare(stores);
    return prepared.ok() ? CheckStream(stores) : prepared;
  }

 private:
  // Checks that the stream holds exactly one record for each message that was put.
  static Status CheckStream(Stores& stores) {
    const auto store = stores.CopyOf<DolmenStreamStore>(
        PutStreamedMessage::kCopy, {.durability = PutStreamedMessage::kDurability});
    if (!store.ok()) return store.status();
    std::uint64_t number = 0;  // the message to compare; the first one is 1
    SubscribeInput input;
    input.name = "check";
    input.in_background = false;
    auto records = (*store)->table().Subscribe(input, [&](const StreamRecord& record) {
      const std::string expected = StoredForm(stores.data().Send(++number).message);
      return record.new_image && !record.old_image && record.new_image->view().bytes() == expected
                 ? Status()
                 : Status::Corruption("wrong stream record for message " + std::to_string(number));
    });
    if (!records.ok()) return records.status();
    const Result<std::size_t> count = records->Deliver();
    if (!count.ok()) return count.status();
    if (*count == PutStreamedMessage::kWritesChecked) return {};
    return Status::Corruption("the stream has " + std::to_string(*count) + " records");
  }
};

const AllWriters<PutMessage> kContenders;
const Registered<MessageWrites<Uncached<PutMessage>, DolmenUncachedSender>> kUncached;
const Registered<StreamedPuts> kStreamed;
const Registered<MessageWrites<PutMessage, DolmenEncryptedSender>> kEncrypted;

}  // namespace
}  // namespace dolmen::bench::put_message
