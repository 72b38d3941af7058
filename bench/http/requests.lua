-- Sends the requests of a file repeatedly. Each thread sends its share of the lines in order.
--   wrk --threads THREADS ... -s requests.lua URL -- FILE FIRST THREADS
-- A line is an operation, a tab and a body. Requests are numbered from FIRST on, in the order of
-- the lines. A placeholder in a body is as long as the text that replaces it:
--   {ulid-0...0}    the ULID of the request's number
--   {ulid-0...032}  the ULID of the number that is lower by 32
--   {at-}           the time of FIRST. All requests of a run have this time, so the condition of a
--                   send also holds if requests with higher numbers were answered before.
-- The last printed line holds the measurements of wrk, as JSON.

local FIRST_MILLISECONDS = 1711962000000  -- 2024-04-01 09:00 UTC: later than all loaded items
local ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
local LOW_VALUES = 32 ^ 3  -- of the last three digits of a time

local thread_count, threads_set_up = 0, 0
local requests = {}  -- each is a text, or a list of texts and numbers (pieces_of)
local next_index, next_number = 1, 0
local high_value, high_digits = -1, ""  -- the first seven digits of the last time
local low_digits = {}  -- the last three digits of each time, and the random part of a ULID

local function digits_of(value, count)
  local text = ""
  for _ = 1, count do
    local digit = value % 32
    text = ALPHABET:sub(digit + 1, digit + 1) .. text
    value = (value - digit) / 32
  end
  return text
end

-- Returns the ULID of a number. Its random part is zero, because times of messages are unique. wrk takes
-- its time from the same processors as the servers, so most calls only join two texts.
local function ulid(number)
  local time = FIRST_MILLISECONDS + number
  local low = time % LOW_VALUES
  local high = (time - low) / LOW_VALUES
  if high ~= high_value then
    high_value, high_digits = high, digits_of(high, 7)
  end
  return high_digits .. low_digits[low + 1]
end

local function time_text(number)
  local milliseconds = number % 1000
  local seconds = 9 * 3600 + (number - milliseconds) / 1000
  local day, hour = math.floor(seconds / 86400), math.floor(seconds / 3600) % 24
  return string.format("2024-04-%02dT%02d:%02d:%02d.%03dZ", 1 + day, hour,
    math.floor(seconds / 60) % 60, seconds % 60, milliseconds)
end

-- The functions that join pieces, by the number of pieces. LuaJIT would not compile a loop over the pieces.
local joins = {
  [3] = function(p, number) return p[1] .. ulid(number - p[2]) .. p[3] end,
  [5] = function(p, number)
    return p[1] .. ulid(number - p[2]) .. p[3] .. ulid(number - p[4]) .. p[5]
  end,
}

-- Returns the text, or a list: a text before a ULID, the number by which the ULID's number is lower than
-- the request's, the next text, and so on.
local function pieces_of(text)
  local pieces, from = {}, 1
  while true do
    local first, last, before = text:find("{ulid%-(%d+)}", from)
    if not first then break end
    table.insert(pieces, text:sub(from, first - 1))
    table.insert(pieces, tonumber(before))
    from = last + 1
  end
  if from == 1 then return text end
  table.insert(pieces, text:sub(from))
  assert(joins[#pieces], "a request has more than two ULIDs")
  return pieces
end

-- Gives the thread its number. wrk calls setup for each thread before it calls init in the thread.
function setup(thread)
  thread:set("thread_number", threads_set_up)
  threads_set_up = threads_set_up + 1
end

function init(arguments)
  thread_count = tonumber(arguments[3])
  next_number = tonumber(arguments[2]) + thread_number
  for low = 0, LOW_VALUES - 1 do low_digits[low + 1] = digits_of(low, 3) .. ("0"):rep(16) end
  local at = time_text(tonumber(arguments[2]))
  local lines = 0
  for line in io.lines(arguments[1]) do
    if lines % thread_count == thread_number then
      local operation, body = line:match("^(%a+)\t(.*)$")
      wrk.headers["X-Amz-Target"] = "DynamoDB_20120810." .. operation
      local text = wrk.format("POST", "/", wrk.headers, body):gsub("{at%-+}", at)
      table.insert(requests, pieces_of(text))
    end
    lines = lines + 1
  end
  assert(lines % thread_count == 0, "the number of lines is not a multiple of the threads")
end

function request()
  local made = requests[next_index]
  local number = next_number
  next_index = next_index % #requests + 1
  next_number = number + thread_count
  if type(made) == "string" then return made end
  return joins[#made](made, number)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "seconds": %.6f, "bytes": %d, "p50_us": %d, "p99_us": %d, '
    .. '"bad_status": %d, "socket_errors": %d, "timeouts": %d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(50),
    latency:percentile(99), errors.status, errors.connect + errors.read + errors.write,
    errors.timeout))
end
