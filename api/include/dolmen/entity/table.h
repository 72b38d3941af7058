// A table seen through its entities: EntityTable reads and writes structs.
//
//   auto table = EntityTable::Open(*database, {.name = "hotels", .indexes = {"GSI1"}});
//   auto created = table->Create(Room{.hotel_id = "h1", .number = 101, .price = 120});
//   auto room = table->Get(Room{.hotel_id = "h1", .number = 101});
//   auto updated = table->Update(*room).Set<&Room::note>("quiet").Commit();
//   Status removed = table->Remove(*room);

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/entity/adopt.h"
#include "dolmen/entity/claims.h"
#include "dolmen/entity/migrate.h"
#include "dolmen/entity/query.h"
#include "dolmen/entity/read_items.h"
#include "dolmen/entity/retry.h"
#include "dolmen/entity/scan.h"
#include "dolmen/entity/subscribe.h"
#include "dolmen/entity/transaction.h"
#include "dolmen/entity/update.h"
#include "dolmen/entity/verify_edges.h"

namespace dolmen {

// The table that EntityTable::Open creates or opens. Its keys are the strings PK and SK.
struct EntityTableInput {
  // The table's name, which follows DynamoDB's rules: 3 to 255 letters, digits, '_', '-' and '.'.
  std::string name = {};

  // The names of global secondary indexes. The index "GSI1" has the keys GSI1PK and GSI1SK and
  // holds all attributes.
  std::vector<std::string> indexes = {};

  // The names of local secondary indexes, at most 5. The index "LSI1" has the sort key LSI1SK and
  // holds all attributes. An existing table must have them.
  std::vector<std::string> local_indexes = {};

  // True: Open adds the global indexes that an existing table lacks, and waits until they can be read. Items
  // that were written before their entity had a key in the index get it by Reindex, or with their
  // next write.
  bool add_missing_indexes = false;

  // The attribute with the time at which an item expires, in seconds since 1970
  // (MemberAttribute::AsEpochSeconds). Every request treats an expired item as absent
  // (TimeToLiveSpecification::hide_expired). "": Open does not enable the time to live.
  std::string time_to_live = {};

  // The stream of changes. Open enables it if the table has no stream. Empty: Open enables no
  // stream.
  std::optional<StreamSpecification> stream_specification = {};

  // The function that is called after each request (request_log.h). Empty: none.
  RequestObserver observer = {};
};

// A table of entities. A handle: copies refer to the same table and keep its database open.
// Thread-safe. Results own their data.
//
// A struct that is passed as a `key` needs only the attributes in the primary key's templates. No
// other member is read.
//
// Every read of an embedded database is consistent: it sees the latest acknowledged write. Reads are requests
// without ConsistentRead and consume their capacity, so on a service (Database::Connect), and in a simulation with a lag
// of reads, they may miss the newest writes. A write of one entity is atomic, index keys included. After an error
// nothing has been written, except by a batch of several requests, and where the message says so.
//
// The message of an error names the entity and its key or attribute. Every function can return, in
// addition to the errors of the table itself:
// - kValidation: a required attribute or a part of a key is missing.
// - kValidation: a value cannot be stored or does not fit into a key (key.h).
// - kCorruption: the stored item belongs to a different entity, or cannot be read as its entity.
// - kTransactionConflict: a transaction holds the item of a write. Only if
//   OpenOptions::on_conflict is kFail.
class EntityTable {
 public:
  // Uses a table that is already open. The caller ensures that the table's keys and indexes fit
  // the entities. Use this constructor for a table with other key names (KeyDeclaration::Named).
  EntityTable(Database database, Table table, RequestObserver observer = {});

  // Opens the table, or creates it if it does not exist. Enables the time to live and the stream,
  // if they are given and not enabled yet. Several threads may open the same table at once.
  //
  // Indexes of an existing table are compared by name only. If the function fails, it may already
  // have created the table.
  // - kValidation: the existing table lacks an index of the input, and add_missing_indexes is false
  //   or the index is local.
  // - kValidation: the existing stream does not contain the images of the input.
  // - kValidation: the time to live is enabled on a different attribute.
  // - Any error of Database::CreateTable, OpenTable, UpdateTable and UpdateTimeToLive.
  static Result<EntityTable> Open(const Database& database, const EntityTableInput& input);

  const Database& database() const DOLMEN_LIFETIME_BOUND { return sender_.database(); }
  const Table& table() const DOLMEN_LIFETIME_BOUND { return sender_.table(); }

  // Returns the time by the database's clock.
  Timestamp Now() const { return sender_.context().now; }

  // Returns a new ULID, for an id that the caller must know before the write.
  std::string NewUlid() const { return sender_.context().ulids->Next(); }

  // Returns the entity with the same primary key as `key` (GetItem).
  // - kResourceNotFound: the entity does not exist.
  template <typename T>
  Result<T> Get(const T& key) const {
    Result<std::optional<T>> found = Find(key);
    if (!found.ok()) return found.status();
    if (!*found) return NotFoundError(entity::kSpec<T>, &key);
    return **std::move(found);
  }

  // Returns the entity with the same primary key as `key`, or nothing if it does not exist
  // (GetItem).
  template <typename T>
  Result<std::optional<T>> Find(const T& key) const {
    Result<Item> item_key = entity::PrimaryKeyOf(entity::kSpec<T>, &key);
    if (!item_key.ok()) return item_key.status();
    const Result<GetItemOutput> output = sender_.GetItem(*std::move(item_key));
    if (!output.ok()) return output.status();
    return entity::ReadOptional<T>(output->item);
  }

  // Returns the entity that has this value of a unique attribute (EntityDefinition::Unique), or nothing.
  // Reads the claim, and then the entity (GetItem).
  template <auto... kPath>
  auto FindBy(const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& value)
      const -> Result<std::optional<typename entity::MemberPath<kPath...>::Struct>> {
    using T = typename entity::MemberPath<kPath...>::Struct;
    T wanted{};
    entity::MemberPath<kPath...>::FindOrCreate(wanted) = value;
    return entity::FindOwner(sender_, entity::kSpec<T>, entity::AttributePosition<kPath...>(),
                             &wanted)
        .and_then([](const GetItemOutput& owner) { return entity::ReadOptional<T>(owner.item); });
  }

  // Starts a query of one entity, or of several entities in the same partition (query.h). `index`
  // is the name of an index, or "" for the table. Sends nothing yet.
  template <typename... Ts>
  EntityQuery<Ts...> Query(std::string index = {}) const {
    return EntityQuery<Ts...>(sender_, std::move(index));
  }

  // Starts a scan of all items of one or several entities (scan.h). `index` is the name of an index,
  // or "" for the table. Sends nothing yet.
  template <typename... Ts>
  EntityScan<Ts...> Scan(std::string index = {}) const {
    return EntityScan<Ts...>(sender_, std::move(index));
  }

  // Returns the entities with the primary keys of `keys`, without those that do not exist
  // (BatchGetItem). Sends one request for each 100 keys. The entities are in the order of `keys`.
  // Different requests read different snapshots; TransactGet reads one snapshot.
  // - kValidation: a key occurs twice among the keys of one request.
  template <typename T>
  Result<std::vector<T>> BatchGet(const std::vector<T>& keys) const {
    const auto item_keys = entity::PrimaryKeysOf(keys);
    if (!item_keys.ok()) return item_keys.status();
    const auto items = sender_.BatchGetItem(*item_keys);
    if (!items.ok()) return items.status();
    std::vector<T> found;
    for (const StoredItem& item : *items) {
      Result<T> read = entity::ReadEntity<T>(item.view());
      if (!read.ok()) return read.status();
      found.push_back(*std::move(read));
    }
    return found;
  }

  // Returns the entities with the primary keys of `keys` from one snapshot (TransactGetItems). An
  // element is nothing if its entity does not exist. Takes 1 to 100 keys. Costs four times the
  // read units of Get.
  // - kValidation: two keys are the same, or the items exceed 4 MB.
  // - kTransactionCanceled: a write holds one of the items. Only if OpenOptions::on_conflict is
  //   kFail.
  //
  //   const auto found = table.TransactGet(Hotel{.id = "h1"}, room);
  //   if (found.ok() && std::get<0>(*found)) std::cout << std::get<0>(*found)->name;
  template <typename... Ts>
  Result<std::tuple<std::optional<Ts>...>> TransactGet(const Ts&... keys) const {
    std::vector<Item> item_keys;
    Status status;
    (entity::AppendKey(keys, &item_keys, &status), ...);
    if (!status.ok()) return status;
    const auto items = sender_.TransactGetItems(std::move(item_keys));
    if (!items.ok()) return items.status();
    std::tuple<std::optional<Ts>...> found;
    entity::ReadEach(*items, &found, &status, std::index_sequence_for<Ts...>());
    if (!status.ok()) return status;
    return found;
  }

  // Stores a new entity (PutItem). Applies IfUnset, Always and Derived, and sets the version to 1.
  // Returns the entity as stored.
  // - kResourceInUse: the entity already exists.
  template <typename T>
  Result<T> Create(T value) const {
    Status created = entity::SendCreate(sender_, entity::kSpec<T>, &value);
    if (!created.ok()) return created;
    return value;
  }

  // Stores an entity and replaces the whole entity with the same key, if there is one (PutItem).
  // Applies IfUnset, Always and Derived. Returns the entity as stored.
  //
  // If the entity has a version attribute, Put only replaces a stored entity with the same version
  // as `value`. With version 0 in `value`, the entity must not exist yet. Put stores the version
  // of `value` plus 1.
  // - kTransactionConflict: the stored entity has a different version, or was removed after it was
  //   read.
  // - kValidation: the version has reached the greatest 64-bit integer.
  template <typename T>
  Result<T> Put(T value) const {
    Status put = entity::SendPut(sender_, entity::kSpec<T>, &value);
    if (!put.ok()) return put;
    return value;
  }

  // Changes attributes of an existing entity (UpdateItem). With Changes::OrCreate, creates the
  // entity if it does not exist. Sets Always attributes, increases the version and updates index
  // keys. Returns the whole entity as it is after the update.
  //
  // The update is one request if it depends on no stored value. Otherwise it is computed for the item, which
  // a refused request returns or which is read, and written if no other writer has changed it in between.
  // - kValidation: a change is not allowed; the class comment of Changes lists the reasons.
  // - kResourceNotFound: the entity does not exist, and OrCreate is not set.
  // - kTransactionConflict: the entity does not have the version of Changes::IfVersion.
  // - kConditionalCheckFailed: the condition of Changes::If is false.
  // - kValidation: the entity cannot hold a new value: Changes::Add left the range of the member's
  //   type, or a value does not fit into the key of an index.
  // - kCorruption: the item could not be read before, and the update does not repair it. The message says
  //   so if the update was executed nevertheless.
  // - kTransactionConflict: other writers changed the item during each of 1000 attempts.
  template <typename T>
  Result<T> Update(const T& key, const Changes<T>& changes) const {
    return entity::SendUpdateOf(sender_, key, changes.list());
  }

  // Starts the update of an existing entity (update.h). Sends nothing yet.
  template <typename T>
  EntityUpdate<T> Update(T key) const {
    return EntityUpdate<T>(sender_, std::move(key));
  }

  // Deletes an existing entity (DeleteItem). If `condition` is given, it must hold. Does not
  // check the version; to check it, use a condition on the version attribute.
  // - kResourceNotFound: the entity does not exist.
  // - kConditionalCheckFailed: the condition is false. `words` is the message, as in Changes::If.
  template <typename T>
  Status Remove(const T& key, const std::optional<ConditionBuilder>& condition = std::nullopt,
                std::string words = {}) const {
    return entity::SendRemove(sender_, entity::kSpec<T>, &key, condition, std::move(words));
  }

  // Stores entities without conditions (BatchWriteItem). Sends one request for each 25 entities, which is
  // atomic on an embedded database. Sends unprocessed writes again. Replaces any item with the same key,
  // even an item of a different entity. Applies IfUnset, Always and Derived.
  //
  // Every entity of a batch is checked before the first request. If a request fails, the earlier requests have been
  // written, and on a service maybe some of its own writes. Edges and entities with
  // unique attributes are put one by one, as Put does, also if they have a version.
  // - kValidation: the entity has a version, which a batch cannot check.
  // - kValidation: two entities in one request have the same key.
  // - kProvisionedThroughputExceeded: a request has done none of its writes. Earlier writes have been done.
  template <typename T>
  Status BatchPut(std::vector<T> values) const {
    if constexpr (entity::kSpec<T>.AddsWrites()) return PutEach(std::move(values));
    std::vector<WriteRequest> requests;
    for (T& value : values) {
      Status status = AppendPut(entity::kSpec<T>, &value, &requests);
      if (!status.ok()) return status;
    }
    return sender_.BatchWriteItem(std::move(requests));
  }

  // Deletes items without conditions (BatchWriteItem), in requests of 25 as BatchPut does. An
  // entity that does not exist is not an error. Does not check versions. Removes edges
  // and entities with unique attributes one by one.
  template <typename T>
  Status BatchRemove(const std::vector<T>& keys) const {
    if constexpr (entity::kSpec<T>.AddsWrites()) return RemoveEach(keys);
    const auto item_keys = entity::PrimaryKeysOf(keys);
    if (!item_keys.ok()) return item_keys.status();
    std::vector<WriteRequest> requests;
    for (const Item& key : *item_keys) requests.push_back(DeleteRequest{key});
    return sender_.BatchWriteItem(std::move(requests));
  }

  // Calls `change` for each entity of the type T in the table, and stores the changed entity
  // (migrate.h). Also stores what a read adds: initialisers, index keys, upgrades of versions. Computes
  // Derived attributes again.
  //
  // `change` may be called several times for one entity, also from the start after a crash, so it
  // must depend on the entity alone and accept an entity that it has changed before. It must not use
  // the database and cannot change the primary key. Increases the version of an entity that changes.
  // - kValidation: the cursor is from a different table.
  // - The error of MigrateOptions::on_progress, unchanged.
  // - Any error of Table::Scan. Errors of single items are in the returned MigrationProgress.
  template <typename T, typename Change>
  Result<MigrationProgress> Migrate(Change change, const MigrateOptions& options = {}) const {
    return entity::MigrateItems(
        sender_, entity::kSpec<T>, [&](void* value) { change(*static_cast<T*>(value)); }, options);
  }

  // Stores the attributes and the index keys that the items of T lack, for example after Open has
  // added an index. Otherwise like Migrate without changes.
  template <typename T>
  Result<MigrationProgress> Reindex(const MigrateOptions& options = {}) const {
    return entity::MigrateItems(sender_, entity::kSpec<T>, {}, options);
  }

  // Makes the claims of unique attributes for the items of T that were written before the attributes
  // were unique. May run while other programs write; they must already know that the attributes are
  // unique. An item whose value has another owner is a failure: "email a@b is taken". Otherwise like
  // Migrate without changes.
  template <typename T>
  Result<MigrationProgress> AdoptUnique(const MigrateOptions& options = {}) const {
    static_assert(!entity::kSpec<T>.uniques.empty(), "the entity has no unique attributes");
    return entity::AdoptItems(sender_, entity::kSpec<T>, options);
  }

  // Finds the edges of type T without an inverse, and inverses without an edge (DefineEntity...Edge).
  // Writes nothing. Each lost direction, and each whose shared attributes differ, is a failure with
  // kCorruption. A Put of the edge mends it. Otherwise like Migrate.
  template <typename T>
  Result<MigrationProgress> VerifyEdges(const MigrateOptions& options = {}) const {
    static_assert(!entity::kSpec<T>.edges.empty(), "the entity is not an edge");
    return entity::VerifyEdges(sender_, entity::kSpec<T>, options);
  }

  // Begins or resumes a subscription to the changes of the entities of type T (subscribe.h).
  // `handler` takes a const EntityChange<T>& and returns a Status, with the rules of RecordHandler.
  // Changes of other entities are skipped.
  // - kValidation: the table's stream has neither old nor new images (kKeysOnly).
  // - kCorruption (from Subscription::Deliver): an image cannot be read as a T. To skip the record,
  //   use Subscription::Seek.
  // - Any error of Table::Subscribe.
  template <typename T, typename Handler>
  Result<Subscription> Subscribe(const SubscribeInput& input, Handler handler) const {
    if (Status status = CheckImages(); !status.ok()) return status;
    return table().Subscribe(input, entity::HandleChanges<T>(std::move(handler)));
  }

  // Starts a transaction of several writes (transaction.h). Sends no request; Commit sends it.
  EntityTransaction Transact() const { return EntityTransaction(sender_); }

  // Calls `attempt` with an empty transaction and commits what it adds. Repeats both after a
  // conflict, with a growing pause (RetryOptions). `attempt` must read the entities that it writes,
  // and must have no other effects, because it can run several times.
  //
  //   const Status moved = table.Retry([&](EntityTransaction& transaction) -> Status {
  //     const Result<Account> account = table.Get(Account{.id = "a1"});
  //     if (!account.ok()) return account.status();
  //     if (account->balance < 5) return Status::Validation("a1 has less than 5");
  //     transaction.Update(*account, Changes<Account>()
  //                                      .Set<&Account::balance>(account->balance - 5)
  //                                      .IfVersion(account->version));
  //     return {};
  //   });
  //
  // Returns every other error at once: the error of `attempt`, and the errors of Commit.
  // - kTransactionConflict: the last attempt had a conflict, too. The message says if all attempts wrote the same outdated
  //   version: then `attempt` uses an entity that was read before, or reads of a service lag behind.
  Status Retry(const std::function<Status(EntityTransaction&)>& attempt,
               const RetryOptions& options = {}) const {
    return entity::RetryTransaction(sender_, attempt, options);
  }

 private:
  // Returns kResourceNotFound with a message that names the entity and the key. If the key is
  // invalid, returns the error of the key.
  static Status NotFoundError(const entity::EntitySpec& entity, const void* key);

  // Returns kValidation if the table has a stream without images.
  Status CheckImages() const;

  // Fills the entity at `value` and appends its put to `*requests`.
  Status AppendPut(const entity::EntitySpec& entity, void* value,
                   std::vector<WriteRequest>* requests) const;

  template <typename T>
  Status PutEach(std::vector<T> values) const {
    for (T& value : values) {
      if (Status put = Put(std::move(value)).status(); !put.ok()) return put;
    }
    return {};
  }
  template <typename T>
  Status RemoveEach(const std::vector<T>& keys) const {
    for (const T& key : keys) {
      Status removed = Remove(key);
      if (!removed.ok() && removed.code() != StatusCode::kResourceNotFound) return removed;
    }
    return {};
  }

  entity::RequestSender sender_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
