// The readable contents of a database, as text, and the names that the stored databases share.

#pragma once

#include <memory>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/database.h"

namespace dolmen::upgrade {

// The names of a release's files, in the folder of the release.
inline constexpr const char* kDatabaseFolder = "database";
inline constexpr const char* kContentsFile = "contents.jsonl";

// The table on which every stored database has a subscription, and the subscription's name.
inline constexpr const char* kTable = "things";
inline constexpr const char* kSubscription = "reader";

// The client request tokens of the transactions on kTable. At the first opening, the database
// wrote the record of the older token to a table file. The record of the newer one is in the log.
inline constexpr const char* kOlderToken = "token-in-a-table-file";
inline constexpr const char* kNewerToken = "token-in-the-log";

// Returns a clock that shows the time of the first write to every stored database.
std::shared_ptr<ManualClock> ClockAtFirstWrite();
// The time between the first write and the last opening of a stored database. Tests open the
// database at this time, when no token has expired and all stream records are retained.
inline constexpr std::chrono::minutes kLastOpening{5};

// Returns options with `clock` and without the background thread that deletes expired items.
OpenOptions OptionsWith(std::shared_ptr<Clock> clock);

// Returns one line of JSON for each table, index, time to live, item, index entry, stream, stream
// record and position of a subscription. All values have DynamoDB's types: {"S": "text"}. Waits
// for backfills. Throws an exception if the database returns an error.
std::string ReadContents(const Database& db);

}  // namespace dolmen::upgrade
