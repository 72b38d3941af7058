// Sorted containers in one block of memory: the maps and sets of attribute values. They have the
// methods of std::map and std::set that programs use most. They are classes of Dolmen, because C++20
// has no such containers, and programs that use Dolmen need no Boost.
//
// An element can be inserted or erased in time that is proportional to the size. A lookup takes
// logarithmic time. Inserting or erasing an element invalidates all pointers and iterators into the
// container.
//
// A container is a value type. Const methods are thread-safe.

#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/internal/lifetime.h"

namespace dolmen::internal {

// Prints that a program has read the value of a key that a map does not have, and aborts.
[[noreturn]] void DieOfMissingKey(std::string_view key);

// The base of FlatMap and FlatSet: sorted elements without duplicates. `Derived::KeyOf(element)`
// returns the part of an element by which the elements are sorted.
template <typename Derived, typename Element>
class FlatBase {
 public:
  using value_type = Element;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = Element&;
  using const_reference = const Element&;
  using const_iterator = typename std::vector<Element>::const_iterator;
  using const_reverse_iterator = typename std::vector<Element>::const_reverse_iterator;

  FlatBase() = default;
  // Take the elements of a list or of a range. If several elements have the same key, the first one
  // is kept.
  FlatBase(std::initializer_list<Element> elements) { insert(elements); }
  template <typename Iterator>
  FlatBase(Iterator first, Iterator last) {
    insert(first, last);
  }

  // Makes a container of elements that are already sorted. REQUIRES: no key occurs twice.
  static Derived FromSorted(std::vector<Element> elements) {
    Derived container;
    container.elements_ = std::move(elements);
    return container;
  }

  const_iterator begin() const DOLMEN_LIFETIME_BOUND { return elements_.begin(); }
  const_iterator end() const DOLMEN_LIFETIME_BOUND { return elements_.end(); }
  const_iterator cbegin() const DOLMEN_LIFETIME_BOUND { return elements_.begin(); }
  const_iterator cend() const DOLMEN_LIFETIME_BOUND { return elements_.end(); }
  const_reverse_iterator rbegin() const DOLMEN_LIFETIME_BOUND { return elements_.rbegin(); }
  const_reverse_iterator rend() const DOLMEN_LIFETIME_BOUND { return elements_.rend(); }

  std::size_t size() const { return elements_.size(); }
  bool empty() const { return elements_.empty(); }
  void clear() { elements_.clear(); }
  void reserve(std::size_t size) { elements_.reserve(size); }

  // Return the position of the element with this key, or end().
  template <typename K>
  const_iterator find(const K& key) const DOLMEN_LIFETIME_BOUND {
    const const_iterator at = lower_bound(key);
    return at != end() && Derived::KeyOf(*at) == key ? at : end();
  }
  template <typename K>
  bool contains(const K& key) const {
    return find(key) != end();
  }
  template <typename K>
  std::size_t count(const K& key) const {
    return contains(key) ? 1 : 0;
  }

  // Returns the position of the first element whose key is not less than `key`.
  template <typename K>
  const_iterator lower_bound(const K& key) const DOLMEN_LIFETIME_BOUND {
    const_iterator first = begin();
    for (std::size_t left = size(); left > 0;) {
      const std::size_t half = left / 2;
      if (Derived::KeyOf(first[half]) < key) {
        first += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return first;
  }

  // Add each element of a range or of a list unless its key exists. If several elements have the
  // same key, the first one is kept.
  template <typename Iterator>
  void insert(Iterator first, Iterator last) {
    bool sorted = true;
    for (; first != last; ++first) {
      elements_.emplace_back(*first);
      const std::size_t n = size();
      sorted =
          sorted && (n == 1 || Derived::KeyOf(elements_[n - 2]) < Derived::KeyOf(elements_[n - 1]));
    }
    if (!sorted) SortAndDropDuplicates();
  }
  void insert(std::initializer_list<Element> elements) { insert(elements.begin(), elements.end()); }

  // Erase the element at a position, which must exist, or the element with this key. The first
  // returns the position after the element, the second the number of erased elements.
  const_iterator erase(const_iterator at) { return elements_.erase(at); }
  template <typename K>
    requires(!std::is_convertible_v<const K&, const_iterator>)
  std::size_t erase(const K& key) {
    const const_iterator at = find(key);
    if (at == end()) return 0;
    elements_.erase(at);
    return 1;
  }

  // Not defaulted: Clang 16 would then require a complete Element as soon as the class is named.
  friend bool operator==(const FlatBase& a, const FlatBase& b) {
    return a.elements_ == b.elements_;
  }

 protected:
  // Adds `element` unless its key exists. Elements that come in ascending order are appended, so
  // sorted input is fast.
  std::pair<std::size_t, bool> Insert(Element element) {
    if (empty() || Derived::KeyOf(elements_.back()) < Derived::KeyOf(element)) {
      elements_.push_back(std::move(element));
      return {size() - 1, true};
    }
    const const_iterator at = lower_bound(Derived::KeyOf(element));
    const std::size_t index = at - begin();
    if (Derived::KeyOf(*at) == Derived::KeyOf(element)) return {index, false};
    elements_.insert(at, std::move(element));
    return {index, true};
  }

  std::vector<Element> elements_;

 private:
  // Sorts the elements, and keeps the first of several elements with the same key. flat_map.cc
  // defines this function for each element type of the API.
  void SortAndDropDuplicates();
};

// Values by text, in byte order of the texts.
template <typename T>
class FlatMap : public FlatBase<FlatMap<T>, std::pair<std::string, T>> {
  using Base = FlatBase<FlatMap<T>, std::pair<std::string, T>>;
  using Base::elements_;

 public:
  using key_type = std::string;
  using mapped_type = T;
  using typename Base::const_iterator;
  using typename Base::value_type;
  using iterator = typename std::vector<value_type>::iterator;

  using Base::Base;
  using Base::begin;
  using Base::end;
  using Base::insert;
  using Base::lower_bound;
  iterator begin() DOLMEN_LIFETIME_BOUND { return elements_.begin(); }
  iterator end() DOLMEN_LIFETIME_BOUND { return elements_.end(); }
  // Return the position of the element with this key, or end(). In a small map they compare one key
  // after the other. Most keys differ in their length, so this is faster than a binary search.
  const_iterator find(std::string_view key) const DOLMEN_LIFETIME_BOUND {
    if (this->size() > kFewKeys) return Base::find(key);
    const_iterator at = begin();
    while (at != end() && !AreEqual(at->first, key)) ++at;
    return at;
  }
  iterator find(std::string_view key) DOLMEN_LIFETIME_BOUND {
    return Mutable(std::as_const(*this).find(key));
  }
  template <typename K>
  iterator lower_bound(const K& key) DOLMEN_LIFETIME_BOUND {
    return Mutable(std::as_const(*this).lower_bound(key));
  }

  // Returns the value of `key`. Adds a default value if the key does not exist.
  T& operator[](std::string_view key) DOLMEN_LIFETIME_BOUND {
    return try_emplace(key).first->second;
  }

  // Returns the value of `key`. If the key does not exist, prints the key and aborts.
  const T& at(std::string_view key) const DOLMEN_LIFETIME_BOUND {
    const const_iterator at = find(key);
    if (at == end()) DieOfMissingKey(key);
    return at->second;
  }
  T& at(std::string_view key) DOLMEN_LIFETIME_BOUND {
    return const_cast<T&>(std::as_const(*this).at(key));
  }

  // Adds an element unless its key exists. Returns the position of the element with this key, and
  // true if the element was added.
  std::pair<iterator, bool> insert(value_type element) {
    const auto [index, added] = this->Insert(std::move(element));
    return {begin() + index, added};
  }
  iterator insert(const_iterator /*hint*/, value_type element) {
    return insert(std::move(element)).first;
  }
  template <typename... Arguments>
  std::pair<iterator, bool> emplace(Arguments&&... arguments) {
    return insert(value_type(std::forward<Arguments>(arguments)...));
  }
  template <typename... Arguments>
  iterator emplace_hint(const_iterator hint, Arguments&&... arguments) {
    return insert(hint, value_type(std::forward<Arguments>(arguments)...));
  }
  template <typename K, typename... Arguments>
  std::pair<iterator, bool> try_emplace(K&& key, Arguments&&... arguments) {
    const iterator at = lower_bound(key);
    if (at != end() && at->first == key) return {at, false};
    return {elements_.emplace(at, std::string(std::forward<K>(key)),
                              T(std::forward<Arguments>(arguments)...)),
            true};
  }

  // Adds an element, or replaces the value of its key.
  template <typename K, typename V>
  std::pair<iterator, bool> insert_or_assign(K&& key, V&& value) {
    const iterator at = lower_bound(key);
    if (at != end() && at->first == key) {
      at->second = std::forward<V>(value);
      return {at, false};
    }
    return {elements_.emplace(at, std::string(std::forward<K>(key)), T(std::forward<V>(value))),
            true};
  }

 private:
  friend Base;
  static constexpr std::size_t kFewKeys = 16;
  static const std::string& KeyOf(const value_type& element) { return element.first; }

  // Returns a == b. A read by key calls it for each key attribute, and GCC does not inline ==.
  static bool AreEqual(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::char_traits<char>::compare(a.data(), b.data(), a.size()) == 0;
  }
  iterator Mutable(const_iterator at) { return begin() + (at - std::as_const(*this).begin()); }
};

// Sorted values without duplicates. The elements cannot be changed, because that could break their
// order.
template <typename T>
class FlatSet : public FlatBase<FlatSet<T>, T> {
  using Base = FlatBase<FlatSet<T>, T>;

 public:
  using key_type = T;
  using typename Base::const_iterator;
  using iterator = const_iterator;

  using Base::Base;
  using Base::insert;

  // Adds an element unless the set has it. Returns the element's position, and true if the element
  // was added.
  std::pair<const_iterator, bool> insert(T element) {
    const auto [index, added] = this->Insert(std::move(element));
    return {this->begin() + index, added};
  }
  const_iterator insert(const_iterator /*hint*/, T element) {
    return insert(std::move(element)).first;
  }
  template <typename... Arguments>
  std::pair<const_iterator, bool> emplace(Arguments&&... arguments) {
    return insert(T(std::forward<Arguments>(arguments)...));
  }

 private:
  friend Base;
  static const T& KeyOf(const T& element) { return element; }
};

}  // namespace dolmen::internal
