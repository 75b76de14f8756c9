-- Sliding windows of one store, asked for together: the calls pass all of them or count in none.
--
-- KEYS: a list for each window, the instants of its calls in microseconds, newest first.
-- ARGV: the calls asked for; then for each window its length in microseconds and its limit.
-- Answer: whether they are allowed, calls left afterwards, whether that is little, microseconds to wait.
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local calls = tonumber(ARGV[1])

-- A clock that was set back: by less than a window, the newest call counts as now, so that the order stays;
-- by more, nothing is known of the window any more.
local function instant(key, length)
  local newest = redis.call('LINDEX', key, 0)
  if not newest then
    return now
  end
  local ahead = newest - now
  if ahead >= length or -ahead >= length then
    redis.call('DEL', key)
    return now
  end
  return math.max(now, tonumber(newest))
end

local function leave(key, before)
  local oldest = redis.call('LINDEX', key, -1)
  while oldest and tonumber(oldest) <= before do
    redis.call('RPOP', key)
    oldest = redis.call('LINDEX', key, -1)
  end
end

-- How long until the oldest calls that are in the way have left; a whole window when that is not enough.
local function pause(key, over, length)
  local call = redis.call('LINDEX', key, -over)
  return call and call + length - now or length
end

local windows, longest = {}, 0
for i, key in ipairs(KEYS) do
  local length, limit = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local at = instant(key, length)
  leave(key, at - length)
  local used = redis.call('LLEN', key)
  local over = used + calls - limit
  if over > 0 then
    longest = math.max(longest, pause(key, over, length))
  end
  windows[i] = { key = key, length = length, limit = limit, at = at, used = used }
end

local allowed = longest == 0
local least, low = nil, 0
for _, window in ipairs(windows) do
  local used = window.used
  if allowed then
    used = used + calls
    for _ = 1, calls do
      redis.call('LPUSH', window.key, string.format('%.0f', window.at))
    end
    redis.call('PEXPIRE', window.key, math.ceil(window.length / 1000))
  end
  local left = math.max(window.limit - used, 0)
  least = math.min(least or left, left)
  if left * 5 < window.limit then
    low = 1
  end
end
return { allowed and 1 or 0, least, low, longest }
