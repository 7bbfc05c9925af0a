/** Tests the operator's daily limits. */
import { expect, test } from 'vitest'
import {
  type ApprovalSettings,
  defaultApprovalSettings,
} from '../../../kernel/app-settings/approval-settings.ts'
import { findCallBudget, findTypedDataBudget, getLimit } from './budgets.ts'

const contract = '0x00000000000000000000000000000000000000aa'
const silent: NonNullable<ApprovalSettings['noPrompt']> = {
  messages: false,
  usdPerDay: 0.019,
  calls: [],
  typedData: [],
}
const withSettings = (change: Partial<ApprovalSettings>): ApprovalSettings => ({
  ...defaultApprovalSettings,
  ...change,
})

test('an app allows 100 dollars a day, 20 of them unseen, and 200 messages by default', () => {
  expect(getLimit(defaultApprovalSettings, 'allowance')).toEqual({ unit: 'cents', most: 10_000 })
  expect(getLimit(defaultApprovalSettings, 'unseen')).toEqual({ unit: 'cents', most: 2_000 })
  expect(getLimit(defaultApprovalSettings, 'messages')).toEqual({ unit: 'times', most: 200 })
  expect(getLimit(defaultApprovalSettings, 'silent-calls')).toBeUndefined()
  expect(getLimit(defaultApprovalSettings, 'silent-messages')).toBeUndefined()
})

test('fractions of a cent are cut off', () => {
  const approvals = withSettings({ frameApprovalsUsdPerDay: 20.059, noPrompt: silent })
  expect(getLimit(approvals, 'allowance')).toEqual({ unit: 'cents', most: 2_005 })
  expect(getLimit(approvals, 'silent-calls')).toEqual({ unit: 'cents', most: 1 })
})

test('null means no limit', () => {
  const approvals = withSettings({
    frameApprovalsUsdPerDay: null,
    frameApprovalsUsdPerDayUnseen: null,
    frameMessagesPerDay: null,
    noPrompt: { ...silent, messages: true, usdPerDay: null },
  })
  for (const name of ['allowance', 'unseen', 'messages', 'silent-calls', 'silent-messages']) {
    expect([name, getLimit(approvals, name)?.most]).toEqual([name, null])
  }
})

const listed = { chain: 10, contract, selector: '0x12345678' }
const call = { chainId: '10', to: contract, selector: '0x12345678', value: 0n }

test('a call has the limit of its list, chain, contract and selector: uses without coin, dollars with coin', () => {
  const cardCalls = [
    { ...listed, callsPerDay: 3 },
    { ...listed, usdPerDay: 7 },
  ]
  const approvals = withSettings({ cardCalls })
  const boundOf = (change: Partial<typeof call>) =>
    findCallBudget(approvals, 'card', { ...call, ...change })?.limit
  expect(boundOf({})).toEqual({ unit: 'times', most: 3 })
  expect(boundOf({ value: 1n })).toEqual({ unit: 'cents', most: 700 })
  expect(boundOf({ to: '0x00000000000000000000000000000000000000AA' })).toEqual({ unit: 'times', most: 3 })
  expect(boundOf({ chainId: '1' })).toBeUndefined()
  expect(boundOf({ to: '0x00000000000000000000000000000000000000ab' })).toBeUndefined()
  expect(boundOf({ selector: '0x12345679' })).toBeUndefined()
  expect(findCallBudget(approvals, 'silent', call)).toBeUndefined()
  expect(
    findCallBudget(withSettings({ noPrompt: { ...silent, calls: cardCalls } }), 'silent', call)?.limit,
  ).toEqual({ unit: 'times', most: 3 })
})

test('a call listed by uses has no dollar limit, and vice versa', () => {
  const only = (cardCalls: ApprovalSettings['cardCalls'], value: bigint) =>
    findCallBudget(withSettings({ cardCalls }), 'card', { ...call, value })
  expect(only([{ ...listed, callsPerDay: 3 }], 1n)).toBeUndefined()
  expect(only([{ ...listed, callsPerDay: 3 }], 0n)).toBeDefined()
  expect(only([{ ...listed, usdPerDay: 3 }], 0n)).toBeUndefined()
  expect(only([{ ...listed, usdPerDay: 3 }], 1n)).toBeDefined()
})

test('a selector that grants rights allows nothing, even if it is stored in a list', () => {
  const stored = (selector: string) =>
    findCallBudget(withSettings({ cardCalls: [{ ...listed, selector, callsPerDay: 3 }] }), 'card', {
      ...call,
      selector,
    })
  expect(stored('0x095ea7b3')).toBeUndefined()
  expect(stored('0xac9650d8')).toBeUndefined()
  expect(stored('0x12345678')).toBeDefined()
})

test('typed data is listed by the combination of contract and primary type', () => {
  const cardTypedData = [{ contract, primaryType: 'Order' }]
  const isListed = (change: object, who: 'card' | 'silent' = 'card') =>
    findTypedDataBudget(withSettings({ cardTypedData }), who, {
      contract,
      primaryType: 'Order',
      ...change,
    }) !== undefined
  expect(isListed({})).toBe(true)
  expect(isListed({ contract: '0x00000000000000000000000000000000000000AA' })).toBe(true)
  expect(isListed({ primaryType: 'order' })).toBe(false)
  expect(isListed({ contract: '0x00000000000000000000000000000000000000ab' })).toBe(false)
  expect(isListed({ contract: undefined })).toBe(false)
  expect(isListed({}, 'silent')).toBe(false)
})

test('a call removed from the list has no limit', () => {
  const approvals = withSettings({
    cardCalls: [{ ...listed, callsPerDay: 3 }],
    cardTypedData: [{ contract, primaryType: 'Order' }],
  })
  const names = [
    findCallBudget(approvals, 'card', call)?.name ?? '',
    findTypedDataBudget(approvals, 'card', { contract, primaryType: 'Order' })?.name ?? '',
  ]
  expect(names.map((name) => getLimit(approvals, name)?.most)).toEqual([3, null])
  expect(names.map((name) => getLimit(defaultApprovalSettings, name))).toEqual([undefined, undefined])
})
