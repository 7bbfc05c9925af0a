import { describe, expect, test } from 'vitest'
import { looked, seenFrom, tapped } from '../testing/approval.ts'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { confirmedIn, watch } from '../testing/fixture.ts'
import type { Confirmed } from '../wallet/confirmed.ts'
import { type Confirming, confirmingHandlers, type PuttingAsker, requestConfirmed } from './confirmed.ts'
import type { ApprovalKind, Noticed } from './gate.ts'

const press: Noticed = { atMs: 1, what: 'press' }

function makeTry() {
  const heard: unknown[] = []
  const confirming: Confirming = {
    handlers: {
      notice: (noticed) => heard.push(noticed),
      pageOpened: (state) => heard.push(state),
      cancelPage: () => heard.push('cancel'),
      explainPage: () => heard.push('explain'),
    },
    shown: () => ({ by: 'page', reason: 'browser', way: { at: 'preparing' } }),
    outcome: new Promise(() => {}),
  }
  return { confirming, heard }
}

test('a screen is heard by the try that it shows now, and by none before and after it', () => {
  const [first, second] = [makeTry(), makeTry()]
  let present: Confirming | undefined
  const handlers = confirmingHandlers(() => present)
  const send = () => {
    handlers.notice(press)
    handlers.pageOpened('open')
    handlers.cancelPage()
    handlers.explainPage()
  }
  send()
  present = first.confirming
  send()
  present = second.confirming
  send()
  present = undefined
  send()
  expect(first.heard).toEqual([press, 'open', 'cancel', 'explain'])
  expect(second.heard).toEqual([press, 'open', 'cancel', 'explain'])
})

describe('in a browser that can not tell what covers the card', () => {
  /** `answers`: what the server says, by the place that it is asked for. */
  function ask(
    kind: ApprovalKind | 'page',
    answers: Partial<Record<string, Confirmed | Promise<Confirmed>>>,
  ) {
    const puts: Pick<PuttingAsker, 'place' | 'handle'>[] = []
    const confirming = requestConfirmed(
      {
        kind,
        async put({ place, handle }) {
          puts.push({ place, handle })
          const answer = answers[place]
          if (!answer) throw new Error('Nothing is said of this place')
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
          decided: () => new Promise(() => {}),
          explain: async () => {},
        },
      },
      () => {},
    )
    const notice = (all: readonly Noticed[]) => {
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

  test('the server is told so, of the same request, and what it leaves there is approved there', async () => {
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

  test('what is pressed before the server has answered counts for nothing', async () => {
    const answered = Promise.withResolvers<Confirmed>()
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

  test('what was put for a card that is seen is put anew, where the browser spoke before the answer', async () => {
    const answered = Promise.withResolvers<Confirmed>()
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
    'a request of the kind %s that the server leaves to the page goes there',
    async (kind) => {
      const { confirming, notice, outcome } = ask(kind, { frame: onCard, unseen: page })
      await settle()
      await notice(seenFrom(0, blind))
      expect(confirming.shown()).toMatchObject({ by: 'page', reason: 'browser', way: { at: 'ready' } })
      await notice([...seenFrom(600, blind), ...tapped(1_310)])
      expect(outcome.settled).toBe(false)
    },
  )

  test('what no card approves is put for the page at once, and shows no other way meanwhile', async () => {
    const answered = Promise.withResolvers<Confirmed>()
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

  test('nothing is said to the server where the browser can tell, or of a plain message', async () => {
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
