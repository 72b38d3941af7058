// A report on the members of organisations (models/org) in SQLite, kept up to date by the change feed. The
// build leaves it out if SQLite is not installed.
//
// The report is outside of the table. So a question in SQL that no key of the table serves costs the
// table nothing.

#pragma once

#include <dolmen/dolmen.h>

#include <filesystem>

namespace dolmen::examples {

// Keeps the table `member` of a SQLite database equal to the memberships while the Subscription exists.
// A change that comes twice has no further effect, because the table has the membership's key. Only
// Deliver writes.
//
//   SELECT email, COUNT(*) FROM member WHERE accepted_at IS NOT NULL GROUP BY email
//
// - kValidation: the table `org` has no stream.
// - kStorage: the file cannot be opened. From Subscription::Deliver: it cannot be written.
Result<Subscription> KeepMembersInSqlite(const Database& database,
                                         const std::filesystem::path& file);

}  // namespace dolmen::examples
