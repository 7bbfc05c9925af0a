/** The end of an account, as its user meets it on the page of their account. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { seenFrom, tapped } from '../../testing/approval.ts'
import { settle } from '../../testing/clock.ts'
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

const DELETION = 'ACCOUNT_DELETION_SCREEN'
const VERIFY = 'MFA_VERIFY_CODE_SCREEN'
/** The token of a deletion, and the handle of what its user approved. */
const byCard = `delete-account by ${'h'.repeat(43)}`
type Given = Readonly<Record<string, unknown>>

async function atDeletion({
  user = walletUser,
  serve = () => ({}),
  page = makeApprovingPage(),
}: {
  user?: UserRecord
  serve?: (event: string, data: Given) => unknown
  page?: ReturnType<typeof makeConfirmPage>
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
    answers: { me: () => user, logout: () => ({ success: true }), ...page.answers },
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
  await renderDialog(fixture).press('Delete account')
  await vi.waitFor(() => fixture.state(DELETION), { timeout: 20_000 })
  const tap = async () => {
    for (const noticed of [...seenFrom(0), ...tapped(710)]) await fixture.press(DELETION, 'notice', noticed)
  }
  const approve = async () => {
    await fixture.press(DELETION, 'pageOpened', 'open')
    for (let turn = 0; turn < 20; turn += 1) await settle()
  }
  return { ...fixture, calls, ended, tap, approve }
}

describe('a user who deletes their account', () => {
  test('reads what is lost, goes on, approves it, and is told that it is done, and then logged out', async () => {
    const { state, press, tap, approve, calls, ended, session, screen, clock, browser } = await atDeletion()
    browser.store.write('latchkey:lkdemo0000000000000000001:last-email', 'ada@example.org')
    expect(state(DELETION)).toMatchObject({
      status: 'reading',
      hasWallet: true,
      email: 'ada@example.org',
    })
    await press(DELETION, 'go')
    expect(state(DELETION)).toMatchObject({ status: 'review' })
    await tap()
    expect(calls).toEqual([])
    await approve()
    expect(calls.map(({ event, purpose }) => [event, purpose])).toEqual([['account:delete', byCard]])
    expect(ended).toEqual(['op-1'])
    expect(state(DELETION)).toMatchObject({ status: 'deleted' })
    expect(browser.store.read('latchkey:lkdemo0000000000000000001:last-email')).toBeNull()
    await press(DELETION, 'leave')
    await clock.advance(200)
    expect(session.state().status).toBe('visitor')
    expect(screen()).toBe('LANDING')
  })

  test('keeps it, from either step, and nothing was asked for', async () => {
    const first = await atDeletion()
    await first.press(DELETION, 'keep')
    expect(first.screen()).toBe('SIGNED_IN')
    const second = await atDeletion()
    await second.press(DELETION, 'go')
    await second.press(DELETION, 'keep')
    expect(second.screen()).toBe('SIGNED_IN')
    expect([...first.calls, ...second.calls]).toEqual([])
  })

  test('is told of a wallet that is a Solana wallet alone', async () => {
    const linkedAccounts = [...visitorUser.linkedAccounts, solanaAccount]
    const { state } = await atDeletion({ user: { ...visitorUser, linkedAccounts } })
    expect(state(DELETION)).toMatchObject({ hasWallet: true })
  })

  test('is not told of a wallet where there is none', async () => {
    const { state } = await atDeletion({ user: visitorUser })
    expect(state(DELETION)).toMatchObject({ hasWallet: false })
  })

  test('verifies first where they have a method, and keeps the account where they do not', async () => {
    const user: UserRecord = { ...walletUser, mfaMethods: [{ type: 'totp', verifiedAt: 1 }] }
    const missing = () => new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
    const { state, press, approve, calls, screen } = await atDeletion({
      user,
      serve(_event, data) {
        if (data.mfaCode === undefined) throw missing()
        return {}
      },
    })
    await press(DELETION, 'go')
    await approve()
    await vi.waitFor(() => expect(screen()).toBe(VERIFY), { timeout: 20_000 })
    await press(VERIFY, 'notNow')
    expect(state(DELETION)).toMatchObject({ status: 'review', problem: 'canceled' })
    expect(calls.filter(({ data }) => data.mfaCode !== undefined)).toEqual([])
    await approve()
    await vi.waitFor(() => expect(screen()).toBe(VERIFY), { timeout: 20_000 })
    await press(VERIFY, 'submit', '123456')
    expect(calls.at(-1)).toMatchObject({
      event: 'account:delete',
      data: { mfaMethod: 'totp', mfaCode: '123456' },
    })
    expect(state(DELETION)).toMatchObject({ status: 'deleted' })
  })

  test('is told when it failed, and can try again', async () => {
    let isUp = false
    const { state, press, approve } = await atDeletion({
      serve() {
        if (!isUp) throw new LatchkeyError('server_unreachable', 'The server could not be reached')
        return {}
      },
    })
    await press(DELETION, 'go')
    await approve()
    expect(state(DELETION)).toMatchObject({ status: 'review', problem: 'other' })
    isUp = true
    await approve()
    expect(state(DELETION)).toMatchObject({ status: 'deleted' })
  })

  describe('on the page', () => {
    async function onPage() {
      const page = makeConfirmPage()
      const made = await atDeletion({ page })
      await made.press(DELETION, 'go')
      await vi.waitFor(() =>
        expect(made.state(DELETION)).toMatchObject({
          status: 'review',
          approval: { by: 'page', reason: 'browser', way: { at: 'ready' } },
        }),
      )
      await made.tap()
      expect(made.calls).toEqual([])
      await made.press(DELETION, 'pageOpened', 'open')
      expect(made.state(DELETION)).toMatchObject({ approval: { way: { at: 'opened' } } })
      return { ...made, page }
    }

    test('approves it on the page', async () => {
      const { page, clock, state, calls } = await onPage()
      page.decide('approved')
      await clock.advance(1_000)
      await vi.waitFor(() => expect(state(DELETION)).toMatchObject({ status: 'deleted' }))
      expect(calls.map(({ purpose }) => purpose)).toEqual([byCard])
    })

    test('keeps it by a refusal there', async () => {
      const { page, clock, screen, calls } = await onPage()
      page.decide('refused')
      await clock.advance(1_000)
      await vi.waitFor(() => expect(screen()).toBe('SIGNED_IN'))
      expect(calls).toEqual([])
    })
  })
})

test('what is typed is taken as phones write it, and nothing else is', () => {
  for (const typed of ['ada@example.org', 'Ada@example.org ', 'ADA@EXAMPLE.ORG']) {
    expect(isTyped('ada@example.org', typed)).toBe(true)
  }
  for (const typed of ['', ' ', 'ada@example.or', 'ada@example.org, please']) {
    expect(isTyped('ada@example.org', typed)).toBe(false)
  }
})
