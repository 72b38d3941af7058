// Pages of found entities.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/entity/definition.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "dolmen/internal/end_of_range.h"
#include "dolmen/query.h"

namespace dolmen {

// A page of found entities.
template <typename T>
struct EntityPage {
  // The entities in the order of the query. The page can be empty although more pages follow,
  // because the limit counts every item that was read.
  std::vector<T> items = {};

  // The cursor of the next page, for EntityQuery::From. "" after the last page. It consists of
  // hexadecimal digits, so it can be part of a URL. It reveals the key of the last item. The next
  // page can be empty, because its items can fail the filter or belong to other entities.
  std::string next_cursor = {};

  // The number of items that were read and belong to none of the requested entities.
  std::uint64_t skipped = 0;

  // The errors of the items that belong to a requested entity and cannot be read as it (FromItem),
  // in the order of the query. Each error names the key of its item. Empty: `items` is complete.
  std::vector<Status> damaged = {};
};

// The page that the caller of a program asks for, for EntityQuery::Page.
struct PageInput {
  std::string cursor = {};   // EntityPage::next_cursor of the page before; "" = the first page
  std::uint32_t limit = 50;  // the greatest number of items
};

// The pages of a query or a scan, from its cursor to the end. A range-for reads one page after the
// other. After the loop, status() says whether all pages could be read. Keep the range in a
// variable: a loop over a temporary range cannot see the error.
//
//   auto pages = table.Query<Message>().With<&Message::conversation_id>("c_01").Limit(50).Pages();
//   for (const EntityPage<Message>& page : pages) Show(page.items);
//   if (!pages.status().ok()) return pages.status();
//
// Each page is read from a snapshot of its own. Not thread-safe.
template <typename Query>
class [[nodiscard]] EntityPages {
 public:
  using Page = EntityPage<typename Query::Found>;

  // An input iterator: a range can be read once. A page is valid until the iterator moves on. The
  // loop may move the entities out of the page.
  class Iterator {
   public:
    using value_type = Page;
    using difference_type = std::ptrdiff_t;

    Page& operator*() const { return pages_->page_; }
    Iterator& operator++() {
      pages_->Next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(internal::EndOfRange) const { return pages_->ended_; }

   private:
    friend class EntityPages;
    explicit Iterator(EntityPages* pages) : pages_(pages) {}
    EntityPages* pages_;
  };

  explicit EntityPages(Query query) : query_(std::move(query)) {}

  // Reads the first page. A second call reads nothing: its loop begins with the current page.
  Iterator begin() DOLMEN_LIFETIME_BOUND {
    if (!begun_) Read();
    begun_ = true;
    return Iterator(this);
  }
  internal::EndOfRange end() const { return {}; }

  // Returns the error that ended the loop, or success. Errors: those of the query's Page.
  const Status& status() const DOLMEN_LIFETIME_BOUND { return status_; }

 private:
  void Read() {
    Result<Page> page = query_.Page();
    status_ = page.status();
    ended_ = !page.ok();
    if (page.ok()) page_ = *std::move(page);
  }
  void Next() {
    ended_ = page_.next_cursor.empty();
    if (ended_) return;
    query_.From(page_.next_cursor);
    Read();
  }

  Query query_;
  Page page_;
  Status status_;
  bool begun_ = false;
  bool ended_ = false;
};

namespace entity {

// The type of a found entity: the struct itself in a query of one entity, otherwise a std::variant.
template <typename... Ts>
struct StructOrVariant {
  using type = std::variant<Ts...>;
};
template <typename T>
struct StructOrVariant<T> {
  using type = T;
};

// The page that a query or a scan reads, without the C++ types of its entities. Borrows the page.
class AnyPage {
 public:
  // Appends an entity with the values of its initialisers. `entity` is its position in the query.
  // Returns the struct, which is valid until the next call.
  virtual void* Append(std::size_t entity) = 0;

  // Removes the last entity.
  virtual void PopBack() = 0;

  virtual std::size_t size() const = 0;

  std::string& next_cursor() const { return next_cursor_; }
  std::uint64_t& skipped() const { return skipped_; }
  std::vector<Status>& damaged() const { return damaged_; }

 protected:
  template <typename Found>
  explicit AnyPage(EntityPage<Found>* page)
      : next_cursor_(page->next_cursor), skipped_(page->skipped), damaged_(page->damaged) {}
  ~AnyPage() = default;

 private:
  std::string& next_cursor_;
  std::uint64_t& skipped_;
  std::vector<Status>& damaged_;
};

template <typename... Ts>
class PageOf final : public AnyPage {
 public:
  using Found = typename StructOrVariant<Ts...>::type;

  explicit PageOf(EntityPage<Found>* page) : AnyPage(page), items_(page->items) {}

  // Creates the entity within the vector, because moving variants is slow, and GCC 12 warns that
  // they are uninitialised.
  void* Append(std::size_t entity) override {
    if constexpr (sizeof...(Ts) == 1) {
      return &items_.emplace_back();
    } else {
      void* value = nullptr;
      std::size_t position = 0;
      ((position++ == entity &&
        (value = std::get_if<Ts>(&items_.emplace_back(std::in_place_type<Ts>)))) ||
       ...);
      return value;
    }
  }
  void PopBack() override { items_.pop_back(); }
  std::size_t size() const override { return items_.size(); }

 private:
  std::vector<Found>& items_;
};

// Does the work of EntityQuery::ForEach and EntityScan::ForEach.
template <typename Query, typename F>
Status ForEachFound(EntityPages<Query> pages, F& f) {
  for (const auto& page : pages) {
    for (const auto& found : page.items) {
      if (Status status = f(found); !status.ok()) return status;
    }
    if (!page.damaged.empty()) return page.damaged.front();
  }
  return pages.status();
}

// Appends the entities of all items of `output` to the page, and sets the page's cursor.
// - kCorruption: the matcher is strict, and an item belongs to no entity.
Status ReadPage(const EntityMatcher& matcher, const QueryOutput& output, AnyPage* page);

// Appends the entities of `output` to a page that is to hold at most `limit` entities. Returns true
// if more may be appended.
// - The error of the first damaged item, and the errors of ReadPage.
Result<bool> ReadWholePage(const EntityMatcher& matcher, const QueryOutput& output,
                           std::optional<std::uint32_t> limit, AnyPage* page);

// Removes the entities after the first `limit` entities.
void DropAfter(std::optional<std::uint32_t> limit, AnyPage* page);

// Moves each found entity to the vector of its type. The order within a vector is the order of
// `items`.
template <typename... Ts>
std::tuple<std::vector<Ts>...> GroupByType(std::vector<std::variant<Ts...>> items) {
  std::tuple<std::vector<Ts>...> groups;
  for (auto& item : items) {
    std::visit(
        [&]<typename T>(T& found) { std::get<std::vector<T>>(groups).push_back(std::move(found)); },
        item);
  }
  return groups;
}

}  // namespace entity

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
