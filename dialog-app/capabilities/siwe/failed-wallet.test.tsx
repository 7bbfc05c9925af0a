/** Failures of a wallet or of its login, and how the login continues. */
import type { ErrorCode } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { refused } from '../../testing/fixture.ts'
import {
  address,
  answers,
  atWallets,
  cairn,
  chainOne,
  chooseWallet,
  connected,
  metamask,
  openWallets,
  otherAddress,
  pageOf,
  shownWallets,
  signature,
} from './testing.ts'

const somethingWrong = 'Something went wrong with MetaMask. Check that it is unlocked, then try again.'

describe('a wallet that fails', () => {
  // spec L8.20
  test.each([
    ['refuse', 'Connection rejected', 'You rejected the request in MetaMask. Try again to allow it.'],
    ['timeOut', 'Timed out', 'MetaMask did not respond in time. Open it, then try again.'],
    ['fail', 'Could not connect', somethingWrong],
  ] as const)('by %s shows the reason: %s', async (how, title, detail) => {
    const page = pageOf(metamask)
    const { fixture, dialog } = await atWallets({ answers, page })
    await chooseWallet(dialog, 'MetaMask')
    await page[how]()
    await dialog.see(title)
    expect(dialog.texts()).toContain(detail)
    expect(fixture.screen()).toBe('AWAITING_CONNECTION')
  })

  test('can be retried after the user answered an earlier request in the wallet', async () => {
    const page = pageOf(metamask)
    const { dialog } = await atWallets({ answers, page })
    await chooseWallet(dialog, 'MetaMask')
    await page.fail(-32_002)
    await dialog.see('Open your wallet')
    await dialog.press('Try again')
    expect(page.question()).toBe('eth_requestAccounts')
  })

  test.each([[[]], [['0x12']], ['nothing'], [null]])(
    'fails to connect with the accounts %j',
    async (accounts) => {
      const page = pageOf(metamask)
      const { dialog } = await atWallets({ answers, page })
      await chooseWallet(dialog, 'MetaMask')
      await page.answer(accounts)
      await dialog.see('Could not connect')
    },
  )

  // spec L4.27, L4.28, L2.40
  test('can be tried again twice, and then another wallet has to be chosen', async () => {
    const page = pageOf(metamask)
    const { fixture, dialog } = await atWallets({ answers, page })
    await chooseWallet(dialog, 'MetaMask')
    await page.refuse()
    await dialog.see('Connection rejected')
    await dialog.press('Try again')
    await dialog.see('Waiting for MetaMask')
    await page.fail()
    await dialog.see('Unable to connect wallet')
    expect(dialog.texts()).toContain(somethingWrong)
    await dialog.press('Try again')
    expect(page.asked.map(({ method }) => method)).toEqual(Array(3).fill('eth_requestAccounts'))
    await page.refuse()
    await dialog.see('Could not connect with wallet')
    expect(fixture.screen()).toBe('LOGIN_FAILED_SCREEN')
    expect(fixture.view()?.header).toEqual({ back: false, close: true })
    expect(dialog.texts().slice(0, 4)).toEqual([
      'Could not connect with wallet',
      'Try another wallet, or another way to log in.',
      'Try again',
      'Cancel',
    ])
    await dialog.press('Try again')
    expect(fixture.screen()).toBe('LANDING')
    await openWallets(dialog)
    await chooseWallet(dialog, 'MetaMask')
    await page.refuse()
    await dialog.see('Connection rejected')
  })

  // spec L2.40
  test('closes the dialog on Cancel after too many failures', async () => {
    const page = pageOf(metamask)
    const { fixture, dialog, login } = await atWallets({ answers, page })
    await chooseWallet(dialog, 'MetaMask')
    await page.refuse()
    for (const _ of [1, 2]) {
      await dialog.press('Try again')
      await page.refuse()
    }
    await dialog.press('Cancel')
    expect(fixture.view()?.open).toBe(false)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  // spec L4.30
  test('gets a signature retry with the same nonce, 2.5 s later if the wallet needs the pause', async () => {
    const { fixture, page, dialog } = await connected()
    await page.refuse()
    await dialog.press('Try again')
    await page.answer([address])
    await page.answer(chainOne)
    const asked = page.asked.length
    await fixture.clock.advance(2_499)
    expect(page.asked).toHaveLength(asked)
    await fixture.clock.advance(1)
    expect(page.question()).toBe('personal_sign')
    expect(page.asked).toHaveLength(asked + 1)
    expect(fixture.transport.calls('beginSiwe')).toHaveLength(1)
  })

  test('gets a signature retry immediately if the wallet needs no pause', async () => {
    const page = pageOf(cairn)
    const { dialog } = await atWallets({ answers, page })
    await chooseWallet(dialog, 'Cairn')
    for (const isFirst of [true, false]) {
      await page.answer([address])
      await page.answer(chainOne)
      expect(page.question()).toBe('personal_sign')
      if (isFirst) {
        await page.refuse()
        await dialog.press('Try again')
      }
    }
  })

  test('gets a new nonce if the retry connects another account', async () => {
    const { fixture, page, dialog } = await connected()
    await page.refuse()
    await dialog.press('Try again')
    await page.answer([otherAddress])
    await page.answer(chainOne)
    expect(fixture.transport.calls('beginSiwe').map(({ body }) => body)).toMatchObject([
      { address },
      { address: otherAddress },
    ])
  })
})

describe('an error of the server', () => {
  const failing = (code: ErrorCode, status: number) => ({
    ...answers,
    loginWithSiwe: () => Promise.reject(refused(code, status)),
  })

  // spec L8.18
  test.each([
    ['allowlist_rejected', 'ALLOWLIST_REJECTION_SCREEN'],
    ['max_accounts_reached', 'USER_LIMIT_REACHED_SCREEN'],
    ['user_does_not_exist', 'ACCOUNT_NOT_FOUND_SCREEN'],
  ] as const)('%s has its own screen', async (code, name) => {
    const { fixture, page } = await connected({ answers: failing(code, 401) })
    await page.answer(signature)
    expect(fixture.screen()).toBe(name)
  })

  // spec L8.19, L8.20
  test('offers a different wallet if another user has the account', async () => {
    const { fixture, page, dialog } = await connected({ answers: failing('linked_to_another_user', 400) })
    await page.answer(signature)
    await dialog.see('Authentication failed')
    await dialog.press('Use a different wallet')
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    await dialog.see('Cairn')
    expect(shownWallets(dialog)).toContain('Cairn')
  })

  test('requests another nonce after the server rejected one', async () => {
    const { fixture, page, dialog } = await connected({ answers: failing('invalid_credentials', 401) })
    await page.answer(signature)
    await dialog.see('Could not connect')
    await dialog.press('Try again')
    await page.answer([address])
    await page.answer(chainOne)
    expect(fixture.transport.calls('beginSiwe')).toHaveLength(2)
  })

  test('shows ERROR_SCREEN for a server error before the signature', async () => {
    const { fixture, dialog } = await connected({
      answers: { ...answers, beginSiwe: () => Promise.reject(refused('disallowed_login_method', 403)) },
    })
    expect(fixture.screen()).toBe('ERROR_SCREEN')
    await dialog.press('Try another method')
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
  })
})
