/** Tests confirmations that concurrent calls put, decide or use. */

import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { confirmationTables } from './tables.ts'
import { newHandle } from './testing/confirming.ts'
import { type ConfirmFixture, confirmFixture, oneEther, somebody } from './testing/fixture.ts'

const used = { status: 400, answer: { code: 'token_already_used' } }
const ok = { status: 200 }
/** Dollars, at 2,000 per coin. */
const worth = (usd: number) => (oneEther * BigInt(Math.round(usd * 100))) / 200_000n

forEachEngine((database) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    fixture = await confirmFixture(database())
  })

  describe('a request', () => {
    test('is one of at most fifty, even if two hundred are put concurrently', async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, at) => fixture.put(fixture.message(`Hello ${at}`))),
      )
      const statuses = answers.map(({ status }) => status).filter((status) => status !== 503)
      expect(statuses.filter((status) => status === 200)).toHaveLength(50)
      expect([...new Set(statuses)].sort()).toEqual([200, 429])
      const rows = await confirmationTables(fixture.context.db)
        .selectFrom('confirmations')
        .select('id')
        .execute()
      expect(rows).toHaveLength(50)
    })
  })

  describe('a confirmation', () => {
    test('is consumed by one signature, even if several are requested concurrently', async () => {
      const handle = newHandle()
      await fixture.put(fixture.message(), { handle })
      const tokens = await Promise.all([1, 2, 3, 4].map(() => fixture.tokenFor(handle)))
      const released = await Promise.all(tokens.map((token) => fixture.release(token)))
      expect(released.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
      expect(await fixture.askToken(handle)).toMatchObject(used)
      expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'used' } })
      const kept = confirmationTables(fixture.context.db)
        .selectFrom('confirmations')
        .select(['request', 'bytes'])
      expect(await kept.execute()).toEqual([{ request: '', bytes: 0 }])
    })
  })

  describe('the page', () => {
    const forPage = { to: somebody, data: '0x12345678' } as const

    test('decides once, and repeats the first decision to later calls', async () => {
      const handle = newHandle()
      const { digest } = fixture.transaction(forPage)
      await fixture.put(fixture.transaction(forPage), { handle })
      expect(await fixture.decide(handle, digest, 'refuse')).toMatchObject({ answer: { state: 'refused' } })
      expect(await fixture.decide(handle, digest, 'approve')).toMatchObject({
        answer: { state: 'refused' },
      })
      expect(await fixture.askToken(handle)).toMatchObject({
        status: 403,
        answer: { code: 'user_rejected_request' },
      })
      const raced = newHandle()
      await fixture.put(fixture.transaction(forPage), { handle: raced })
      const said = await Promise.all(
        (['approve', 'refuse', 'approve', 'refuse'] as const).map((decision) =>
          fixture.decide(raced, digest, decision),
        ),
      )
      expect(new Set(said.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
    })
  })

  describe('the daily allowance', () => {
    test('is counted by the release: of several that compete for the rest, one is released', async () => {
      const half = fixture.transaction({ value: worth(60) })
      const handles = [newHandle(), newHandle(), newHandle(), newHandle()]
      for (const handle of handles) {
        expect(await fixture.put(half, { handle })).toMatchObject({ answer: { place: 'frame' } })
      }
      const tokens = await Promise.all(handles.map((handle) => fixture.tokenFor(handle)))
      const released = await Promise.all(tokens.map((token) => fixture.release(token)))
      expect(released.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
      const states = await Promise.all(handles.map((handle) => fixture.status(handle)))
      const open = states.filter(({ answer }) => JSON.stringify(answer).includes('open'))
      // A refused release consumes nothing, and can be put again for the page.
      expect(open).toHaveLength(3)
    })
  })

  describe('a call that the operator listed for cards', () => {
    const listed = { chain: 1, contract: somebody, selector: '0x12345678' }
    const call = () => fixture.transaction({ data: '0x12345678', value: 0n })
    const onCard = { answer: { place: 'frame', reason: 'within_limits' } }

    test('is counted by the release: of several that compete for the last use, one is released', async () => {
      await fixture.set(['card_calls', [{ ...listed, calls_per_day: 1 }]])
      const handles = [newHandle(), newHandle(), newHandle()]
      for (const handle of handles) expect(await fixture.put(call(), { handle })).toMatchObject(onCard)
      const tokens = await Promise.all(handles.map((handle) => fixture.tokenFor(handle)))
      const released = await Promise.all(tokens.map((token) => fixture.release(token)))
      expect(released.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    })
  })

  describe('in a browser that cannot detect covers', () => {
    const unseen = { place: 'unseen' } as const

    test('the limit is counted by the release: of several that compete for the rest, one is released', async () => {
      const handles = [newHandle(), newHandle(), newHandle()]
      const most = fixture.transaction({ value: worth(15) })
      for (const handle of handles) await fixture.put(most, { ...unseen, handle })
      const tokens = await Promise.all(handles.map((handle) => fixture.tokenFor(handle)))
      const released = await Promise.all(tokens.map((token) => fixture.release(token)))
      expect(released.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    })
  })

  describe('plain messages', () => {
    test("are counted by the release, up to the operator's limit", async () => {
      await fixture.set(['frame_messages_per_day', 1])
      const handles = [newHandle(), newHandle(), newHandle()]
      for (const handle of handles) {
        expect(await fixture.put(fixture.message(), { handle })).toMatchObject({
          answer: { place: 'frame' },
        })
      }
      const tokens = await Promise.all(handles.map((handle) => fixture.tokenFor(handle)))
      const released = await Promise.all(tokens.map((token) => fixture.release(token)))
      expect(released.map(({ status }) => status).sort()).toEqual([200, 403, 403])
      await fixture.set(['frame_messages_per_day', null])
      expect(await fixture.sign(fixture.message())).toMatchObject(ok)
    })
  })
})
