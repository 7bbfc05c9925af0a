import type { GateEvent } from '@latchkey/protocol/browser'
import { looked, seenFrom, tapped } from '@latchkey/protocol/browser/testing'
import { describe, expect, test } from 'vitest'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { confirmedIn, watch } from '../testing/fixture.ts'
import type { ConfirmedRequest } from '../wallet/confirmed.ts'
import type { ApprovalKind } from './approval-kind.ts'
import { type PutOptions, requestConfirmation } from './confirmed.ts'

describe('browser without reliable visibility reports', () => {
  /** `answers`: the server's response for each requested surface. */
  function ask(
    kind: ApprovalKind | 'page',
    answers: Partial<Record<string, ConfirmedRequest | Promise<ConfirmedRequest>>>,
  ) {
    const puts: Pick<PutOptions, 'place' | 'handle'>[] = []
    const confirming = requestConfirmation(
      {
        kind,
        async put({ place, handle }) {
          puts.push({ place, handle })
          const answer = answers[place]
          if (!answer) throw new Error('No answer for this surface')
          return answer
        },
        clock: makeFakeClock(),
        card: {
          after: () => () => {},
          interrupt: () => undefined as never,
          signal: new AbortController().signal,
        },
        confirmOnPage: {
          isPossible: () => true,
          awaitDecision: () => new Promise(() => {}),
          explain: async () => {},
        },
      },
      () => {},
    )
    const notice = (all: readonly GateEvent[]) => {
      for (const noticed of all) confirming.handlers.notice(noticed)
      return settle()
    }
    return { puts, confirming, notice, outcome: watch(confirming.outcome) }
  }
  const blind = { method: 'intersecting' } as const
  const handle = 'h'.repeat(43)
  const onCard = confirmedIn('frame')
  const unseen = confirmedIn('unseen', { reason: 'within_allowance' })
  const page = confirmedIn('page', { reason: 'browser' })

  test('moves the same request to the weaker surface, and approves there if the server allows it', async () => {
    const { puts, confirming, notice, outcome } = ask('transaction', { frame: onCard, unseen })
    await settle()
    await notice(seenFrom(0, blind))
    expect(puts).toEqual([
      { place: 'frame', handle: undefined },
      { place: 'unseen', handle },
    ])
    await notice(seenFrom(600, blind))
    expect(confirming.shown()).toMatchObject({ by: 'press', gate: { state: 'armed' } })
    await notice(tapped(1_310))
    expect(outcome.value).toEqual(unseen)
  })

  test('ignores a press before the server has answered', async () => {
    const answered = Promise.withResolvers<ConfirmedRequest>()
    const { confirming, notice, outcome } = ask('transaction', { frame: onCard, unseen: answered.promise })
    await settle()
    await notice([looked(0, blind)])
    await notice([...seenFrom(100, blind), ...tapped(810)])
    expect(confirming.shown()).toMatchObject({ by: 'press', gate: { state: 'arming' } })
    answered.resolve(unseen)
    await settle()
    expect(outcome.settled).toBe(false)
    expect(confirming.shown()).toMatchObject({ by: 'press', gate: { state: 'armed' } })
    await notice([looked(900, blind), ...tapped(910)])
    expect(outcome.value).toEqual(unseen)
  })

  test('puts the request again if the visibility report precedes the answer', async () => {
    const answered = Promise.withResolvers<ConfirmedRequest>()
    const { puts, notice, outcome } = ask('transaction', { frame: answered.promise, unseen })
    await notice([looked(0, blind)])
    answered.resolve(onCard)
    await settle()
    expect(puts).toEqual([
      { place: 'frame', handle: undefined },
      { place: 'unseen', handle },
    ])
    await notice([...seenFrom(100, blind), ...tapped(810)])
    expect(outcome.value).toEqual(unseen)
  })

  test.each(['typed-data', 'transaction'] as const)(
    'sends a %s request to the page if the server requires it',
    async (kind) => {
      const { confirming, notice, outcome } = ask(kind, { frame: onCard, unseen: page })
      await settle()
      await notice(seenFrom(0, blind))
      expect(confirming.shown()).toMatchObject({ by: 'page', reason: 'browser', way: { at: 'ready' } })
      await notice([...seenFrom(600, blind), ...tapped(1_310)])
      expect(outcome.settled).toBe(false)
    },
  )

  test('puts a page approval for the page at once and shows no other button', async () => {
    const answered = Promise.withResolvers<ConfirmedRequest>()
    const { puts, confirming, notice, outcome } = ask('page', { page: answered.promise })
    expect(confirming.shown()).toEqual({ by: 'page', reason: 'browser', way: { at: 'preparing' } })
    await notice([...seenFrom(0), ...tapped(710)])
    answered.resolve(confirmedIn('page', { reason: 'account_action' }))
    await settle()
    expect(puts).toEqual([{ place: 'page', handle: undefined }])
    expect(confirming.shown()).toMatchObject({ by: 'page', reason: 'browser', way: { at: 'ready' } })
    await notice([...seenFrom(800), ...tapped(1_510)])
    expect(outcome.settled).toBe(false)
  })

  test('reports nothing to the server for a reliable browser or a plain message', async () => {
    for (const [kind, look] of [
      ['transaction', {}],
      ['message', blind],
    ] as const) {
      const { puts, notice, outcome } = ask(kind, { frame: onCard })
      await settle()
      await notice([...seenFrom(0, look), ...tapped(710)])
      expect(puts.map(({ place }) => place)).toEqual(['frame'])
      expect(outcome.value).toEqual(onCard)
    }
  })
})
