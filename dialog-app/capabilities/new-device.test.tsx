/** A device without a wallet share, for a user with MFA. */
import { LatchkeyError, type RecoveryMethod, type TransactionRequest } from '@latchkey/protocol'
import { beforeAll, expect, test } from 'vitest'
import { chainUrl, makeFakeChain } from '../testing/chain.ts'
import { settle } from '../testing/clock.ts'
import { makeFixture, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, walletUser } from '../testing/fixtures.ts'
import { type Page, renderDialog } from '../testing/page.tsx'
import { makeRecoveryWindows } from '../testing/wallet-windows/recovery-windows.ts'
import type { VerifiedOptions } from '../wallet/verification.ts'
import { missing } from './mfa/testing.ts'
import { sendThrough } from './send/send.ts'

// Preloads the module, so that tests wait only for the call.
beforeAll(() => import('./send/lazy/ethereum.ts'))

const PASSWORD = 'EMBEDDED_WALLET_PASSWORD_RECOVERY_SCREEN'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const transaction: TransactionRequest = { to, value: 1n, chainId: 1 }

const userOf = (recoveryMethod: RecoveryMethod) => ({
  ...walletUser,
  mfaMethods: [{ type: 'totp' as const, verifiedAt: 1 }],
  linkedAccounts: walletUser.linkedAccounts.map((account) =>
    account.type === 'wallet' ? { ...account, recoveryMethod } : account,
  ),
})

/** Approves a transaction on a device without the wallet. */
async function sending(recoveryMethod: RecoveryMethod) {
  const chain = makeFakeChain()
  const user = userOf(recoveryMethod)
  const log: string[] = []
  let isHere = false
  function verified(what: string, asker?: VerifiedOptions) {
    const { verification } = asker ?? {}
    log.push(`${what} ${verification?.mfaCode ?? 'bare'}`)
    if (!verification) throw missing()
  }
  function requireShare() {
    if (!isHere) throw new LatchkeyError('wallet_not_on_device', 'Not here')
  }
  const window = makeRecoveryWindows()
  const fixture = await makeFixture({
    answers: { logout: () => ({ success: true }), me: () => user },
    app: { rpcUrls: { 1: [chainUrl] }, testNetworks: [1], mfaMethods: ['totp'] },
    capabilities: [...window.capabilities.filter(({ name }) => name !== 'send'), sendThrough(chain.fetch)],
    wallet: {
      ...window.wallet,
      connect: async () => requireShare(),
      async recover(_address, asker) {
        verified('recover', asker)
        isHere = true
      },
      // The server verifies MFA first. The vault then reads its share.
      async sign(_address, _request, asker) {
        verified('sign', asker)
        requireShare()
        return `0x${'5e'.repeat(65)}`
      },
    },
  })
  fixture.session.accept(makeAuthAnswer({ user }))
  const sent = watch(fixture.more('sendTransaction', { transaction, ui: {} }))
  const page = renderDialog(fixture)
  await page.approve()
  await settle()
  return { ...fixture, log, sent, window, page }
}
async function enter({ page }: { page: Page }, code: string) {
  await page.type('Digit 1 of 6', code)
  await settle()
}

test('recovers an automatically recoverable wallet with one MFA code, and signs with another', async () => {
  const fixture = await sending('latchkey')
  await enter(fixture, '111111')
  await enter(fixture, '222222')
  expect(fixture.log).toEqual(['recover 111111', 'sign bare', 'sign 222222'])
  await fixture.page.see('Transaction complete!')
  expect(fixture.sent.value).toMatchObject({ receipt: { status: 'success' } })
})

test('recovers a wallet with its password and one MFA code, and signs with another', async () => {
  const fixture = await sending('user-passcode')
  expect(fixture.screen()).toBe(PASSWORD)
  await fixture.page.openWalletWindow()
  fixture.window.give()
  await settle()
  await enter(fixture, '111111')
  await enter(fixture, '222222')
  expect(fixture.log).toEqual(['recover 111111', 'sign bare', 'sign 222222'])
  await fixture.page.see('Transaction complete!')
  expect(fixture.sent.value).toMatchObject({ receipt: { status: 'success' } })
})
