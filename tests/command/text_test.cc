// Tests of the text of numbers, tables and progress in the output of commands.

#include "command/text.h"

#include <gmock/gmock.h>

#include "command/progress.h"

namespace dolmen::command {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Text, CountsAreGroupedByThousands) {
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(1000), "1,000");
  EXPECT_EQ(CountText(18446744073709551615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(CountText(1, "item"), "1 item");
  EXPECT_EQ(CountText(2000, "item"), "2,000 items");
}

TEST(Text, BytesHaveAtLeastTwoSignificantDigits) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(999), "999 B");
  EXPECT_EQ(BytesText(1000), "1.0 KB");
  EXPECT_EQ(BytesText(9949), "9.9 KB");
  EXPECT_EQ(BytesText(9950), "10 KB");
  EXPECT_EQ(BytesText(999'499), "999 KB");
  EXPECT_EQ(BytesText(999'500), "1.0 MB");
  EXPECT_EQ(BytesText(270'000'000), "270 MB");
  EXPECT_EQ(BytesText(18446744073709551615u), "18446744 TB");
}

TEST(Text, DurationsAreMinutesAndSecondsOrHours) {
  EXPECT_EQ(DurationText(seconds(0)), "0:00");
  EXPECT_EQ(DurationText(seconds(67)), "1:07");
  EXPECT_EQ(DurationText(seconds(3723)), "1:02:03");
}

TEST(Text, CellsAreAlignedInColumns) {
  TextTable table({"NAME", "ITEMS", "REST"});
  table.AlignRight(1);
  table.Add({"\xC3\xA4", "5", "x"});
  table.Add({"a long one", "12"});
  EXPECT_EQ(table.ToString(6),
            "NAME    ITEMS  REST\n"
            "\xC3\xA4           5  x\n"
            "a long one     12\n");
}

TEST(Progress, ShowsThePartDoneAndTheTimeLeft) {
  EXPECT_EQ(DrawProgress("importing", {}, {.items = 1000, .bytes = 5'000'000, .fraction = 0.25},
                         milliseconds(2000), 80),
            "importing  [#####------------------]  25%  1,000 items  500/s  5.0 MB  0:06 left");
}

TEST(Progress, ShowsNoBarForAnUnknownTotal) {
  EXPECT_EQ(DrawProgress("importing", {}, {.items = 1000}, milliseconds(2000), 80),
            "importing  1,000 items  500/s");
}

TEST(Progress, ExcludesEarlierRunsFromTheSpeed) {
  EXPECT_EQ(DrawProgress("importing", {.items = 1000, .fraction = 0.5},
                         {.items = 1500, .fraction = 0.75}, milliseconds(5000), 49),
            "importing  75%  1,500 items  100/s  0:05 left");
}

TEST(Progress, NoLineIsLongerThanTheTerminalIsWide) {
  for (std::size_t columns = 1; columns < 200; ++columns) {
    EXPECT_LE(DrawProgress("importing", {}, {.items = 1000, .bytes = 12, .fraction = 2.0},
                           milliseconds(2000), columns)
                  .size(),
              columns);
  }
}

}  // namespace
}  // namespace dolmen::command
