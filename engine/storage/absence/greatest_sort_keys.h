// The greatest sort keys of a set of rows, in 12 KB for each table.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen::engine {

// For each kind of row, a mark: the greatest of the sort keys of the kind. A row with a sort key above
// its mark is not in the set. The kind of a row is its keyspace and the first part of its sort key
// (KindBytes in encoded_key.h), for example MSG#. In many tables the sort keys of a kind grow with time,
// in whichever partition: a ULID, or a time. A new row is then above the mark.
//
// Each sort key is cut to its first kMarkBytes bytes, both when it is added and when it is compared. So
// two sort keys with the same first bytes count as equal. Several kinds may share a mark, which is then
// the greatest of all of them. In both cases a row may be taken for one of the set by mistake, but no
// row of the set is taken for absent.
//
// Rows without a sort key have no mark, nor have those with a byte 00 in it, and entries of indexes.
// Sort keys without a first part, such as PROFILE and 2026-11-27, are of one kind. For one thread;
// several threads may call const methods.
class GreatestSortKeys {
 public:
  static constexpr std::size_t kMarkBytes = 48;
  static constexpr std::size_t kGroups = 32;
  static constexpr std::size_t kMarksPerGroup = 256;
  static constexpr std::size_t kHeaderBytes = 3;  // of an encoded mark: group, number and size
  // The most bytes that Encode() returns.
  static constexpr std::size_t kEncodedBytesMax =
      kGroups * kMarksPerGroup * (kHeaderBytes + kMarkBytes);
  static_assert(kGroups <= 256 && kMarksPerGroup <= 256 && kMarkBytes < 256, "each is one byte");

  // A row that has a mark.
  struct Row {
    std::size_t group;          // of marks; chosen by the keyspace
    std::size_t number;         // of the mark in the group; chosen by the kind
    std::string_view sort_key;  // at most its first kMarkBytes; borrows the bytes of the key
  };

  // Returns the row with this stored key, or nothing if it has no mark.
  static std::optional<Row> RowOf(std::string_view key);

  // Adds the row to the set.
  void Add(const Row& row);

  // Returns true if the sort key of the row is above its mark. The row is then not in the set.
  bool IsAbove(const Row& row) const;

  // Returns the marks as bytes. FORMAT.md (engine/storage) defines their form.
  std::string Encode() const;
  // Adds all rows of the set that Encode() has returned. Returns false if the bytes have a different
  // form. The set is then unknown.
  bool AddEncoded(std::string_view bytes);

 private:
  // The first bytes of a sort key. Bytes 00 follow a shorter sort key, so the order of two marks is their
  // order as bytes.
  using Mark = std::array<char, kMarkBytes>;
  using Group = std::array<Mark, kMarksPerGroup>;

  // Two tables seldom share a group. A table with sort keys of very many kinds, for example names
  // before a #, therefore spoils only its own marks.
  std::array<std::unique_ptr<Group>, kGroups> groups_;  // null: no row has a mark of the group
};

}  // namespace dolmen::engine
