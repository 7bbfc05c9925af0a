import type { OnRampTransaction } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { createPayment, endByClose, getShownStatus, updatePayment } from './payment.ts'

const pending = createPayment('r1')
const after = (status: OnRampTransaction['status'], more: Partial<OnRampTransaction> = {}) =>
  updatePayment(pending, { type: 'found', transaction: { status, ...more } })

describe('a payment', () => {
  // spec W4.24
  test.each([
    ['waitingAuthorization', 'credit_debit_card', 'pending', false],
    ['awaitingAuthorization', 'credit_debit_card', 'pending', false],
    ['waitingAuthorization', 'ach_bank_transfer', 'waitingAuthorization', true],
    ['awaitingAuthorization', 'ach_bank_transfer', 'waitingAuthorization', true],
    ['completed', 'credit_debit_card', 'completed', true],
    ['failed', 'credit_debit_card', 'failed', true],
    ['pending', 'credit_debit_card', 'pending', false],
  ] as const)(
    'with status %s by %s counts as %s, and is over: %s',
    (status, paymentMethod, shown, isOver) => {
      expect(after(status, { paymentMethod })).toMatchObject({ status: shown, isOver })
    },
  )

  test('ignores responses after its final status', () => {
    const failed = after('failed')
    expect(failed).toMatchObject({ status: 'failed', isOver: true })
    expect(updatePayment(failed, { type: 'found', transaction: { status: 'completed' } })).toBe(failed)
  })

  test('shows that the funds arrived, unless the provider completed it', () => {
    expect(getShownStatus({ payment: pending, arrived: 5n })).toBe('arrived')
    expect(getShownStatus({ payment: after('completed'), arrived: 5n })).toBe('completed')
    expect(getShownStatus({ payment: pending, arrived: undefined })).toBe('pending')
  })
})

test('closing the card rejects the request if no payment was started', () => {
  expect(endByClose({ payment: undefined, arrived: undefined })).toMatchObject({
    error: { code: 'user_rejected_request' },
  })
  expect(endByClose({ payment: pending, arrived: undefined })).toEqual({
    type: 'done',
    value: { status: 'pending' },
  })
  expect(endByClose({ payment: undefined, arrived: 5n })).toEqual({ type: 'done', value: { status: null } })
})
