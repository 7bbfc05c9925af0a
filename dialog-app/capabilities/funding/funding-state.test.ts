import type { OnRampTransaction } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import { endingOfClose, type FundingEvent, fundingStep, shownStatus, unfunded } from './funding-state.ts'

const after = playing(fundingStep)
const begun = unfunded(false)
const begin: FundingEvent = { type: 'begin', remembered: undefined }
const signed: FundingEvent = { type: 'signed', url: 'https://pay.example?1', reference: 'r1' }
const pay: FundingEvent = { type: 'pay' }
const open: FundingEvent = { type: 'tab', tab: 'open' }
const told = (status: string, reference = 'r1'): FundingEvent => ({
  type: 'answered',
  reference,
  answer: { type: 'told', transaction: { status } as OnRampTransaction },
})
const toPayment: readonly FundingEvent[] = [begin, signed, pay, open]
const paying = ['track', 'remember', 'show status', 'poll', 'sign']

describe('the machine of a funding', () => {
  test('signs the page before it is asked for, and follows what is paid there', () => {
    const ways = [
      [[begin], 'preparing', ['sign']],
      [[{ type: 'begin', remembered: 'r0' }], 'preparing', ['show status', 'poll', 'sign']],
      [[begin, signed], 'ready', []],
      [[begin, { type: 'not signed' }], 'failed', []],
      [[begin, { type: 'not signed' }, { type: 'retry' }], 'preparing', ['sign']],
      [[begin, signed, pay], 'ready', ['open tab']],
      [toPayment, 'preparing', paying],
      [[begin, signed, pay, { type: 'tab', tab: 'blocked' }], 'blocked', []],
      [[begin, signed, pay, { type: 'tab', tab: 'blocked' }, { type: 'followed link' }], 'preparing', paying],
      [[...toPayment, told('pending')], 'preparing', ['poll']],
      [[...toPayment, told('completed')], 'preparing', ['track', 'forget']],
      [[...toPayment, told('waitingAuthorization')], 'preparing', ['track']],
      [[...toPayment, { type: 'leave status' }], 'preparing', ['end']],
      [
        [...toPayment, told('waitingAuthorization'), { type: 'leave status' }],
        'preparing',
        ['forget', 'end'],
      ],
    ] satisfies readonly (readonly [readonly FundingEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(begun, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['what is said of a payment before the last', toPayment, told('failed', 'r0')],
    ['what is said of a payment that is over', [...toPayment, told('failed')], told('completed')],
    ['what is said of a payment that nobody began', [begin, signed], told('completed')],
    ['a link that was followed while its page is signed', [begin], { type: 'followed link' }],
    ['a retry of what is ready', [begin, signed], { type: 'retry' }],
    ['a window that nobody asked for', [begin], open],
  ] satisfies readonly (readonly [string, readonly FundingEvent[], FundingEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(begun, ...events)
      expect(fundingStep(state, event)).toEqual([state])
      expect(fundingStep(state, event)[0]).toBe(state)
    },
  )

  test('offers the address of a window of which nothing is known', () => {
    const { state } = after(begun, begin, signed, pay, { type: 'tab', tab: 'unknown' })
    expect(state.payment?.perhapsBlocked).toBe('https://pay.example?1')
    expect(after(begun, ...toPayment).state.payment?.perhapsBlocked).toBeUndefined()
  })

  test('says that money has come, unless its payment is completed, and ends where that was needed', () => {
    const arrived: FundingEvent = { type: 'arrived', amount: 5n }
    expect(shownStatus(after(begun, ...toPayment, arrived).state)).toBe('arrived')
    expect(shownStatus(after(begun, ...toPayment, told('completed'), arrived).state)).toBe('completed')
    expect(after(begun, begin, arrived).effects).toEqual([])
    expect(after(unfunded(true), begin, arrived).effects).toEqual([
      { type: 'end', ending: { type: 'done', value: { status: null } } },
    ])
  })

  test('ends a close with the refusal of a user who has begun nothing', () => {
    const closed = (...events: readonly FundingEvent[]) => endingOfClose(after(begun, ...events).state)
    expect(closed(begin, signed)).toMatchObject({ error: { code: 'user_rejected_request' } })
    expect(closed(...toPayment)).toEqual({ type: 'done', value: { status: 'pending' } })
    expect(closed(begin, { type: 'arrived', amount: 5n })).toEqual({ type: 'done', value: { status: null } })
  })
})
