"""What must happen as a whole is done inside Redis by these Lua scripts (Redis 5 or later).

Each may be repeated without harm, since after a broken connection nobody knows whether it ran. Times are
those of Redis, so that machines with wrong clocks agree.
"""

from __future__ import annotations

#: KEYS snapshot, term. ARGV term, seq, body, keep in ms.
#: Returns 1 when it stands, 0 when a newer does.
PUT_SNAPSHOT = """
local term, seq = tonumber(ARGV[1]), tonumber(ARGV[2])
local before = redis.call('HMGET', KEYS[1], 'term', 'seq', 'body')
if before[1] then
  local old_term, old_seq = tonumber(before[1]), tonumber(before[2])
  if old_term == term and old_seq == seq then
    return before[3] == ARGV[3] and 1 or 0
  end
  if old_term > term or (old_term == term and old_seq > seq) then return 0 end
end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'term', ARGV[1], 'seq', ARGV[2], 'body', ARGV[3], 'at', time[1] .. '.' ..
  string.format('%06d', time[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if term > tonumber(redis.call('GET', KEYS[2]) or '0') then redis.call('SET', KEYS[2], ARGV[1]) end
return 1
"""

#: KEYS lock, term. ARGV token, owner, process, lease in ms.
#: Returns {1, term} or {0, owner, process, term, remaining ms}.
ACQUIRE = """
local token = redis.call('HGET', KEYS[1], 'token')
if token and token ~= ARGV[1] then
  local who = redis.call('HMGET', KEYS[1], 'owner', 'process', 'term')
  return {0, who[1], who[2], who[3], redis.call('PTTL', KEYS[1])}
end
local term = redis.call('HGET', KEYS[1], 'term')
if not token then
  term = redis.call('INCR', KEYS[2])
  redis.call('HSET', KEYS[1], 'token', ARGV[1], 'owner', ARGV[2], 'process', ARGV[3], 'term', term)
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {1, term}
"""

#: KEYS lock. ARGV token, lease in ms. Returns {} when renewed, {'ended'} or {'taken', owner}.
RENEW = """
local present = redis.call('HMGET', KEYS[1], 'token', 'owner')
if not present[1] then return {'ended'} end
if present[1] ~= ARGV[1] then return {'taken', present[2]} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {}
"""

#: KEYS lock. ARGV token. Returns 1 when it was held.
RELEASE = """
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""

#: Come to a barrier, or say that one is still there.
#: KEYS waiting (participants by the end of their lease, ms), round. ARGV participant, parties, lease in ms,
#: own round ('' at first), name for a new round, prefix of the keys of released rounds, their life in ms.
#: Returns {'released', round, participants}, {'waiting', round, present} or {'mismatch', round, expected}.
ATTEND = """
if ARGV[4] ~= '' then
  local entry = redis.call('XRANGE', ARGV[6] .. ARGV[4], '-', '+', 'COUNT', 1)
  if #entry > 0 then return {'released', ARGV[4], entry[1][2][2]} end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now))
if redis.call('ZCARD', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
local round = redis.call('HGET', KEYS[2], 'round')
if not round then
  round = ARGV[5]
  redis.call('HSET', KEYS[2], 'round', round, 'parties', ARGV[2])
end
local expected = redis.call('HGET', KEYS[2], 'parties')
if expected ~= ARGV[2] then return {'mismatch', round, expected} end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2)
redis.call('PEXPIRE', KEYS[2], ARGV[3] * 2)
local present = redis.call('ZCARD', KEYS[1])
if present < tonumber(ARGV[2]) then return {'waiting', round, tostring(present)} end
local participants = table.concat(redis.call('ZRANGE', KEYS[1], 0, -1), ' ')
redis.call('XADD', ARGV[6] .. round, '*', 'participants', participants)
redis.call('PEXPIRE', ARGV[6] .. round, ARGV[7])
redis.call('DEL', KEYS[1], KEYS[2])
return {'released', round, participants}
"""

#: Leave a barrier. KEYS waiting, round. ARGV participant, own round, prefix of the keys of released rounds.
#: Returns {'released', participants} when it was too late for that, else {'withdrawn', present before}.
WITHDRAW = """
local entry = redis.call('XRANGE', ARGV[3] .. ARGV[2], '-', '+', 'COUNT', 1)
if #entry > 0 then return {'released', entry[1][2][2]} end
local present = redis.call('ZCARD', KEYS[1])
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('ZCARD', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
return {'withdrawn', tostring(present)}
"""
