/** What a wallet or the server refuses, and how the login goes on then. */
import type { ErrorCode } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { refused } from '../../testing/fixture.ts'
import { readCard } from '../../testing/read-screen.ts'
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

describe('a wallet that fails', () => {
  // spec L8.20
  test.each([
    ['refuse', 'rejected'],
    ['timeOut', 'timedOut'],
    ['fail', 'generic'],
  ] as const)('as by %s says why: %s', async (how, problem) => {
    const page = pageOf(metamask)
    const { fixture, step } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'MetaMask')
    await page[how]()
    expect(step()).toEqual({ status: 'failed', problem, isRepeated: false })
  })

  test('as with an earlier request open in it is to be opened, and then goes on', async () => {
    const page = pageOf(metamask)
    const { fixture, step } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'MetaMask')
    await page.fail(-32_002)
    expect(step()).toEqual({ status: 'failed', problem: 'pending', isRepeated: false })
    await fixture.press('AWAITING_CONNECTION', 'retry')
    expect(page.question()).toBe('eth_requestAccounts')
  })

  test.each([[[]], [['0x12']], ['nothing'], [null]])('with the accounts %j has none', async (said) => {
    const page = pageOf(metamask)
    const { fixture, step } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'MetaMask')
    await page.answer(said)
    expect(step()).toMatchObject({ status: 'failed', problem: 'generic' })
  })

  // spec L4.27, L4.28, L2.40
  test('is tried again twice, and then another way is tried', async () => {
    const page = pageOf(metamask)
    const { fixture, step } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'MetaMask')
    await page.refuse()
    expect(step()).toEqual({ status: 'failed', problem: 'rejected', isRepeated: false })
    await fixture.press('AWAITING_CONNECTION', 'retry')
    expect(step()).toEqual({ status: 'connecting' })
    await page.fail()
    expect(step()).toEqual({ status: 'failed', problem: 'generic', isRepeated: true })
    await fixture.press('AWAITING_CONNECTION', 'retry')
    expect(page.asked.map(({ method }) => method)).toEqual(Array(3).fill('eth_requestAccounts'))
    await page.refuse()
    expect(fixture.screen()).toBe('LOGIN_FAILED_SCREEN')
    expect(readCard(fixture)).toEqual([
      'Could not connect with wallet',
      'Try another wallet, or another way to log in.',
      'Try again',
      'Cancel',
    ])
    await fixture.press('LOGIN_FAILED_SCREEN', 'retry')
    expect(fixture.screen()).toBe('LANDING')
    await openWallets(fixture)
    await chooseWallet(fixture, 'MetaMask')
    await page.refuse()
    expect(step()).toMatchObject({ isRepeated: false })
  })

  // spec L2.40
  test('and is cancelled closes the dialog', async () => {
    const page = pageOf(metamask)
    const { fixture, login } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'MetaMask')
    await page.refuse()
    for (const _ of [1, 2]) {
      await fixture.press('AWAITING_CONNECTION', 'retry')
      await page.refuse()
    }
    await fixture.press('LOGIN_FAILED_SCREEN', 'leave')
    expect(fixture.view()?.open).toBe(false)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  // spec L4.30
  test('at its signature is asked again 2.5 s later, where it needs that, and with the same nonce', async () => {
    const { fixture, page } = await connected()
    await page.refuse()
    await fixture.press('AWAITING_CONNECTION', 'retry')
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

  test('at its signature is asked again at once, where it needs no time', async () => {
    const page = pageOf(cairn)
    const { fixture } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'Cairn')
    for (const isFirst of [true, false]) {
      await page.answer([address])
      await page.answer(chainOne)
      expect(page.question()).toBe('personal_sign')
      if (isFirst) {
        await page.refuse()
        await fixture.press('AWAITING_CONNECTION', 'retry')
      }
    }
  })

  test('and then is another account, or comes late, gets a nonce of its own', async () => {
    const { fixture, page } = await connected()
    await page.refuse()
    await fixture.press('AWAITING_CONNECTION', 'retry')
    await page.answer([otherAddress])
    await page.answer(chainOne)
    expect(fixture.transport.calls('beginSiwe').map(({ body }) => body)).toMatchObject([
      { address },
      { address: otherAddress },
    ])
  })
})

describe('what the server says of the wallet', () => {
  const saying = (code: ErrorCode, status: number) => ({
    ...answers,
    loginWithSiwe: () => Promise.reject(refused(code, status)),
  })

  // spec L8.18
  test.each([
    ['allowlist_rejected', 'ALLOWLIST_REJECTION_SCREEN'],
    ['max_accounts_reached', 'USER_LIMIT_REACHED_SCREEN'],
    ['user_does_not_exist', 'ACCOUNT_NOT_FOUND_SCREEN'],
  ] as const)('of %s has a screen of its own', async (code, name) => {
    const { fixture, page } = await connected({ answers: saying(code, 401) })
    await page.answer(signature)
    expect(fixture.screen()).toBe(name)
  })

  // spec L8.19, L8.20
  test('that it is of another user offers a different wallet', async () => {
    const { fixture, page, step } = await connected({ answers: saying('linked_to_another_user', 400) })
    await page.answer(signature)
    expect(step()).toMatchObject({ status: 'failed', problem: 'userExists' })
    await fixture.press('AWAITING_CONNECTION', 'other')
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(shownWallets(fixture)).toContain('Cairn')
  })

  test('that its nonce is none has the next try ask for another', async () => {
    const { fixture, page, step } = await connected({ answers: saying('invalid_credentials', 401) })
    await page.answer(signature)
    expect(step()).toMatchObject({ status: 'failed', problem: 'generic' })
    await fixture.press('AWAITING_CONNECTION', 'retry')
    await page.answer([address])
    await page.answer(chainOne)
    expect(fixture.transport.calls('beginSiwe')).toHaveLength(2)
  })

  test('before it signed is told as of any login that does not begin', async () => {
    const { fixture } = await connected({
      answers: { ...answers, beginSiwe: () => Promise.reject(refused('disallowed_login_method', 403)) },
    })
    expect(fixture.screen()).toBe('ERROR_SCREEN')
    await fixture.back()
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
  })
})
