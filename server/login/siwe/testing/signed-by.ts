/** Creates the dialog's request after a wallet has signed, in any fixture. */
import * as v from 'valibot'
import type { TestBrowser } from '../../../identity/sessions/testing/browser.ts'
import type { TestWallet } from '../../../integrations/chains/testing/contract-wallets.ts'
import type { TestContext } from '../../../testing/context.ts'

const origin = 'http://demo.localhost:4010'

export async function signedBy(wallet: TestWallet, from: TestBrowser, { clock }: Pick<TestContext, 'clock'>) {
  const begun = await from.call('beginSiwe', { body: { address: wallet.address, origin } })
  const { nonce } = v.parse(v.object({ nonce: v.string() }), begun.answer)
  const message = [
    `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
    wallet.address,
    '',
    'Sign in to Fieldnotes',
    '',
    `URI: ${origin}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(clock.nowMs()).toISOString()}`,
  ].join('\n')
  return { message, signature: await wallet.sign(message), chainId: 'eip155:1' }
}
