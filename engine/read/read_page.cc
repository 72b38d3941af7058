#include "engine/read/read_page.h"

#include <boost/container/small_vector.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/read/cached_cursor.h"
#include "engine/read/capacity.h"
#include "engine/read/cursors.h"
#include "engine/read/page_writer.h"
#include "engine/read/read_plan.h"
#include "engine/read/start_key.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {
namespace {

// The size in bytes at which a page ends. The item that reaches this size is the last item of the
// page.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html
constexpr std::uint64_t kPageBytesMax = 1 << 20;

// A reader that fetches an item from the table if the item's index entry holds only a part of the
// item.
class ItemFetcher {
 public:
  ItemFetcher(const Store& store, const TableSchema& table, const Snapshot& snapshot)
      : store_(store), table_(table), snapshot_(snapshot) {}

  // Returns the whole item to which the index entry belongs. The view lives until the next call.
  // - kCorruption: the item does not exist, or the item or the entry is damaged.
  Result<ItemView> Fetch(const ItemView& entry) {
    const std::optional<KeyBytes> key = KeyOfStoredItem(table_.keys, entry);
    if (!key) return Status::Corruption("an index entry lacks a key attribute of its item");
    const Result<bool> found = store_.Get(RowKey(table_.keyspace, *key), &bytes_, &snapshot_);
    if (!found.ok()) return found.status();
    if (!*found) return Status::Corruption("an index has an entry without an item");
    return ItemView::Parse({bytes_.data(), bytes_.size()});
  }

 private:
  const Store& store_;
  const TableSchema& table_;
  const Snapshot& snapshot_;
  PinnedValue bytes_;
};

// A reader that fills a page from a cursor.
class PageReader {
 public:
  // `fetcher` is null if the values of the cursor hold everything that the plan needs.
  PageReader(const ReadPlan& plan, ItemFetcher* fetcher, QueryOutput* page)
      : plan_(plan),
        fetcher_(fetcher),
        page_(page),
        limit_(plan.limit.value_or(std::numeric_limits<std::uint32_t>::max())),
        count_only_(plan.select == Select::kCount),
        bytes_(plan.ranges.size(), 0) {}

  // Reads rows of the row cache. The page then pins the rows in place of copying them. If the
  // cursor runs out of rows, the page is not complete.
  Status ReadCached(CachedCursor& cursor) {
    if (!plan_.projection) page_.Pin(internal::PinnedRows(cursor.stretch()));
    if (plan_.is_plain()) return ReadPlain(cursor);
    return plan_.forward ? ReadForward(cursor) : ReadBackward(cursor);
  }

  template <typename AnyCursor>
  Status ReadForward(AnyCursor& cursor) {
    cursor.SeekToFirst();
    return Read(cursor, [&] { cursor.Next(); });
  }

  template <typename AnyCursor>
  Status ReadBackward(AnyCursor& cursor) {
    cursor.SeekToLast();
    return Read(cursor, [&] { cursor.Previous(); });
  }

 private:
  // Adds the rows without looking into them.
  Status ReadPlain(CachedCursor& cursor) {
    const auto added = cursor.AddTo(&page_, plan_.forward, limit_, kPageBytesMax);
    count_ = scanned_ = added.count;
    bytes_.front() = added.item_bytes;
    if (cursor.ran_out()) return {};
    if (!cursor.Valid()) return Finish();
    DOLMEN_ASSIGN_OR_RETURN(const ItemView last, ItemView::Parse(cursor.value()));
    return FinishAt(last, cursor, [&] { plan_.forward ? cursor.Next() : cursor.Previous(); });
  }

  template <typename AnyCursor, typename Step>
  Status Read(AnyCursor& cursor, Step step) {
    for (; cursor.Valid(); step()) {
      if constexpr (requires { cursor.PrefetchAhead(true); }) cursor.PrefetchAhead(plan_.forward);
      DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(cursor.value()));
      std::size_t range = 0;
      if constexpr (requires { cursor.range(); }) range = cursor.range();
      const std::uint32_t bytes = item.size_bytes();
      bytes_[range] += bytes;
      page_bytes_ += bytes;
      DOLMEN_RETURN_IF_ERROR(fetcher_ == nullptr ? AddUnlessHidden(item, item, item)
                                                 : FetchAndAdd(item));
      if (scanned_ == limit_ || page_bytes_ >= kPageBytesMax) return FinishAt(item, cursor, step);
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    if constexpr (requires { cursor.ran_out(); }) {
      if (cursor.ran_out()) return {};
    }
    return Finish();
  }

  // Adds an item to the page. `stored` is the item's row or its index entry, which does not hold
  // everything that the plan needs.
  Status FetchAndAdd(const ItemView& stored) {
    DOLMEN_ASSIGN_OR_RETURN(const ItemView item, fetcher_->Fetch(stored));
    page_bytes_ += item.size_bytes();
    fetched_units_ += ReadUnits(item.size_bytes(), plan_.consistent);
    if (!plan_.fetches_items) return AddUnlessHidden(item, stored, stored);
    const bool whole = plan_.select == Select::kAllAttributes || plan_.projection;
    return AddUnlessHidden(item, item, whole ? item : stored);
  }

  // Adds the item to the page unless the item is hidden. Reads the item's expiry time from `row`,
  // which is the item or its index entry.
  [[gnu::always_inline]] Status AddUnlessHidden(const ItemView& row, const ItemView& item,
                                                const ItemView& shown) {
    if (plan_.hidden && plan_.hidden->IsExpired(row)) return {};
    ++scanned_;
    return AddIfAccepted(item, shown);
  }

  // Applies the filter to `item`. If the filter accepts the item, adds the attributes of `shown`
  // that the plan's projection selects to the page. `shown` is the whole item or its index entry.
  [[gnu::always_inline]] Status AddIfAccepted(const ItemView& item, const ItemView& shown) {
    if (plan_.filter) {
      DOLMEN_ASSIGN_OR_RETURN(const bool holds, plan_.filter->Evaluate(item));
      if (!holds) return {};
    }
    return AddAccepted(shown);
  }

  [[gnu::always_inline]] Status AddAccepted(const ItemView& shown) {
    ++count_;
    if (count_only_) return {};
    if (plan_.projection) {
      DOLMEN_RETURN_IF_ERROR(plan_.projection->Apply(shown, page_.Append()));
      page_.Commit();
    } else {
      page_.Add(shown.bytes());
    }
    return {};
  }

  // Sets the page's LastEvaluatedKey and its other results. `last` is the last item that was read,
  // at the cursor's row. If no item can follow the last item, the page has no LastEvaluatedKey, as
  // in DynamoDB Local. A start key is rejected here, so a page without an end key keeps paginators
  // working.
  template <typename AnyCursor, typename Step>
  Status FinishAt(const ItemView& last, AnyCursor& cursor, Step step) {
    if (plan_.reads_one_item()) return Finish();
    DOLMEN_RETURN_IF_ERROR(SetEvaluatedKey(plan_, last, cursor.key(), page_.last_evaluated_key()));
    if (plan_.exact_end) {
      DOLMEN_ASSIGN_OR_RETURN(const bool has_next, HasNext(cursor, step));
      if (!has_next) return Finish();
    }
    return SetResults();
  }
  // Returns true if an item that is not hidden follows the cursor's row, or if it looked for one in
  // more than a page of hidden items.
  template <typename AnyCursor, typename Step>
  Result<bool> HasNext(AnyCursor& cursor, Step step) {
    std::uint64_t hidden_bytes = 0;
    for (step(); cursor.Valid(); step()) {
      if (!plan_.hidden) return true;
      DOLMEN_ASSIGN_OR_RETURN(ItemView row, ItemView::Parse(cursor.value()));
      if (fetcher_ != nullptr) {
        DOLMEN_ASSIGN_OR_RETURN(row, fetcher_->Fetch(row));
      }
      hidden_bytes += row.size_bytes();
      if (!plan_.hidden->IsExpired(row) || hidden_bytes >= kPageBytesMax) return true;
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    return false;
  }
  // Sets the results of a page that reached the end of the plan's ranges.
  Status Finish() {
    page_.last_evaluated_key()->clear();
    return SetResults();
  }

  // Sets the page's counts and its consumed capacity.
  Status SetResults() {
    page_.SetCounts(count_, scanned_,
                    std::accumulate(bytes_.begin(), bytes_.end(), std::uint64_t{0}));
    CapacityMeter meter(plan_.return_consumed_capacity);
    if (!meter.counts()) return {};
    // Each partition consumes as much capacity as a separate Query of the partition.
    for (const std::uint64_t bytes : bytes_) {
      meter.AddRead(*plan_.table, plan_.index, ReadUnits(bytes, plan_.consistent));
    }
    if (fetched_units_ > 0) meter.AddRead(*plan_.table, nullptr, fetched_units_);
    if (auto capacity = meter.TakeOne()) page_.SetConsumedCapacity(*std::move(capacity));
    return {};
  }

  const ReadPlan& plan_;
  ItemFetcher* fetcher_;
  internal::PageWriter page_;
  const std::uint32_t limit_;
  const bool count_only_;
  std::uint32_t count_ = 0;
  std::uint32_t scanned_ = 0;
  std::uint64_t page_bytes_ = 0;
  boost::container::small_vector<std::uint64_t, 1> bytes_;  // the size of the items read, by range
  double fetched_units_ = 0;
};

// Reads the plan's ranges with a cursor of the type that the plan needs.
Status ReadRanges(const Store& store, const ReadPlan& plan, const Snapshot* snapshot,
                  PageReader* reader) {
  if (plan.segment) {
    SegmentCursor cursor(store, plan, snapshot);
    return reader->ReadForward(cursor);
  }
  if (plan.ranges.size() > 1) {
    MergingCursor cursor(store, plan, *snapshot);
    return plan.forward ? reader->ReadForward(cursor) : reader->ReadBackward(cursor);
  }
  Cursor cursor(store, plan.ranges.front(), snapshot);
  return plan.forward ? reader->ReadForward(cursor) : reader->ReadBackward(cursor);
}

// Reads the plan's only range with `base`. Shuffles entries with equal index keys unless
// `equal_keys` is null.
template <typename Base>
Status ReadShuffled(Base base, const EqualKeyOrder* equal_keys, PageReader* reader) {
  if (equal_keys == nullptr) return reader->ReadForward(base);
  EqualKeyCursor<Base> cursor(&base, *equal_keys);
  if constexpr (requires { base.SeekToLast(); }) {
    if (!equal_keys->forward()) return reader->ReadBackward(cursor);
  }
  return reader->ReadForward(cursor);
}

// Compares a page from the row cache with a page from RocksDB (RowCache::checks_reads()).
Status CheckCached(const Store& store, const ReadPlan& plan, const RowCache::Reader& reader,
                   const QueryOutput& page) {
  QueryOutput other;
  PageReader page_reader(plan, nullptr, &other);
  DOLMEN_RETURN_IF_ERROR(ReadRanges(store, plan, nullptr, &page_reader));
  if (!reader.IsStillVisible()) return {};
  bool is_same = page.count() == other.count() && page.scanned_count() == other.scanned_count() &&
                 page.size() == other.size() &&
                 page.last_evaluated_key() == other.last_evaluated_key();
  for (std::size_t i = 0; is_same && i < page.size(); ++i) {
    is_same = page[i].bytes() == other[i].bytes();
  }
  return is_same ? Status() : Status::Corruption("the row cache has another page than RocksDB");
}

// Reads the plan's only range from the row cache. Returns nothing if the cache does not hold all
// rows of the page; the content of the page is then unspecified.
std::optional<Status> ReadCached(const Store& store, RowCache& cache, const ReadPlan& plan,
                                 QueryOutput* page) {
  RowCache::Reader reader(cache);
  if (const auto rows = reader.Find(plan.ranges.front(), plan.forward)) {
    PageReader page_reader(plan, nullptr, page);
    CachedCursor cursor(*rows);
    Status read = page_reader.ReadCached(cursor);
    if (!cursor.ran_out()) {
      reader.CountHit();
      if (read.ok() && cache.checks_reads()) {
        return CheckCached(store, plan, reader, *page);
      }
      return read;
    }
  }
  reader.CountMiss();
  return std::nullopt;
}

// Returns true if a reader of the range finds a row before it reaches `rest` (RowCache::checks_reads()).
bool HasRowBefore(const Store& store, const KeyRange& range, const KeyRange& rest, bool forward) {
  Cursor cursor(store, range);
  forward ? cursor.SeekToFirst() : cursor.SeekToLast();
  if (!cursor.Valid()) return false;
  return forward ? cursor.key() < rest.lower.bytes() : cursor.key() >= rest.upper.bytes();
}

// The state of the store that a page shows. A plan that fetches items needs a snapshot, because its cursor and its fetcher
// read the same state.
class PageState {
 public:
  PageState(const Store& store, const ReadPlan& plan)
      : store_(store), plan_(plan), fetches_(plan.fetches_items || plan.fetches_expiry) {}

  bool fetches() const { return fetches_; }
  // True if the last cursor of OpenBehindGap() leaves out keys.
  bool begins_behind_gap() const { return begins_behind_gap_; }
  // Returns true if the row cache knows the row where the read begins.
  bool KnowsFirstRow(RowCache& cache) const {
    RowCache::Reader reader(cache);
    const auto rows = reader.Find(plan_.ranges.front(), plan_.forward);
    return rows && rows->begin != rows->end;
  }
  // Makes a cursor for the plan's only range. It leaves out the keys where the read begins if the row cache knows that no
  // row has them. RocksDB would pass over each row that was deleted there: a queue would become slower with each row that
  // its reader takes.
  template <typename AnyCursor, typename... Arguments>
  Status OpenBehindGap(RowCache& cache, std::optional<AnyCursor>* cursor,
                       const Arguments&... arguments) {
    const KeyRange& range = plan_.ranges.front();
    RowCache::Reader reader(cache);
    const auto rows = reader.Find(range, plan_.forward);
    if (fetches_) snapshot_.emplace(store_);
    const Snapshot* const snapshot = snapshot_ ? &*snapshot_ : nullptr;
    if (rows) {
      const KeyRange rest = rows->WithoutGap(range, plan_.forward);
      cursor->emplace(store_, rest, snapshot, arguments...);
      const bool gap_has_row =
          cache.checks_reads() && HasRowBefore(store_, range, rest, plan_.forward);
      // If no write has changed the rows, they are those of the state that the cursor reads.
      if (reader.IsStillVisible()) {
        begins_behind_gap_ = rest.lower != range.lower || rest.upper != range.upper;
        return gap_has_row ? Status::Corruption("the row cache lacks a row of RocksDB") : Status();
      }
    }
    cursor->emplace(store_, range, snapshot, arguments...);
    return {};
  }
  // Fills the page from a cursor that OpenBehindGap() has made.
  template <typename AnyCursor>
  Status Read(AnyCursor& cursor, QueryOutput* page) const {
    std::optional<ItemFetcher> fetcher;
    if (snapshot_) fetcher.emplace(store_, *plan_.table, *snapshot_);
    PageReader reader(plan_, fetcher ? &*fetcher : nullptr, page);
    return plan_.forward ? reader.ReadForward(cursor) : reader.ReadBackward(cursor);
  }

 private:
  const Store& store_;
  const ReadPlan& plan_;
  const bool fetches_;
  bool begins_behind_gap_ = false;
  std::optional<Snapshot> snapshot_;
};

// Reads a plan with one range of one partition.
Status ReadRange(const Store& store, RowCache& cache, const ReadPlan& plan, QueryOutput* page) {
  PageState state(store, plan);
  if (!state.fetches()) {
    if (std::optional<Status> read = ReadCached(store, cache, plan, page)) return *std::move(read);
    internal::PageWriter(page).ClearItems();
  }
  // A plan that fetches items takes no rows from the cache, so it fills the cache only to learn where the first row is.
  std::optional<RowCache::Fill> fill;
  if (!state.fetches() || !state.KnowsFirstRow(cache)) {
    fill.emplace(cache, plan.ranges.front(), plan.forward);
  }
  if (!fill || !fill->active()) {
    std::optional<Cursor> cursor;
    DOLMEN_RETURN_IF_ERROR(state.OpenBehindGap(cache, &cursor));
    return state.Read(*cursor, page);
  }
  std::optional<FillingCursor> cursor;
  DOLMEN_RETURN_IF_ERROR(state.OpenBehindGap(cache, &cursor, &*fill));
  DOLMEN_RETURN_IF_ERROR(state.Read(*cursor, page));
  // A reader behind a gap has probably deleted the rows there, and will take the next ones.
  if (state.begins_behind_gap()) cursor->ReadAhead(plan.forward);
  cursor->Finish(plan.forward);
  return {};
}

}  // namespace

Status ReadPage(const Store& store, const ReadPlan& plan, QueryOutput* page) {
  internal::PageWriter(page).ClearItems();
  // A Scan does not use the row cache, because it reads each row once.
  if (plan.ranges.size() == 1 && !plan.is_scan && store.row_cache() != nullptr) {
    return ReadRange(store, *store.row_cache(), plan, page);
  }
  // A single cursor reads one state of the store. If the plan needs several cursors, or a cursor
  // and a fetcher, a snapshot lets all of them read the same state.
  std::optional<Snapshot> snapshot;
  std::optional<ItemFetcher> fetcher;
  const bool fetches = plan.fetches_items || plan.fetches_expiry;
  if (plan.ranges.size() > 1 || fetches) snapshot.emplace(store);
  if (fetches) fetcher.emplace(store, *plan.table, *snapshot);
  PageReader reader(plan, fetcher ? &*fetcher : nullptr, page);
  return ReadRanges(store, plan, snapshot ? &*snapshot : nullptr, &reader);
}

Status ReadPageInOrder(const Store& store, const Item& start, const ReadOrder& order,
                       ReadPlan* plan, QueryOutput* page) {
  const bool shuffles =
      order.shuffles_equal_keys && plan->index != nullptr && plan->ranges.size() == 1;
  if (!shuffles && !(order.hashes_partitions && plan->is_scan)) return ReadPage(store, *plan, page);
  internal::PageWriter(page).ClearItems();
  std::optional<EqualKeyOrder> equal_keys;
  if (shuffles) equal_keys.emplace(start, order.seed, plan);
  const EqualKeyOrder* const shuffle = equal_keys ? &*equal_keys : nullptr;
  const Snapshot snapshot(store);
  ItemFetcher fetcher(store, *plan->table, snapshot);
  PageReader reader(*plan, plan->fetches_items || plan->fetches_expiry ? &fetcher : nullptr, page);
  if (!plan->is_scan) {
    return ReadShuffled(Cursor(store, plan->ranges.front(), &snapshot), shuffle, &reader);
  }
  if (order.hashes_partitions) {
    return ReadShuffled(HashOrderCursor(store, *plan, order.seed, &snapshot), shuffle, &reader);
  }
  return ReadShuffled(SegmentCursor(store, *plan, &snapshot), shuffle, &reader);
}

}  // namespace dolmen::engine
