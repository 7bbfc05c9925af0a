/** The limits of a day in cents, as an operator wrote them in dollars. */
import { expect, test } from 'vitest'
import { defaultApprovalSettings } from '../apps/approval-settings.ts'
import { limitInCents } from './spending.ts'

const noPrompt = { methods: [], contracts: [], usdPerDay: 0.019 }

test('a part of a cent is no cent', () => {
  const approvals = { ...defaultApprovalSettings, frameApprovalsUsdPerDay: 20.059, noPrompt }
  expect(limitInCents(approvals, 'allowance')).toBe(2_005)
  expect(limitInCents(approvals, 'limits')).toBe(1)
})

test('none is none for the limits that say so, and nothing fits where there are no limits', () => {
  const approvals = { ...defaultApprovalSettings, frameApprovalsUsdPerDay: null }
  expect(limitInCents(approvals, 'allowance')).toBeNull()
  expect(limitInCents({ ...approvals, noPrompt: { ...noPrompt, usdPerDay: null } }, 'limits')).toBeNull()
  expect(limitInCents({ ...approvals, noPrompt: null }, 'limits')).toBeLessThan(0)
})
