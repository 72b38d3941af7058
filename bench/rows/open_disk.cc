// open_disk opens and closes a small database, as an application does when it starts. The database
// was closed cleanly before.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/bare_senders.h"
#include "bench/data.h"
#include "bench/dolmen_senders.h"
#include "bench/open_rows.h"
#include "bench/written_rows.h"
#include "dolmen/open_options.h"

namespace dolmen::bench::open_disk {
namespace {

constexpr std::uint64_t kConversations = 50;

DataSet SmallSet() {
  DataSet data = ChatData(10 * kMessagesPerConversation).data_set();
  data.size = kConversations * (1 + kParticipantsPerConversation);
  return data;
}

// An opener for OpenRow. It does not send messages: it uses `Sender` only to read.
template <typename Sender>
class DiskOpener {
 public:
  using Store = typename Sender::Store;
  using Opened = std::unique_ptr<Store>;

  static std::string Name() { return "open_disk/" + std::string(Store::kName); }

  Status Prepare(Stores& stores) {
    directory_ = stores.PlaceFor("open_disk_" + std::string(Store::kName));
    return Store::Fill(SmallSet(), Layout::kCompacted, directory_);
  }

  Result<Opened> Open() const {
    return Store::Open(directory_, {.cache_bytes = OpenOptions().cache_bytes});
  }

  static Status Check(const Opened& opened) {
    const DataSet data = SmallSet();
    WrittenRows rows;
    for (std::uint64_t i = 0; i < data.size; ++i) rows.Add(data.item(i));
    Sender sender(*opened);
    return rows.Check(&sender);
  }

 private:
  std::filesystem::path directory_;
};

// An opener of SQLite. It also prepares a statement, because SQLite reads its schema when it
// prepares the first statement. The other stores read their schema when they are opened.
class SqliteOpener : public DiskOpener<BareSender<SqliteWrite>> {
 public:
  Result<Opened> Open() const {
    Result<Opened> opened = DiskOpener::Open();
    if (opened.ok()) SqliteStatement((*opened)->db(), "SELECT item FROM items WHERE pk = ?1");
    return opened;
  }
};

const Registered<OpenRow<DiskOpener<DolmenSender>>> kDolmen;
const Registered<OpenRow<DiskOpener<BareSender<RocksdbWrite>>>> kRocksdb;
const Registered<OpenRow<SqliteOpener>> kSqlite;
const Registered<OpenRow<DiskOpener<BareSender<LmdbWrite>>>> kLmdb;

}  // namespace
}  // namespace dolmen::bench::open_disk
