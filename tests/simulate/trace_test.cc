// Traces: their text, their replay, and shrinking them.

#include <algorithm>
#include <cstddef>

#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

class TraceTest : public SimulateTest {};

TEST_F(TraceTest, ALineNamesTheCallAndTheFault) {
  Simulate({{.operation = Operation::kPutItem,
             .key_prefix = "ORDER#",
             .fault = Fault::kInternalServerError,
             .moment = FaultMoment::kAfter,
             .skip_calls = 1}});
  for (int call = 0; call < 2; ++call) Put("ORDER#7", "1").IgnoreError();
  EXPECT_EQ(TraceText(),
            "PutItem table=app key=ORDER%237 call=2 fault=InternalServerError after\n");
}

TEST_F(TraceTest, ParsingTheTextReturnsTheTrace) {
  const SimulatedTrace trace = {
      {.operation = Operation::kQuery,
       .table = "app",
       .index = "GSI1",
       .key = std::string("a b=%\n\0\xff", 8),
       .call = 12,
       .fault = Fault::kPageItems,
       .amount = 3},
      {.operation = Operation::kTransactWriteItems,
       .table = "t",
       .fault = Fault::kTransactionConflict,
       .items = {0, 17},
       .throttling_reasons = {{"TableWriteX", "t"}, {"IndexWriteX", "t", "GSI1"}}}};
  const auto parsed = ParseSimulatedTrace(ToText(trace));
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(*parsed, trace);
}

TEST_F(TraceTest, ALineThatIsNoDecisionIsRejected) {
  for (const char* line : {"Put table=a", "PutItem fault=Rain", "PutItem call=x", "PutItem key=%4",
                           "PutItem key=%zz", "PutItem items=1,x", "PutItem colour=red"}) {
    EXPECT_THAT(ParseSimulatedTrace(line),
                StatusIs(StatusCode::kValidation, testing::HasSubstr(line)));
  }
}

TEST_F(TraceTest, AReplayHasTheSameFaultsWithoutTheRules) {
  const auto run = [this] {
    std::vector<StatusCode> codes;
    for (int i = 0; i < 50; ++i) codes.push_back(Get(i % 2 == 0 ? "p" : "q", "1").code());
    return codes;
  };
  Simulate(SimulateOptions{.seed = 5, .rules = {{.chance = 0.3}}});
  const std::vector<StatusCode> codes = run();
  const SimulatedTrace trace = simulation_.Trace();
  ASSERT_FALSE(trace.empty());
  Simulate(SimulateOptions{.replay = trace});
  EXPECT_EQ(run(), codes);
  EXPECT_EQ(simulation_.Trace(), trace);
}

TEST_F(TraceTest, ShrinkingRemovesEveryDecisionThatDoesNotMatter) {
  const SimulatedTrace trace(5);
  const auto always = [](const SimulatedTrace&) { return true; };
  EXPECT_THAT(ShrinkTrace(trace, always), IsEmpty());
  EXPECT_THAT(ShrinkTrace({}, always), IsEmpty());
  const auto two = [](const SimulatedTrace& rest) { return rest.size() >= 2; };
  EXPECT_EQ(ShrinkTrace(trace, two).size(), 2U);
}

}  // namespace
}  // namespace dolmen::simulate
