/** The end of an account, as its user meets it on the page of their account. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { makeFixture } from '../../testing/fixture.ts'
import { makeAuthAnswer, solanaAccount, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import {
  loadDecision,
  makeApprovingPage,
  makeConfirmPage,
} from '../../testing/wallet-windows/confirm-page.ts'
import type { Operation } from '../../wallet/operations.ts'
import { isTyped } from './account-deletion-screen.tsx'

beforeAll(loadDecision)

/** The token of a deletion, and the handle of what its user approved. */
const byCard = `delete-account by ${'h'.repeat(43)}`
type Given = Readonly<Record<string, unknown>>

async function openDeletion({
  user = walletUser,
  serve = () => ({}),
  confirmPage = makeApprovingPage(),
}: {
  user?: UserRecord
  serve?: (event: string, data: Given) => unknown
  confirmPage?: ReturnType<typeof makeConfirmPage>
} = {}) {
  const calls: { event: string; purpose: unknown; data: Given }[] = []
  const ended: string[] = []
  const operation: Operation = {
    id: 'op-1',
    publicKey: 'B',
    nextStep: () => ({ id: 'op-1', step: 1 }),
    channel: {
      async call(event: string, { accessToken, operation: _, ...data }: Given) {
        calls.push({ event, purpose: accessToken, data })
        return (await serve(event, data)) as never
      },
    } as unknown as Operation['channel'],
  }
  const fixture = await makeFixture({
    standalone: true,
    app: { mfaMethods: ['totp'] },
    answers: { me: () => user, logout: () => ({ success: true }), ...confirmPage.answers },
    wallet: {
      begin: async () => operation,
      end: ({ id }) => void ended.push(id),
      requestToken: async ({ nextStep }, purpose, address, { confirmation = null } = {}) => ({
        purpose,
        address,
        confirmation,
        requestedAtMs: 0,
        data: { accessToken: `${purpose} by ${confirmation?.handle}`, operation: nextStep() },
      }),
    },
  })
  fixture.session.accept(makeAuthAnswer({ user }))
  void fixture.dialog.runStandalone()
  const page = renderDialog(fixture)
  await page.press('Delete account')
  const typeAndContinue = async (text = 'ada@example.org') => {
    await page.type(/^Type /, text)
    await page.press('Continue')
  }
  return { ...fixture, page, calls, ended, typeAndContinue }
}

describe('a user who deletes their account', () => {
  test('reads the consequences, approves the deletion, and is logged out', async () => {
    const { page, typeAndContinue, calls, ended, session, screen, clock, browser } = await openDeletion()
    browser.store.write('latchkey:lkdemo0000000000000000001:last-email', 'ada@example.org')
    await page.see(/Your wallet and everything in it will be lost forever/)
    await typeAndContinue()
    await page.see('Delete it forever?')
    // Only the wallet page approves a deletion.
    expect(page.hasButton('Delete my account')).toBe(false)
    expect(calls).toEqual([])
    await page.openWalletWindow()
    await page.see('Your account is deleted')
    expect(calls.map(({ event, purpose }) => [event, purpose])).toEqual([['account:delete', byCard]])
    expect(ended).toEqual(['op-1'])
    expect(browser.store.read('latchkey:lkdemo0000000000000000001:last-email')).toBeNull()
    expect(page.hasButton('Back')).toBe(false)
    await page.press('Done')
    await clock.advance(200)
    expect(session.state().status).toBe('visitor')
    expect(screen()).toBe('LANDING')
  })

  test('cannot continue before they typed their address', async () => {
    const { page, typeAndContinue } = await openDeletion()
    await typeAndContinue('bob@example.org')
    await page.see('That does not match.')
    expect(page.has('Delete it forever?')).toBe(false)
  })

  test('can keep the account in either step', async () => {
    const first = await openDeletion()
    await first.page.press('Keep my account')
    expect(first.screen()).toBe('SIGNED_IN')
    const second = await openDeletion()
    await second.typeAndContinue()
    await second.page.press('Keep my account')
    expect(second.screen()).toBe('SIGNED_IN')
    expect([...first.calls, ...second.calls]).toEqual([])
  })

  test('reads that a Solana wallet is lost', async () => {
    const linkedAccounts = [...visitorUser.linkedAccounts, solanaAccount]
    const { page } = await openDeletion({ user: { ...visitorUser, linkedAccounts } })
    await page.see(/Your wallet and everything in it/)
  })

  test('reads nothing about a wallet without one', async () => {
    const { page } = await openDeletion({ user: visitorUser })
    await page.see('Delete your account?')
    expect(page.has(/Your wallet and everything in it/)).toBe(false)
  })

  test('verifies with a second factor, and keeps the account if they cancel that', async () => {
    const user: UserRecord = { ...walletUser, mfaMethods: [{ type: 'totp', verifiedAt: 1 }] }
    const missing = () => new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
    const { page, typeAndContinue, calls } = await openDeletion({
      user,
      serve(_event, data) {
        if (data.mfaCode === undefined) throw missing()
        return {}
      },
    })
    await typeAndContinue()
    await page.openWalletWindow()
    await page.press('Not now')
    await page.see('Verification canceled')
    expect(calls.filter(({ data }) => data.mfaCode !== undefined)).toEqual([])
    await page.openWalletWindow()
    await page.type('Digit 1 of 6', '123456')
    await page.see('Your account is deleted')
    expect(calls.at(-1)).toMatchObject({
      event: 'account:delete',
      data: { mfaMethod: 'totp', mfaCode: '123456' },
    })
  })

  test('reads that the deletion failed, and approves it again', async () => {
    let isReachable = false
    const { page, typeAndContinue, calls } = await openDeletion({
      serve() {
        if (!isReachable) throw new LatchkeyError('server_unreachable', 'The server could not be reached')
        return {}
      },
    })
    await typeAndContinue()
    await page.openWalletWindow()
    await page.see('Your account could not be deleted. Please try again.')
    isReachable = true
    await page.openWalletWindow()
    await page.see('Your account is deleted')
    expect(calls).toHaveLength(2)
  })

  test('keeps the account by rejecting on the wallet page', async () => {
    const confirmPage = makeConfirmPage()
    const { page, typeAndContinue, clock, screen, calls } = await openDeletion({ confirmPage })
    await typeAndContinue()
    await page.openWalletWindow()
    confirmPage.decide('refused')
    await clock.advance(1_000)
    await vi.waitFor(() => expect(screen()).toBe('SIGNED_IN'))
    expect(calls).toEqual([])
  })

  test('can request the approval again after it expired', async () => {
    const confirmPage = makeConfirmPage()
    const { page, typeAndContinue, clock, calls } = await openDeletion({ confirmPage })
    await typeAndContinue()
    await page.openWalletWindow()
    confirmPage.decide('expired')
    await clock.advance(1_000)
    await page.see('Your account could not be deleted. Please try again.')
    confirmPage.decide('approved')
    await page.press('Try again')
    await page.openWalletWindow()
    await page.see('Your account is deleted')
    expect(calls).toHaveLength(1)
  })
})

test('the typed confirmation ignores case and surrounding spaces, and must match otherwise', () => {
  for (const typed of ['ada@example.org', 'Ada@example.org ', 'ADA@EXAMPLE.ORG']) {
    expect(isTyped('ada@example.org', typed, 'en')).toBe(true)
  }
  for (const typed of ['', ' ', 'ada@example.or', 'ada@example.org, please']) {
    expect(isTyped('ada@example.org', typed, 'en')).toBe(false)
  }
})

test('the typed confirmation ignores the case of a Turkish word, and of an address in a Turkish dialog', () => {
  expect(isTyped('SİL', 'sil', 'tr')).toBe(true)
  expect(isTyped('SİL', 'sıl', 'tr')).toBe(false)
  expect(isTyped('info@example.org', 'INFO@example.org', 'tr')).toBe(true)
})
