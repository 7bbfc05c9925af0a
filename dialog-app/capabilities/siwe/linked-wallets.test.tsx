/** Linking and unlinking wallets. */
import type { LinkedAccount, UserRecord } from '@latchkey/protocol'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, solanaAccount, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import {
  address,
  answers,
  cairn,
  chainOne,
  chooseWallet,
  makeWalletFixture,
  metamask,
  otherAddress,
  type Page,
  pageOf,
  shownWallets,
  signature,
  walletAccount,
} from './testing.ts'

describe('a wallet of a user', () => {
  const other = { ...walletAccount, address: otherAddress }
  const withWallets = (...wallets: readonly LinkedAccount[]): UserRecord => ({
    ...visitorUser,
    linkedAccounts: [...visitorUser.linkedAccounts, ...wallets],
  })

  async function open(user: UserRecord, given: Parameters<typeof makeWalletFixture>[0] = {}) {
    const page = pageOf(metamask, cairn)
    const fixture = await makeWalletFixture({
      page,
      ...given,
      answers: {
        ...answers,
        me: () => user,
        linkWallet: () => withWallets(other, walletAccount),
        unlinkWallet: () => withWallets(),
        ...given?.answers,
      },
    })
    await fixture.session.start()
    fixture.session.accept(makeAuthAnswer({ user }))
    await settle()
    return { fixture, page, dialog: renderDialog(fixture) }
  }
  async function sign(page: Page) {
    await page.answer([address])
    await page.answer(chainOne)
    await page.answer(signature)
  }

  // spec L1.4, L2.50, L7.21
  test('is linked with a signature, also if the user has one already', async () => {
    const { fixture, page, dialog } = await open(withWallets(other))
    const linked = watch(fixture.link('wallet'))
    await settle()
    expect(fixture.screen()).toBe('LINK_WALLET_SCREEN')
    await dialog.see('Cairn')
    expect(shownWallets(dialog).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    await chooseWallet(dialog, 'MetaMask')
    await sign(page)
    await dialog.see('Successfully connected')
    expect(fixture.transport.calls('linkWallet')[0]).toMatchObject({
      body: {
        message: expect.stringMatching(
          new RegExp(`^demo\\.localhost:4010 wants you to sign in with your Ethereum account:\n${address}\n`),
        ),
        signature,
        chainId: 'eip155:1',
        walletClientType: 'metamask',
        connectorType: 'injected',
      },
      token: expect.any(String),
    })
    expect(linked.value).toMatchObject({
      user: { linkedAccounts: [{ type: 'email' }, other, walletAccount] },
    })
    expect(fixture.transport.calls('loginWithSiwe')).toEqual([])
  })

  // spec L4.14
  test('is linked without a captcha', async () => {
    const captcha = vi.fn(async () => ({ token: 't' }))
    const { fixture, page, dialog } = await open(withWallets(), { captcha })
    watch(fixture.link('wallet'))
    await settle()
    await chooseWallet(dialog, 'MetaMask')
    await sign(page)
    expect(fixture.transport.calls('linkWallet')).toHaveLength(1)
    expect(captcha).not.toHaveBeenCalled()
  })

  test('rejects a wallet of another user, in the dialog and to the host', async () => {
    const { fixture, page, dialog } = await open(withWallets(), {
      answers: { linkWallet: () => Promise.reject(refused('linked_to_another_user', 400)) },
    })
    const linked = watch(fixture.link('wallet'))
    await settle()
    await chooseWallet(dialog, 'MetaMask')
    await sign(page)
    await dialog.see('Authentication failed')
    await dialog.press('Use a different wallet')
    expect(fixture.screen()).toBe('LINK_WALLET_SCREEN')
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  test('starts over after a link failed and two retries failed', async () => {
    const { fixture, page, dialog } = await open(withWallets())
    const linked = watch(fixture.link('wallet'))
    await settle()
    await chooseWallet(dialog, 'MetaMask')
    await page.refuse()
    for (const _ of [1, 2]) {
      await dialog.press('Try again')
      await page.refuse()
    }
    await dialog.see('Could not connect with wallet')
    await dialog.press('Try again')
    expect(fixture.screen()).toBe('LINK_WALLET_SCREEN')
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'user_rejected_request' })
  })

  // spec L7.13
  test('is unlinked by its address', async () => {
    const { fixture } = await open(withWallets(walletAccount, other))
    const unlinked = watch(fixture.unlink('wallet', otherAddress))
    await settle()
    await renderDialog(fixture).press('Unlink')
    expect(fixture.transport.calls('unlinkWallet')[0]?.body).toEqual({ address: otherAddress })
    expect(unlinked.value).toMatchObject({ user: { linkedAccounts: [{ type: 'email' }] } })
  })

  test.each([otherAddress.toLowerCase(), `0x${otherAddress.slice(2).toUpperCase()}`])(
    'is found by its address in any letter case: %s',
    async (written) => {
      const { fixture } = await open(withWallets(walletAccount, other))
      void fixture.unlink('wallet', written).catch(() => {})
      await settle()
      await renderDialog(fixture).see((text) => text.includes(otherAddress))
    },
  )

  // spec L5.20
  test('rejects unlinking an embedded wallet without opening a card', async () => {
    const embedded = { ...other, walletClient: 'latchkey' as const, connectorType: 'embedded' }
    const { fixture } = await open(withWallets(embedded, walletAccount))
    await expect(fixture.unlink('wallet', otherAddress)).rejects.toMatchObject({
      code: 'cannot_unlink_embedded_wallet',
    })
    expect(fixture.frame).toEqual([])
    expect(fixture.transport.calls('unlinkWallet')).toEqual([])
  })

  // spec L5.20
  test('rejects unlinking a Solana wallet', async () => {
    const { fixture } = await open(withWallets(solanaAccount, walletAccount))
    await expect(fixture.unlink('wallet', solanaAccount.address)).rejects.toMatchObject({
      code: 'cannot_unlink_embedded_wallet',
    })
    expect(fixture.transport.calls('unlinkWallet')).toEqual([])
  })
})
