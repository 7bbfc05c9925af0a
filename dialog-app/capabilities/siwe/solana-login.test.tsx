/** A login by a Solana wallet of the host page. */
import type { UserRecord } from '@latchkey/protocol'
import {
  findSolanaWalletsMethod,
  hostPageId,
  solanaConnectMethod,
  solanaSignInMethod,
} from '@latchkey/protocol/host'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import {
  answers,
  atWallets,
  cairn,
  chooseWallet,
  makeWalletFixture,
  pageOf,
  shownWallets,
  solanaAddress,
  walletAccount,
} from './testing.ts'

const phantom = { id: 'evm', name: 'Phantom', rdns: 'app.phantom' }
const solanaPhantom = { id: 'solana:1', name: 'Phantom' }
const solflare = { id: 'solana:2', name: 'Solflare' }
const app = { solanaWalletAuth: true }
const signature = `0x${'07'.repeat(64)}`
const account = {
  ...walletAccount,
  address: solanaAddress,
  chainType: 'solana' as const,
  connectorType: 'wallet_standard',
}
const owner: UserRecord = { ...visitorUser, linkedAccounts: [account] }

function solanaPage(...wallets: readonly { id: string; name: string }[]) {
  const page = pageOf(cairn, phantom)
  page.answers(findSolanaWalletsMethod, ({ wallet }) => ({
    result: wallet === hostPageId ? { wallets } : null,
  }))
  return page
}
const solanaAnswers = { ...answers, loginWithSiwe: () => makeAuthAnswer({ user: owner }), me: () => owner }

describe('a login by a Solana wallet', () => {
  test('connects, signs the message by fields or as text, and sends the signed one', async () => {
    const page = solanaPage(solflare)
    const { fixture, login, dialog } = await atWallets({ answers: solanaAnswers, page, app })
    await chooseWallet(dialog, 'Solflare')
    await dialog.see('Waiting for Solflare')
    expect(page.asked.at(-1)).toMatchObject({ wallet: 'solana:2', method: solanaConnectMethod, params: [] })
    await page.answer([solanaAddress])
    await dialog.see('Sign to verify')
    expect(fixture.transport.calls('beginSiwe')[0]?.body).toEqual({
      address: solanaAddress,
      origin: 'http://demo.localhost:4010',
    })
    const text = `demo.localhost:4010 wants you to sign in with your Solana account:
${solanaAddress}

Sign to prove that this wallet is yours. It costs nothing and moves nothing.

URI: http://demo.localhost:4010
Version: 1
Chain ID: solana:mainnet
Nonce: k7Qm2xV9
Issued At: 2026-01-01T12:34:56.000Z`
    expect(page.asked.at(-1)).toMatchObject({
      wallet: 'solana:2',
      method: solanaSignInMethod,
      params: [
        {
          address: solanaAddress,
          text,
          fields: {
            domain: 'demo.localhost:4010',
            statement: 'Sign to prove that this wallet is yours. It costs nothing and moves nothing.',
            uri: 'http://demo.localhost:4010',
            version: '1',
            chainId: 'solana:mainnet',
            nonce: 'k7Qm2xV9',
            issuedAt: '2026-01-01T12:34:56.000Z',
          },
        },
      ],
    })
    await page.answer({ message: 'the text of the wallet', signature })
    expect(fixture.transport.calls('loginWithSiwe')[0]?.body).toEqual({
      message: 'the text of the wallet',
      signature,
      chainId: 'solana:mainnet',
      walletClientType: 'solflare',
      connectorType: 'wallet_standard',
    })
    await dialog.see('Successfully connected')
    expect(login.value).toMatchObject({ loginMethod: 'wallet', loginAccount: { address: solanaAddress } })
  })

  test('names the chain of a wallet that the page has for Ethereum too', async () => {
    const { dialog } = await atWallets({ answers, page: solanaPage(solanaPhantom, solflare), app })
    expect(shownWallets(dialog).slice(0, 4)).toEqual(['Cairn', 'Phantom', 'Phantom (Solana)', 'Solflare'])
  })

  test('shows a rejection by the user, and tries again', async () => {
    const page = solanaPage(solflare)
    const { dialog } = await atWallets({ answers: solanaAnswers, page, app })
    await chooseWallet(dialog, 'Solflare')
    await page.refuse()
    await dialog.see('Connection rejected')
    await dialog.press('Try again')
    expect(page.question()).toBe(solanaConnectMethod)
  })

  test('asks for no Solana wallets in an app without them, and offers none to a page that cannot answer', async () => {
    const page = solanaPage(solflare)
    const { dialog } = await atWallets({ answers, page })
    expect(shownWallets(dialog)).not.toContain('Solflare')
    expect(page.asked.map(({ method }) => method)).not.toContain(findSolanaWalletsMethod)
    const older = pageOf(cairn)
    older.answers(findSolanaWalletsMethod, () => ({ refused: { code: null, message: 'No' } }))
    const other = await atWallets({ answers, page: older, app })
    expect(shownWallets(other.dialog)).toContain('Cairn')
  })
})

test('a wallet that is connected for the page, without a login, is no Solana wallet', async () => {
  const page = solanaPage(solflare)
  const fixture = await makeWalletFixture({ answers, page, app })
  watch(fixture.more('connectWallet', {}))
  await settle()
  expect(page.asked.map(({ method }) => method)).toContain(findSolanaWalletsMethod)
  expect(document.body.textContent).not.toContain('Solflare')
})

test('a linked Solana wallet can be unlinked', async () => {
  const user = { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, account] }
  const fixture = await makeWalletFixture({
    app,
    page: solanaPage(solflare),
    answers: { ...answers, me: () => user, unlinkWallet: () => visitorUser },
  })
  fixture.session.accept(makeAuthAnswer({ user }))
  const unlinked = watch(fixture.unlink('wallet', solanaAddress))
  await settle()
  await renderDialog(fixture).press('Unlink')
  expect(fixture.transport.calls('unlinkWallet')[0]?.body).toEqual({ address: solanaAddress })
  expect(unlinked.value).toMatchObject({ user: { linkedAccounts: [{ type: 'email' }] } })
})
