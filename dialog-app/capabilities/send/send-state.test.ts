import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { PendingConfirmation, ShownApproval } from '../../approval/confirmed.ts'
import { rejectedError } from '../../approval/rejection.ts'
import { playing } from '../../testing/machine.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { SendFailure, type SendProblem } from './confirmation.ts'
import {
  endingOfClose,
  type Ready,
  type SendEvent,
  type SendPhase,
  type SendState,
  sendStep,
  unsentState,
} from './send-state.ts'
import type { Sent, Transaction } from './transaction.ts'

const transaction: Transaction = { to: '0xto', value: 5n, data: '0x', chainId: 1 } as unknown as Transaction
const readyWith = (change: object) => {
  const prepared = { nonce: 7, balance: 100n, mostFee: 10n, hasEnough: true, willFail: false, ...change }
  return { wanted: transaction, reviewed: { prepared, action: {} }, serialized: '0x02' } as unknown as Ready
}
const ready = readyWith({})
const poor = readyWith({ balance: 8n, hasEnough: false })
const approval: ShownApproval = { by: 'press', gate: { state: 'waiting', sinceMs: 0, asks: false } }
const makeConfirming = () => ({}) as PendingConfirmation
const confirming = makeConfirming()
const onCard = { place: 'card' } as unknown as ConfirmedRequest
const sent = { receipt: { transactionHash: '0xabc' }, signedTransaction: '0x5e' } as unknown as Sent
const receipt = { status: 1n, gasUsed: 21_000n, effectiveGasPrice: 2n }
const failure = (problem: SendProblem) => new SendFailure(problem, '0xabc')

const begun = (change: Partial<SendState> = {}): SendState => ({
  ...unsentState({ transaction, answerWhen: 'confirmed', isSilent: false, window: 'w' }),
  ...change,
})
const after = playing(sendStep)
const toReview: readonly SendEvent[] = [
  { type: 'begin' },
  { type: 'prepared', ready },
  { type: 'put', confirming, approval },
]
const toSigning: readonly SendEvent[] = [...toReview, { type: 'approved', confirming, confirmed: onCard }]
const toBroadcasting: readonly SendEvent[] = [...toSigning, { type: 'signed', sent }]
const toFollowing: readonly SendEvent[] = [...toBroadcasting, { type: 'broadcast', isFollowed: true }]
const toDone: readonly SendEvent[] = [...toFollowing, { type: 'carried out', receipt }]

describe('the machine of a transaction', () => {
  test('goes from what the chain says to what the chain carried out', () => {
    const ways: readonly (readonly [readonly SendEvent[], SendPhase['at'], readonly string[]])[] = [
      [toReview.slice(0, 1), 'preparing', ['prepare']],
      [toReview.slice(0, 2), 'putting', ['put']],
      [toReview, 'review', []],
      [toSigning, 'signing', ['sign']],
      [toBroadcasting, 'broadcasting', ['broadcast']],
      [toFollowing, 'following', ['follow']],
      [toDone, 'done', ['settle']],
    ]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(begun(), ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  const late: readonly (readonly [string, readonly SendEvent[], SendEvent])[] = [
    [
      'a cancelled review after it was approved',
      toSigning,
      { type: 'not approved', confirming, cause: rejectedError() },
    ],
    [
      'a cancelled review after the send has begun',
      toBroadcasting,
      { type: 'not approved', confirming, cause: rejectedError() },
    ],
    ['a second approval', toSigning, { type: 'approved', confirming, confirmed: onCard }],
    [
      'an approval of an earlier review',
      toReview,
      { type: 'approved', confirming: makeConfirming(), confirmed: onCard },
    ],
    [
      'the end of an earlier review',
      toReview,
      { type: 'not approved', confirming: makeConfirming(), cause: rejectedError() },
    ],
    [
      'what an earlier review shows',
      toReview,
      { type: 'approval changed', confirming: makeConfirming(), approval },
    ],
    ['a second signature', toFollowing, { type: 'signed', sent }],
    ['a retry while it is followed', toFollowing, { type: 'retry' }],
    ['a retry of what was carried out', toDone, { type: 'retry' }],
    ['a failure after it was carried out', toDone, { type: 'failed', cause: failure('TIMEOUT') }],
    ['funds for what can be paid', toReview, { type: 'add funds' }],
    ['what a chain says of it while it is reviewed', toReview, { type: 'carried out', receipt }],
  ]
  test.each(late)('is not changed by %s', (_, events, event) => {
    const { state } = after(begun(), ...events)
    expect(sendStep(state, event)).toEqual([state])
    expect(sendStep(state, event)[0]).toBe(state)
  })

  test('gives the window of the page to the first review alone', () => {
    const first = after(begun(), ...toReview.slice(0, 2))
    expect(first.effects).toMatchObject([{ type: 'put', window: 'w' }])
    const expired = new LatchkeyError('client_request_timeout', 'expired')
    const again = after(
      first.state,
      { type: 'put', confirming, approval },
      { type: 'not approved', confirming, cause: expired },
      { type: 'retry' },
      { type: 'looked', found: undefined },
      { type: 'prepared', ready },
    )
    expect(again.effects).toMatchObject([{ type: 'put', window: undefined }])
  })

  test('ends a close with what a node may have, and else with the refusal of the user', () => {
    const closed = (...events: readonly SendEvent[]) => endingOfClose(after(begun(), ...events).state)
    expect(closed(...toReview)).toMatchObject({ type: 'failed', error: { code: 'user_rejected_request' } })
    expect(closed(...toSigning)).toMatchObject({ type: 'failed', error: { code: 'user_rejected_request' } })
    expect(closed(...toBroadcasting)).toEqual({ type: 'done', value: sent })
    expect(closed(...toFollowing)).toEqual({ type: 'done', value: sent })
    expect(
      closed(...toFollowing, { type: 'failed', cause: failure('TIMEOUT') }, { type: 'retry' }),
    ).toMatchObject({
      type: 'failed',
      error: { code: 'transaction_failure', details: { code: 'TIMEOUT' } },
    })
  })

  test('cannot be approved while it cannot be paid, and is prepared anew with new money', () => {
    const lacking = after(begun(), { type: 'begin' }, { type: 'prepared', ready: poor })
    expect(lacking.phase).toMatchObject({ at: 'lacking', missing: 7n, untilBalance: 15n })
    expect(after(lacking.state, { type: 'approved', confirming, confirmed: onCard }).state).toBe(
      lacking.state,
    )
    expect(after(lacking.state, { type: 'add funds' }).effects).toEqual([
      { type: 'add funds', missing: 7n, untilBalance: 15n },
    ])
    expect(after(lacking.state, { type: 'funded' }).at).toBe('preparing')
  })

  test('asks nobody where the server confirms it silently, and somebody where it does not', () => {
    const silent = begun({ isSilent: true })
    const asked = after(silent, { type: 'begin' }, { type: 'prepared', ready })
    expect(asked).toMatchObject({ at: 'confirming silently', effects: [{ type: 'confirm silently' }] })
    const answer = (place: string) =>
      after(asked.state, { type: 'answered silently', confirmed: { place } as unknown as ConfirmedRequest })
    expect(answer('silent')).toMatchObject({ at: 'signing', state: { isSilent: true } })
    expect(answer('page')).toMatchObject({
      at: 'putting',
      state: { isSilent: false },
      effects: [{ type: 'put', known: { place: 'page' } }],
    })
    const failing = readyWith({ willFail: true })
    expect(after(silent, { type: 'begin' }, { type: 'prepared', ready: failing }).at).toBe('putting')
  })

  test('goes to its user where the limits were used up before it was signed, but not from the page', () => {
    const cause = new LatchkeyError('approval_required_elsewhere', 'on the page')
    const signing = (place: string) =>
      after(begun(), ...toReview, {
        type: 'approved',
        confirming,
        confirmed: { place } as unknown as ConfirmedRequest,
      })
    expect(after(signing('card').state, { type: 'failed', cause })).toMatchObject({
      at: 'preparing',
      effects: [{ type: 'prepare' }],
    })
    expect(after(signing('page').state, { type: 'failed', cause }).effects).toMatchObject([
      { type: 'end', ending: { type: 'failed', error: cause } },
    ])
  })

  const retries: readonly (readonly [SendProblem, number | undefined, boolean])[] = [
    ['NETWORK_ERROR', 7, false],
    ['TIMEOUT', 7, true],
    ['TRANSACTION_DROPPED', 7, false],
    ['UNKNOWN_ERROR', 7, false],
    ['CALL_EXCEPTION', undefined, false],
    ['NONCE_EXPIRED', undefined, false],
    ['REPLACEMENT_UNDERPRICED', undefined, false],
    ['TRANSACTION_REPLACED', undefined, false],
    ['INSUFFICIENT_FUNDS', undefined, false],
  ]
  test.each(retries)(
    'after %s asks for the number %s again, and may replace: %s',
    (problem, nonce, mayReplace) => {
      const { state } = after(begun(), ...toFollowing, { type: 'failed', cause: failure(problem) })
      expect(state.phase).toMatchObject({ at: 'failed', code: problem, again: { mayReplace } })
      expect(state.phase.at === 'failed' && state.phase.again.wanted.nonce).toBe(nonce)
      expect(state.undecided === undefined).toBe(nonce === undefined)
    },
  )

  test('follows the try before that used up its number, and looks for none where there was none', () => {
    const cause = failure('TRANSACTION_REPLACED')
    const other = { sent: { ...sent, receipt: { transactionHash: '0xold' } } as unknown as Sent, nonce: 7 }
    const second = after(begun({ tried: [other] }), ...toFollowing, { type: 'failed', cause })
    expect(second).toMatchObject({ at: 'following', effects: [{ type: 'find in its place', cause }] })
    expect(after(second.state, { type: 'looked', found: other, cause })).toMatchObject({
      phase: { at: 'following', isEarlier: true, sent: other.sent },
      effects: [{ type: 'follow', sent: other.sent }],
    })
    expect(after(second.state, { type: 'looked', found: undefined, cause }).at).toBe('failed')
    expect(after(begun(), ...toFollowing, { type: 'failed', cause }).at).toBe('failed')
  })

  test('answers a caller that waits for no block when a node has it, and follows it for its user', () => {
    const given = after(begun({ answerWhen: 'sent' }), ...toFollowing)
    expect(given).toMatchObject({
      at: 'following',
      state: { isAnswered: true },
      effects: [{ type: 'settle', ending: { type: 'done', value: sent } }, { type: 'follow' }],
    })
    const failed = after(given.state, { type: 'failed', cause: failure('TIMEOUT') })
    expect(after(failed.state, { type: 'retry' }).state).toBe(failed.state)
  })

  test('is not sent for a caller that wants it signed', () => {
    expect(after(begun({ answerWhen: 'signed' }), ...toBroadcasting)).toMatchObject({
      at: 'signing',
      effects: [{ type: 'end', ending: { type: 'done', value: sent } }],
    })
  })
})
