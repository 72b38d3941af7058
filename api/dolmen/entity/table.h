// A table seen through the entities that it holds.

#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dolmen/entity/query.h"
#include "dolmen/entity/transaction.h"

namespace dolmen {

// What EntityTable::Open makes, with string keys PK and SK.
struct EntityTableInput {
  std::string name = {};
  std::vector<std::string> indexes = {};  // "GSI1": on GSI1PK and GSI1SK, all attributes
  // The attribute of times to live, in seconds.  Items whose time has passed are treated as absent
  // (TimeToLiveSpecification::hide_expired).
  std::string time_to_live = {};
  std::optional<StreamSpecification> stream_specification = {};  // is made if there is none
  RequestObserver observer = {};
};

// A handle; copies are of the same table.  Callable from any number of threads.
//
// A struct given as a `key` is one whose attributes in the primary key's templates are set; nothing
// else of it is looked at.  Errors besides the table's own:
//   kValidation             entity and attribute are named: one is missing, read-only, part of the
//                           key, not one of its enum's values
//   kResourceNotFound       there is no such entity
//   kResourceInUse          there is one already
//   kTransactionConflict    it has another version than was asked for; or it met a transaction, and
//                           OpenOptions::on_conflict is kFail
//   kConditionalCheckFailed the caller's own condition was false
//   kCorruption             the item is another entity's, or not as its entity has it
// On any error nothing has been written; but for batches, which are several, and for an Update that
// returns kCorruption, which has changed an item that can't be read: it was not as its entity has
// it before, or Changes::Add has taken a number past the ends of its member's type.
class EntityTable {
 public:
  EntityTable(Database database, Table table, RequestObserver observer = {});

  // Opens the table, made if there is none.  kValidation: it lacks an index, or a stream's images.
  static Result<EntityTable> Open(const Database& database, const EntityTableInput& input);

  const Database& database() const DOLMEN_LIFETIME_BOUND { return sender_.database(); }
  const Table& table() const DOLMEN_LIFETIME_BOUND { return sender_.table(); }
  Timestamp Now() const { return sender_.context().now; }
  std::string NewUlid() const { return sender_.context().ulids->Next(); }

  // GetItem.
  template <EntityStruct T>
  Result<T> Get(const T& key) const {
    Result<std::optional<T>> found = Find(key);
    if (!found.ok()) return found.status();
    if (!*found) return NotFoundError(entity::kSpec<T>, &key);
    return **std::move(found);
  }
  // The same, where absence is no error.
  template <EntityStruct T>
  Result<std::optional<T>> Find(const T& key) const {
    Result<Item> item_key = entity::PrimaryKeyOf(entity::kSpec<T>, &key);
    if (!item_key.ok()) return item_key.status();
    const Result<GetItemOutput> output = sender_.GetItem(*std::move(item_key));
    if (!output.ok()) return output.status();
    return ReadOptional<T>(output->item);
  }

  // Query, of one entity or of several that share partitions.
  template <EntityStruct... Ts>
  EntityQuery<Ts...> Query(std::string index = {}) const {
    return EntityQuery<Ts...>(sender_, std::move(index));
  }

  // BatchGetItem, as many as it takes: those of the entities that there are, in order of their keys
  // within each hundred.
  template <EntityStruct T>
  Result<std::vector<T>> BatchGet(const std::vector<T>& keys) const {
    const auto item_keys = PrimaryKeysOf(keys);
    if (!item_keys.ok()) return item_keys.status();
    const auto items = sender_.BatchGetItem(*item_keys);
    if (!items.ok()) return items.status();
    std::vector<T> found;
    for (const StoredItem& item : *items) {
      Result<T> read = FromItem<T>(item.view());
      if (!read.ok()) return read.status();
      found.push_back(*std::move(read));
    }
    return found;
  }

  // TransactGetItems: each as it was at one moment, or nothing.
  template <EntityStruct... Ts>
  Result<std::tuple<std::optional<Ts>...>> TransactGet(const Ts&... keys) const {
    std::vector<Item> item_keys;
    Status status;
    (AppendKey(keys, &item_keys, &status), ...);
    if (!status.ok()) return status;
    const auto items = sender_.TransactGetItems(std::move(item_keys));
    if (!items.ok()) return items.status();
    std::tuple<std::optional<Ts>...> found;
    ReadEach(*items, &found, &status, std::index_sequence_for<Ts...>());
    if (!status.ok()) return status;
    return found;
  }

  // PutItem of what must not be there yet.  Returns it with what was filled in.
  template <EntityStruct T>
  Result<T> Create(T value) const {
    return SendAndReturn(entity::PlanCreate(entity::kSpec<T>, sender_.context(), &value), &value);
  }

  // PutItem, in place of what is there; but of nothing that is another entity.  With a version: of
  // what has the version that `value` has, or, if that is 0, of nothing.
  template <EntityStruct T>
  Result<T> Put(T value) const {
    return SendAndReturn(entity::PlanPut(entity::kSpec<T>, sender_.context(), &value), &value);
  }

  // UpdateItem of what is there, or with Changes::OrCreate may be there.  Returns it as it is then.
  // An index's key follows its parts; one that it has several of needs all of them in the update.
  template <EntityStruct T>
  Result<T> Update(const T& key, const Changes<T>& changes) const {
    T scratch{};
    const auto item = SendUpdate(
        entity::PlanUpdate(entity::kSpec<T>, sender_.context(), &key, changes.list(), &scratch));
    if (!item.ok()) return item.status();
    return FromItem<T>(item->view());
  }

  // DeleteItem of what is there.
  template <EntityStruct T>
  Status Remove(const T& key,
                const std::optional<ConditionBuilder>& condition = std::nullopt) const {
    return SendWrite(entity::PlanRemove(entity::kSpec<T>, &key, condition));
  }

  // BatchWriteItem, 25 at a time, each time all or none: in place of whatever is there.
  // kValidation: the entity has a version, which a batch can't check.
  template <EntityStruct T>
  Status BatchPut(std::vector<T> values) const {
    std::vector<WriteRequest> requests;
    for (T& value : values) {
      Status status = AppendPut(entity::kSpec<T>, &value, &requests);
      if (!status.ok()) return status;
    }
    return sender_.BatchWriteItem(std::move(requests));
  }
  template <EntityStruct T>
  Status BatchRemove(const std::vector<T>& keys) const {
    const auto item_keys = PrimaryKeysOf(keys);
    if (!item_keys.ok()) return item_keys.status();
    std::vector<WriteRequest> requests;
    for (const Item& key : *item_keys) requests.push_back(DeleteRequest{key});
    return sender_.BatchWriteItem(std::move(requests));
  }

  EntityTransaction Transact() const { return EntityTransaction(sender_); }

 private:
  static Status NotFoundError(const entity::EntitySpec& entity, const void* key);
  Status SendWrite(Result<entity::PlannedWrite> write) const;
  Result<StoredItem> SendUpdate(Result<entity::PlannedWrite> write) const;
  Status AppendPut(const entity::EntitySpec& entity, void* value,
                   std::vector<WriteRequest>* requests) const;

  template <typename T>
  Result<T> SendAndReturn(Result<entity::PlannedWrite> write, T* value) const {
    if (Status status = SendWrite(std::move(write)); !status.ok()) return status;
    return std::move(*value);
  }

  template <typename T>
  static Result<std::optional<T>> ReadOptional(const std::optional<StoredItem>& item) {
    if (!item) return std::optional<T>();
    Result<T> read = FromItem<T>(item->view());
    if (!read.ok()) return read.status();
    return std::optional<T>(*std::move(read));
  }

  template <typename T>
  static void AppendKey(const T& value, std::vector<Item>* keys, Status* status) {
    Result<Item> key = entity::PrimaryKeyOf(entity::kSpec<T>, &value);
    if (key.ok()) {
      keys->push_back(*std::move(key));
    } else if (status->ok()) {
      *status = key.status();
    }
  }

  template <typename T>
  static Result<std::vector<Item>> PrimaryKeysOf(const std::vector<T>& values) {
    std::vector<Item> keys;
    Status status;
    for (const T& value : values) AppendKey(value, &keys, &status);
    if (!status.ok()) return status;
    return keys;
  }

  template <typename Tuple, std::size_t... kPositions>
  static void ReadEach(const std::vector<std::optional<StoredItem>>& items, Tuple* found,
                       Status* status, std::index_sequence<kPositions...>) {
    (ReadInto(items[kPositions], &std::get<kPositions>(*found), status), ...);
  }
  template <typename T>
  static void ReadInto(const std::optional<StoredItem>& item, std::optional<T>* found,
                       Status* status) {
    Result<std::optional<T>> read = ReadOptional<T>(item);
    if (read.ok()) {
      *found = *std::move(read);
    } else if (status->ok()) {
      *status = read.status();
    }
  }

  entity::RequestSender sender_;
};

}  // namespace dolmen
