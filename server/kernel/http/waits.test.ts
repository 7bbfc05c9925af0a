import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { LatchkeyError } from '@latchkey/protocol'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createManualPauses } from '../../testing/waits.ts'
import { createWaits } from './waits.ts'

const office = '203.0.113.1'
const nothing = async () => undefined

/** Creates waits that record the seconds charged to each address. */
function open(limit = Number.POSITIVE_INFINITY) {
  const charged = new Map<string | undefined, number>()
  const time = createManualPauses()
  const waits = createWaits(async (what, address) => {
    expect(what).toBe('waits')
    const seconds = (charged.get(address) ?? 0) + 1
    if (seconds > limit) {
      throw new LatchkeyError('too_many_requests', 'Too many attempts', { retryAfterSeconds: 60 })
    }
    charged.set(address, seconds)
  }, time.pause)
  return { waits, charged, ...time }
}

test('returns an available value immediately and free of charge', async () => {
  const { waits, charged } = open()
  expect(await waits(office).until('a', 10_000, async () => 'there')).toBe('there')
  expect(charged.size).toBe(0)
})

test('returns a later value at the next poll, half a second later at most', async () => {
  const { waits, advanceMs } = open()
  let value: string | undefined
  const answer = waits(office).until('a', 10_000, async () => value)
  await advanceMs(2_100)
  value = 'came'
  await advanceMs(400)
  expect(await answer).toBe('came')
})

test('a call that waits for ten seconds polls 21 times and is charged ten seconds', async () => {
  const { waits, charged, advanceMs } = open()
  let looks = 0
  const answer = waits(office).until('a', 10_000, async () => {
    looks += 1
    return undefined
  })
  await advanceMs(9_900)
  expect(charged.get(office)).toBe(10)
  await advanceMs(100)
  expect(await answer).toBeUndefined()
  expect(looks).toBe(21)
  const atItsEnd = charged.get(office)
  await advanceMs(60_000)
  expect(charged.get(office)).toBe(atItsEnd)
})

test('rejects a waiting call when the quota of its address is exhausted, without affecting others', async () => {
  const { waits, advanceMs } = open(4)
  const answer = waits(office).until('a', 10_000, nothing)
  const refused = expect(answer).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 60 })
  let isOver = false
  const other = waits('203.0.113.2').until('b', 3_000, nothing)
  other.finally(() => {
    isOver = true
  })
  await advanceMs(2_900)
  expect(isOver).toBe(false)
  await advanceMs(1_200)
  await refused
  expect(await other).toBeUndefined()
})

test('a second call with the same key ends the first and receives the value', async () => {
  const { waits, advanceMs, settle } = open()
  let value: string | undefined
  const look = async () => value
  const first = waits(office).until('a', 10_000, look)
  const beside = waits(office).until('b', 10_000, look)
  await advanceMs(1_000)
  const second = waits('203.0.113.2').until('a', 10_000, look)
  await settle()
  expect(await first).toBeUndefined()
  value = 'came'
  await advanceMs(500)
  expect([await second, await beside]).toEqual(['came', 'came'])
})

test('an address may have three hundred open calls', async () => {
  const { waits, settle } = open()
  const gone = new AbortController()
  const first = waits(office, gone.signal).until('0', 10_000, nothing)
  for (let call = 1; call < 300; call += 1) waits(office).until(String(call), 10_000, nothing)
  await settle()
  const refusal = { code: 'too_many_requests', retryAfterSeconds: 5 }
  await expect(waits(office).until('300', 10_000, nothing)).rejects.toMatchObject(refusal)
  // An available value needs no open call.
  expect(await waits(office).until('300', 10_000, async () => 'there')).toBe('there')
  let isHeld = true
  waits('203.0.113.2')
    .until('of another address', 10_000, nothing)
    .catch(() => {
      isHeld = false
    })
  // A call that replaces an older one needs no additional place.
  waits(office)
    .until('299', 10_000, nothing)
    .catch(() => {
      isHeld = false
    })
  await settle()
  expect(isHeld).toBe(true)
  gone.abort()
  expect(await first).toBeUndefined()
  waits(office)
    .until('300', 10_000, nothing)
    .catch(() => {
      isHeld = false
    })
  await settle()
  expect(isHeld).toBe(true)
  await expect(waits(office).until('301', 10_000, nothing)).rejects.toMatchObject(refusal)
})

test('ends the wait when the browser closes its connection', async () => {
  const { waits } = open()
  const asked = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const hono = new Hono()
  hono.post('/result', async (c) => {
    await c.req.text()
    const outcome = await waits(office, c.req.raw.signal).hold('a', (signal) => {
      signal.addEventListener('abort', () => ended.resolve())
      asked.resolve()
      return new Promise<string>(() => {})
    })
    return c.json({ outcome: outcome ?? 'ended' })
  })
  const listening = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch: hono.fetch, hostname: '127.0.0.1', port: 0 }, listening.resolve)
  try {
    const browser = new AbortController()
    const { port } = await listening.promise
    const result = fetch(`http://127.0.0.1:${port}/result`, {
      method: 'POST',
      body: '{}',
      signal: browser.signal,
    })
    result.catch(() => {})
    await asked.promise
    browser.abort()
    await ended.promise
    await expect(result).rejects.toThrow()
  } finally {
    server.close()
  }
})

test('does not start a wait for a browser that has already disconnected', async () => {
  const { waits, charged } = open()
  let asked = 0
  const hold = (gone: AbortSignal) =>
    waits(office, gone).hold('a', async () => {
      asked += 1
      return 'asked'
    })
  expect(await hold(AbortSignal.abort())).toBeUndefined()
  expect([asked, charged.size]).toEqual([0, 0])
  expect(await hold(new AbortController().signal)).toBe('asked')
})

test('aborts the third-party request of a call that was ended', async () => {
  const { waits, settle } = open()
  let wasAborted = false
  const first = waits(office).hold('a', async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    wasAborted = true
    return 'too late'
  })
  await settle()
  const second = waits(office).hold('a', async () => 'asked')
  expect([await first, await second, wasAborted]).toEqual([undefined, 'asked', true])
})

test('passes on the error of a third-party request', async () => {
  const { waits } = open()
  const failing = waits(office).hold('a', async () => {
    throw new LatchkeyError('unavailable', 'Nobody there')
  })
  await expect(failing).rejects.toMatchObject({ code: 'unavailable' })
})
