// A report on the members of organisations (models/org) as a CSV file, written by the change feed.

#pragma once

#include <dolmen/dolmen.h>

#include <filesystem>

namespace dolmen::examples {

// Appends each change of a membership to a CSV file while the Subscription exists, from the oldest
// retained change on. A line has the sequence number of the change, INSERT, MODIFY or REMOVE, and the
// membership: organisation, name, address, groups, time of accepting. After a crash the last lines can
// occur twice, with the same numbers. Only Deliver appends.
// - kValidation: the table `org` has no stream (org::NameCopies::kByFeed adds it).
// - kStorage (from Subscription::Deliver): the file cannot be written.
Result<Subscription> AppendMembersToCsv(const Database& database, std::filesystem::path file);

}  // namespace dolmen::examples
