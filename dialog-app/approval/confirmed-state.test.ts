import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { seenFrom, tapped } from '../testing/approval.ts'
import { confirmedIn } from '../testing/fixture.ts'
import { playing } from '../testing/machine.ts'
import { type ConfirmedEvent, confirmedStep, shownApproval, unconfirmed } from './confirmed-state.ts'
import type { Noticed } from './gate.ts'

const after = playing(confirmedStep)
const browser = { canOpenPage: true, hasWindow: false }
const ofTransaction = unconfirmed('transaction', browser)
const ofPage = unconfirmed('page', browser)

const onCard = confirmedIn('frame')
const onPage = confirmedIn('page')
const handle = 'h'.repeat(43)
const lost = new LatchkeyError('server_unreachable', 'lost')
const blind = { method: 'intersecting' } as const

const recorded = (record = onCard): ConfirmedEvent => ({ type: 'recorded', record })
const noticed = (all: readonly Noticed[]) =>
  all.map((each): ConfirmedEvent => ({ type: 'noticed', noticed: each }))
const pageOpened = (state: 'open' | 'closed' | 'unknown'): ConfirmedEvent => ({ type: 'page opened', state })
const begin: ConfirmedEvent = { type: 'begin' }

const toCard: readonly ConfirmedEvent[] = [begin, recorded()]
const toArmed: readonly ConfirmedEvent[] = [...toCard, ...noticed(seenFrom(0))]
const toApproved: readonly ConfirmedEvent[] = [...toArmed, ...noticed(tapped(710))]
const toPage: readonly ConfirmedEvent[] = [begin, recorded(onPage)]
const toOpened: readonly ConfirmedEvent[] = [...toPage, pageOpened('open')]

describe('the machine of an approval that the server confirms', () => {
  test.each([
    ['puts it for a card that is seen', [begin], [{ type: 'put', place: 'frame', handle: undefined }]],
    ['watches how long that is good', toCard, [{ type: 'watch expiry', record: onCard }]],
    [
      'puts it anew before it expires',
      [...toCard, { type: 'expiring', record: onCard }],
      [{ type: 'put', place: 'frame', handle: undefined }],
    ],
    ['resolves for a press on the card', toApproved, [{ type: 'resolve', record: onCard }]],
    [
      'puts the same request for another place where the browser can not tell',
      [...toCard, ...noticed(seenFrom(0, blind).slice(0, 1))],
      [{ type: 'put', place: 'unseen', handle }],
    ],
    [
      'shows the way to the page where the server says so',
      toPage,
      [{ type: 'tell' }, { type: 'watch expiry', record: onPage }],
    ],
    [
      'waits for what is decided on the page once that was opened',
      toOpened,
      [{ type: 'tell' }, { type: 'await decision', record: onPage }],
    ],
    ['tells that a blocker may keep it away', [...toOpened, pageOpened('unknown')], [{ type: 'tell' }]],
    [
      'resolves for what was decided there',
      [...toOpened, { type: 'decided' }],
      [{ type: 'resolve', record: onPage }],
    ],
    [
      'rejects what fails there',
      [...toOpened, { type: 'failed', cause: lost }],
      [{ type: 'reject', cause: lost }],
    ],
    [
      'rejects what the server refuses',
      [begin, { type: 'failed', cause: lost }],
      [{ type: 'reject', cause: lost }],
    ],
  ] satisfies readonly (readonly [string, readonly ConfirmedEvent[], readonly object[]])[])(
    '%s',
    (_, events, effects) => {
      expect(after(ofTransaction, ...events).effects).toEqual(effects)
    },
  )

  test('takes back what its user gives up while the page is open, as a refusal', () => {
    expect(after(ofTransaction, ...toOpened, { type: 'cancel' }).effects).toMatchObject([
      { type: 'stop waiting' },
      { type: 'reject', cause: { code: 'user_rejected_request' } },
    ])
  })

  test('opens the window of the host for a page, and for none other', () => {
    const withWindow = { canOpenPage: true, hasWindow: true }
    const played = (events: readonly ConfirmedEvent[], asked = withWindow) =>
      after(unconfirmed('transaction', asked), ...events).at
    expect(played(toPage)).toBe('opened')
    expect(played(toCard)).toBe('asking')
    expect(played(toPage, { ...withWindow, canOpenPage: false })).toBe('asking')
  })

  test('says that nothing can be opened in a browser inside of an app', () => {
    const { state } = after(unconfirmed('page', { ...browser, canOpenPage: false }), ...toPage)
    expect(shownApproval(state)).toMatchObject({ by: 'page', way: { at: 'nowhere' } })
  })

  test('has a card seen anew where what is read of it has changed', () => {
    const gateAfter = (usd: string | null) => {
      const { state } = after(ofTransaction, ...toArmed, recorded(confirmedIn('frame', { usd })))
      return shownApproval(state)
    }
    expect(gateAfter('12.00')).toMatchObject({ by: 'press', gate: { state: 'waiting' } })
    expect(gateAfter(null)).toMatchObject({ by: 'press', gate: { state: 'armed' } })
  })

  test('tells who looks at it only of what has changed', () => {
    const tells = (...events: readonly ConfirmedEvent[]) =>
      after(ofTransaction, ...events).effects.some(({ type }) => type === 'tell')
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

  test('goes on saying that the page was opened after it was decided', () => {
    const { state } = after(ofTransaction, ...toOpened, { type: 'decided' })
    expect(shownApproval(state)).toMatchObject({ by: 'page', way: { at: 'opened' } })
  })

  test.each([
    ['a press before the server has answered', ofTransaction, [begin], noticed(tapped(0))],
    ['a press where the page alone approves it', ofPage, toPage, noticed([...seenFrom(0), ...tapped(710)])],
    ['a press while the page is open', ofTransaction, toOpened, noticed([...seenFrom(0), ...tapped(710)])],
    ['a page that was opened before the server has answered', ofPage, [begin], [pageOpened('open')]],
    ['a page that was opened where the card approves it', ofTransaction, toCard, [pageOpened('open')]],
    ['a button whose window reads as closed', ofTransaction, toPage, [pageOpened('closed')]],
    ['a window that reads as closed after it was opened', ofTransaction, toOpened, [pageOpened('closed')]],
    [
      'the end of a request that is not the present one',
      ofTransaction,
      toCard,
      [{ type: 'expiring', record: onPage }],
    ],
    [
      'the end of a request whose page is open',
      ofTransaction,
      toOpened,
      [{ type: 'expiring', record: onPage }],
    ],
    ['what is put anew while the page is open', ofTransaction, toOpened, [recorded(confirmedIn('page'))]],
    ['a decision on a page that was not opened', ofTransaction, toPage, [{ type: 'decided' }]],
    ['a cancel of a page that was not opened', ofTransaction, toPage, [{ type: 'cancel' }]],
    [
      'the end of a request that was approved',
      ofTransaction,
      toApproved,
      [{ type: 'expiring', record: onCard }],
    ],
    ['a failure after it was approved', ofTransaction, toApproved, [{ type: 'failed', cause: lost }]],
  ] satisfies readonly (readonly [
    string,
    typeof ofPage,
    readonly ConfirmedEvent[],
    readonly ConfirmedEvent[],
  ])[])('is not changed by %s', (_, from, events, more) => {
    const { state } = after(from, ...events)
    for (const event of more) expect(confirmedStep(state, event)).toEqual([state])
    expect(after(state, ...more).state).toBe(state)
  })
})
