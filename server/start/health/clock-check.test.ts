import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { createDatabaseClock } from '../../kernel/db/database-clock.ts'
import { forPostgres } from '../../kernel/db/test-engines.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import { thirdPartyNowMs } from '../../kernel/third-party-time.ts'
import { createTestLog } from '../../testing/fixture.ts'
import { createClockCheck } from './clock-check.ts'

const nowMs = Date.UTC(2026, 4, 1)
const fixed = (differenceSeconds: number) => ({ nowMs: () => nowMs + differenceSeconds * 1_000 })

describe('clock check', () => {
  test('logs a difference to third parties once until it has disappeared', () => {
    const { log, logged } = createTestLog()
    let othersMs: number | undefined
    const clock = fixed(0)
    const check = createClockCheck({ clock, machine: clock, log, thirdPartyNowMs: () => othersMs })
    check()
    othersMs = nowMs - 29_000
    check()
    expect(logged()).toEqual([])
    othersMs = nowMs - 3_600_000
    check()
    check()
    othersMs = nowMs
    check()
    othersMs = nowMs + 60_000
    check()
    expect(logged()).toMatchObject([
      { aheadSeconds: 3_600, msg: 'the clock of this server differs from the clocks of third parties' },
      { aheadSeconds: -60, msg: 'the clock of this server differs from the clocks of third parties' },
    ])
  })

  describe('with a third party over HTTP', () => {
    const headers: Record<string, string> = {}
    const server = createServer((_, response) => {
      response.writeHead(200, headers).end('{}')
    }).listen(0, '127.0.0.1')
    afterAll(() => server.close())
    const request = async (sent: Readonly<Record<string, string>>) => {
      Object.assign(headers, sent)
      if (!server.listening) await once(server, 'listening')
      await fetchThirdParty(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { party: 'test' })
    }

    test('uses the time of the latest response that is not from a cache', async () => {
      await request({ date: new Date(nowMs).toUTCString() })
      await request({ date: new Date(nowMs - 86_400_000).toUTCString(), age: '86400' })
      expect(Math.abs((thirdPartyNowMs() ?? 0) - nowMs)).toBeLessThan(20_000)
    })
  })
})

forPostgres((database) => {
  test('logs a machine clock that differs from the clock of PostgreSQL', async () => {
    const { log, logged } = createTestLog()
    const machine = { nowMs: () => Date.now() + 120_000 }
    const clock = await createDatabaseClock(database(), machine)
    createClockCheck({ clock, machine, log, thirdPartyNowMs: () => undefined })()
    expect(logged()).toMatchObject([
      { aheadSeconds: 120, msg: 'the clock of this machine differs from the clock of the database' },
    ])
  })
})
