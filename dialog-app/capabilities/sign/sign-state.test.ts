import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { PendingConfirmation, ShownApproval } from '../../approval/confirmed.ts'
import { rejectedError } from '../../approval/rejection.ts'
import { playing } from '../../testing/machine.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { ShownRequest } from './request-screen.tsx'
import { endingOfClose, type SignEvent, type SignState, signStep, unsignedState } from './sign-state.ts'

const account = { address: '0xwallet' } as WalletAccount
const shown = { names: {} } as unknown as ShownRequest
const approval: ShownApproval = { by: 'press', gate: { state: 'waiting', sinceMs: 0, asks: false } }
const makeConfirming = () => ({}) as PendingConfirmation
const confirming = makeConfirming()
const confirmedAt = (place: string) => ({ place }) as unknown as ConfirmedRequest
const onCard = confirmedAt('card')
const usedUp = new LatchkeyError('approval_required_elsewhere', 'on the page')
const lost = new LatchkeyError('server_unreachable', 'lost')

const begun = (mayBeSilent = false): SignState => unsignedState({ mayBeSilent, window: 'w' })
const after = playing(signStep)
const found: SignEvent = { type: 'found', account, shown, blocked: undefined }
const connected: SignEvent = { type: 'connected', attempt: 1 }
const toReview: readonly SignEvent[] = [{ type: 'begin' }, found, { type: 'put', confirming, approval }]
const approved: SignEvent = { type: 'approved', confirming, confirmed: onCard }
const toConnecting: readonly SignEvent[] = [...toReview, approved]
const toSigning: readonly SignEvent[] = [...toReview, connected, approved]
const toSigned: readonly SignEvent[] = [...toSigning, { type: 'signed', signature: '0x5e' }]
const toFailed: readonly SignEvent[] = [...toSigning, { type: 'not signed', cause: lost }]

describe('the machine of a signature', () => {
  test('connects while its user reads, and signs what was approved once both are done', () => {
    const ways = [
      [toReview.slice(0, 1), 'finding wallet', ['find wallet']],
      [toReview.slice(0, 2), 'putting', ['connect', 'put']],
      [toReview, 'review', []],
      [toConnecting, 'connecting', ['watch for slowness']],
      [[...toConnecting, connected], 'signing', ['sign']],
      [toSigning, 'signing', ['sign']],
      [toSigned, 'signed', ['settle', 'track', 'hold']],
      [toFailed, 'failed', []],
      [[...toFailed, { type: 'retry' }], 'putting', ['connect', 'put']],
    ] satisfies readonly (readonly [readonly SignEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(begun(), ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  const earlier = makeConfirming()
  const late: readonly (readonly [string, readonly SignEvent[], SignEvent])[] = [
    [
      'a cancelled review after the signing has begun',
      toSigning,
      { type: 'not approved', confirming, cause: rejectedError() },
    ],
    [
      'a cancelled review while the wallet connects',
      toConnecting,
      { type: 'not approved', confirming, cause: rejectedError() },
    ],
    ['a second approval', toSigning, approved],
    [
      'an approval of an earlier review',
      toReview,
      { type: 'approved', confirming: earlier, confirmed: onCard },
    ],
    [
      'the end of an earlier review',
      toReview,
      { type: 'not approved', confirming: earlier, cause: rejectedError() },
    ],
    ['what an earlier review shows', toReview, { type: 'approval changed', confirming: earlier, approval }],
    [
      'a connection of an earlier try that failed',
      [...toFailed, { type: 'retry' }],
      { type: 'not connected', attempt: 1, cause: lost },
    ],
    ['a connection of an earlier try that came', [...toFailed, { type: 'retry' }], connected],
    ['a connection that is slow after it came', toSigning, { type: 'slow', attempt: 1 }],
    ['a second signature', toSigned, { type: 'signed', signature: '0x5f' }],
    ['a failure after it was signed', toSigned, { type: 'not signed', cause: lost }],
    ['a retry while it is read', toReview, { type: 'retry' }],
  ]
  test.each(late)('is not changed by %s', (_, events, event) => {
    const { state } = after(begun(), ...events)
    expect(signStep(state, event)).toEqual([state])
    expect(signStep(state, event)[0]).toBe(state)
  })

  test('fails with the connection, whether it is read or approved by then', () => {
    for (const events of [toReview, toConnecting]) {
      const { phase } = after(begun(), ...events, { type: 'not connected', attempt: 1, cause: lost })
      expect(phase).toMatchObject({ at: 'failed', error: { code: 'unable_to_sign', cause: lost } })
    }
  })

  test('names what it waits for where the connection is slow, and leaves it there while it signs', () => {
    const slow = after(begun(), ...toConnecting, { type: 'slow', attempt: 1 })
    expect(slow.phase).toMatchObject({ at: 'connecting', isNamed: true })
    expect(after(slow.state, connected).phase).toMatchObject({ at: 'signing', isNamed: true })
  })

  test('asks nobody where the server confirms it silently, and somebody where it does not', () => {
    const asked = after(begun(true), { type: 'begin' }, found)
    expect(asked).toMatchObject({ at: 'confirming silently', effects: [{ type: 'confirm silently' }] })
    const answer = (confirmed: ConfirmedRequest | undefined) =>
      after(asked.state, { type: 'answered silently', confirmed })
    expect(answer(undefined)).toMatchObject({
      at: 'putting',
      effects: [{ type: 'connect' }, { type: 'put', known: undefined }],
    })
    expect(answer(confirmedAt('page')).effects).toMatchObject([
      { type: 'connect' },
      { type: 'put', known: { place: 'page' } },
    ])
    const silent = answer(confirmedAt('silent'))
    expect(silent).toMatchObject({ at: 'signing silently', effects: [{ type: 'sign silently' }] })
    expect(after(silent.state, { type: 'signed', signature: '0x5e' }).effects).toEqual([
      { type: 'settle', ending: { type: 'done', value: { signature: '0x5e', address: '0xwallet' } } },
      { type: 'track', what: 'completed' },
      { type: 'end' },
    ])
    expect(after(silent.state, { type: 'not signed', cause: usedUp }).at).toBe('putting')
    expect(after(silent.state, { type: 'not signed', cause: lost }).effects).toMatchObject([
      { type: 'end', ending: { type: 'failed', error: { code: 'unable_to_sign' } } },
    ])
  })

  test('goes to the page where the limits were used up before it was signed, but not from the page', () => {
    const signing = (place: string) =>
      after(begun(), ...toReview, connected, { type: 'approved', confirming, confirmed: confirmedAt(place) })
    expect(after(signing('card').state, { type: 'not signed', cause: usedUp }).at).toBe('putting')
    expect(after(signing('page').state, { type: 'not signed', cause: usedUp }).effects).toMatchObject([
      { type: 'end', ending: { type: 'failed', error: usedUp } },
    ])
  })

  test('gives the window of the page to the first try alone', () => {
    expect(after(begun(), ...toReview.slice(0, 2)).effects).toMatchObject([{}, { window: 'w' }])
    expect(after(begun(), ...toFailed, { type: 'retry' }).effects).toMatchObject([{}, { window: undefined }])
  })

  test('tells its caller at once of a request that nobody should be asked, and puts it to nobody', () => {
    const why = { kind: 'sign-in', domain: 'evil.example' } as const
    const blocked = after(begun(), { type: 'begin' }, { ...found, blocked: why })
    expect(blocked).toMatchObject({
      phase: { at: 'blocked', why },
      effects: [
        { type: 'track', what: 'possible_phishing_attempt' },
        { type: 'settle', ending: { type: 'failed', error: { code: 'invalid_message' } } },
      ],
    })
    expect(after(blocked.state, { type: 'put', confirming, approval }).state).toBe(blocked.state)
  })

  test('ends a close with the failure that was shown, and else with the refusal of the user', () => {
    const closed = (...events: readonly SignEvent[]) => endingOfClose(after(begun(), ...events).state)
    expect(closed(...toReview)).toMatchObject({ error: { code: 'user_rejected_request' } })
    expect(closed(...toFailed)).toMatchObject({ error: { code: 'unable_to_sign' } })
    expect(closed(...toFailed, { type: 'retry' })).toMatchObject({ error: { code: 'user_rejected_request' } })
  })
})
