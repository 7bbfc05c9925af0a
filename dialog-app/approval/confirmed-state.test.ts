import { LatchkeyError } from '@latchkey/protocol'
import type { GateEvent } from '@latchkey/protocol/browser'
import { seenFrom, tapped } from '@latchkey/protocol/browser/testing'
import { describe, expect, test } from 'vitest'
import { confirmedIn } from '../testing/fixture.ts'
import { playing } from '../testing/machine.ts'
import { type ConfirmedEvent, confirmedStep, initialState, shownApproval } from './confirmed-state.ts'

const after = playing(confirmedStep)
const browser = { canOpenPage: true, hasWindow: false }
const ofTransaction = initialState('transaction', browser)
const ofPage = initialState('page', browser)

const onCard = confirmedIn('frame')
const onPage = confirmedIn('page')
const handle = 'h'.repeat(43)
const lost = new LatchkeyError('server_unreachable', 'lost')
const blind = { method: 'intersecting' } as const

const recorded = (record = onCard): ConfirmedEvent => ({ type: 'recorded', record })
const noticed = (all: readonly GateEvent[]) =>
  all.map((each): ConfirmedEvent => ({ type: 'noticed', noticed: each }))
const pageOpened = (state: 'open' | 'closed' | 'unknown'): ConfirmedEvent => ({ type: 'page-opened', state })
const begin: ConfirmedEvent = { type: 'begin' }

const toCard: readonly ConfirmedEvent[] = [begin, recorded()]
const toArmed: readonly ConfirmedEvent[] = [...toCard, ...noticed(seenFrom(0))]
const toApproved: readonly ConfirmedEvent[] = [...toArmed, ...noticed(tapped(710))]
const toPage: readonly ConfirmedEvent[] = [begin, recorded(onPage)]
const toOpened: readonly ConfirmedEvent[] = [...toPage, pageOpened('open')]

describe('confirmation state machine', () => {
  test.each([
    ['puts the request for a visible card', [begin], [{ type: 'put', place: 'frame', handle: undefined }]],
    ['watches the expiry of the request', toCard, [{ type: 'watch-expiry', record: onCard }]],
    [
      'puts the request again before it expires',
      [...toCard, { type: 'expiring', record: onCard }],
      [{ type: 'put', place: 'frame', handle: undefined }],
    ],
    ['resolves for a press on the card', toApproved, [{ type: 'resolve', record: onCard }]],
    [
      'puts the same request for another surface if the browser cannot report visibility',
      [...toCard, ...noticed(seenFrom(0, blind).slice(0, 1))],
      [{ type: 'put', place: 'unseen', handle }],
    ],
    [
      'shows the button of the confirmation page if the server requires the page',
      toPage,
      [{ type: 'notify' }, { type: 'watch-expiry', record: onPage }],
    ],
    [
      'awaits the decision after the page was opened',
      toOpened,
      [{ type: 'notify' }, { type: 'await-decision', record: onPage }],
    ],
    [
      'reports that a popup blocker may have blocked the page',
      [...toOpened, pageOpened('unknown')],
      [{ type: 'notify' }],
    ],
    [
      'resolves when the page approves',
      [...toOpened, { type: 'decided' }],
      [{ type: 'resolve', record: onPage }],
    ],
    [
      'rejects when the page fails',
      [...toOpened, { type: 'failed', cause: lost }],
      [{ type: 'reject', cause: lost }],
    ],
    [
      'rejects when the server refuses',
      [begin, { type: 'failed', cause: lost }],
      [{ type: 'reject', cause: lost }],
    ],
  ] satisfies readonly (readonly [string, readonly ConfirmedEvent[], readonly object[]])[])(
    '%s',
    (_, events, effects) => {
      expect(after(ofTransaction, ...events).effects).toEqual(effects)
    },
  )

  test('rejects as a user rejection if the user cancels while the page is open', () => {
    expect(after(ofTransaction, ...toOpened, { type: 'cancel' }).effects).toMatchObject([
      { type: 'stop-waiting' },
      { type: 'reject', cause: { code: 'user_rejected_request' } },
    ])
  })

  test("opens the host page's window for a page approval only", () => {
    const withWindow = { canOpenPage: true, hasWindow: true }
    const played = (events: readonly ConfirmedEvent[], asked = withWindow) =>
      after(initialState('transaction', asked), ...events).at
    expect(played(toPage)).toBe('opened')
    expect(played(toCard)).toBe('asking')
    expect(played(toPage, { ...withWindow, canOpenPage: false })).toBe('asking')
  })

  test('reports that no page can be opened in an in-app browser', () => {
    const { state } = after(initialState('page', { ...browser, canOpenPage: false }), ...toPage)
    expect(shownApproval(state)).toMatchObject({ by: 'page', way: { at: 'nowhere' } })
  })

  test('disarms the card when its displayed content changed', () => {
    const gateAfter = (usd: string | null) => {
      const { state } = after(ofTransaction, ...toArmed, recorded(confirmedIn('frame', { usd })))
      return shownApproval(state)
    }
    expect(gateAfter('12.00')).toMatchObject({ by: 'press', gate: { state: 'waiting' } })
    expect(gateAfter(null)).toMatchObject({ by: 'press', gate: { state: 'armed' } })
  })

  test('notifies the screen only of changes', () => {
    const tells = (...events: readonly ConfirmedEvent[]) =>
      after(ofTransaction, ...events).effects.some(({ type }) => type === 'notify')
    const looks = noticed(seenFrom(0))
    expect(looks.map((_, at) => tells(...toCard, ...looks.slice(0, at + 1)))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ])
  })

  test('keeps showing that the page was opened after the decision', () => {
    const { state } = after(ofTransaction, ...toOpened, { type: 'decided' })
    expect(shownApproval(state)).toMatchObject({ by: 'page', way: { at: 'opened' } })
  })

  test.each([
    ['a press before the server has answered', ofTransaction, [begin], noticed(tapped(0))],
    ['a press on a request for the page', ofPage, toPage, noticed([...seenFrom(0), ...tapped(710)])],
    ['a press while the page is open', ofTransaction, toOpened, noticed([...seenFrom(0), ...tapped(710)])],
    ['a page opened before the server has answered', ofPage, [begin], [pageOpened('open')]],
    ['a page opened for a request that the card approves', ofTransaction, toCard, [pageOpened('open')]],
    ['a button whose window is already closed', ofTransaction, toPage, [pageOpened('closed')]],
    ['a window that closes after it was opened', ofTransaction, toOpened, [pageOpened('closed')]],
    [
      'the expiry of a request that is not the current one',
      ofTransaction,
      toCard,
      [{ type: 'expiring', record: onPage }],
    ],
    [
      'the expiry of a request whose page is open',
      ofTransaction,
      toOpened,
      [{ type: 'expiring', record: onPage }],
    ],
    ['a repeated put while the page is open', ofTransaction, toOpened, [recorded(confirmedIn('page'))]],
    ['a decision on a page that was not opened', ofTransaction, toPage, [{ type: 'decided' }]],
    ['a cancel of a page that was not opened', ofTransaction, toPage, [{ type: 'cancel' }]],
    [
      'the expiry of a request that was approved',
      ofTransaction,
      toApproved,
      [{ type: 'expiring', record: onCard }],
    ],
    ['a failure after the approval', ofTransaction, toApproved, [{ type: 'failed', cause: lost }]],
  ] satisfies readonly (readonly [
    string,
    typeof ofPage,
    readonly ConfirmedEvent[],
    readonly ConfirmedEvent[],
  ])[])('ignores %s', (_, from, events, more) => {
    const { state } = after(from, ...events)
    for (const event of more) expect(confirmedStep(state, event)).toEqual([state])
    expect(after(state, ...more).state).toBe(state)
  })
})
