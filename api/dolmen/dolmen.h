// Everything a user of Dolmen needs, in one include.

#pragma once

#include "dolmen/attribute_value.h"        // IWYU pragma: export
#include "dolmen/batch.h"                  // IWYU pragma: export
#include "dolmen/capacity.h"               // IWYU pragma: export
#include "dolmen/clock.h"                  // IWYU pragma: export
#include "dolmen/condition_builder.h"      // IWYU pragma: export
#include "dolmen/create_table.h"           // IWYU pragma: export
#include "dolmen/database.h"               // IWYU pragma: export
#include "dolmen/expression.h"             // IWYU pragma: export
#include "dolmen/item_view.h"              // IWYU pragma: export
#include "dolmen/key_condition_builder.h"  // IWYU pragma: export
#include "dolmen/number.h"                 // IWYU pragma: export
#include "dolmen/open_options.h"           // IWYU pragma: export
#include "dolmen/operations.h"             // IWYU pragma: export
#include "dolmen/projection_builder.h"     // IWYU pragma: export
#include "dolmen/query.h"                  // IWYU pragma: export
#include "dolmen/result.h"                 // IWYU pragma: export
#include "dolmen/scan.h"                   // IWYU pragma: export
#include "dolmen/stats.h"                  // IWYU pragma: export
#include "dolmen/status.h"                 // IWYU pragma: export
#include "dolmen/streams.h"                // IWYU pragma: export
#include "dolmen/subscription.h"           // IWYU pragma: export
#include "dolmen/table.h"                  // IWYU pragma: export
#include "dolmen/tables.h"                 // IWYU pragma: export
#include "dolmen/time_to_live.h"           // IWYU pragma: export
#include "dolmen/transact.h"               // IWYU pragma: export
#include "dolmen/transaction.h"            // IWYU pragma: export
#include "dolmen/ulid.h"                   // IWYU pragma: export
#include "dolmen/update_builder.h"         // IWYU pragma: export
#include "dolmen/validate.h"               // IWYU pragma: export
#include "dolmen/verify.h"                 // IWYU pragma: export
