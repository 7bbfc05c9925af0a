/** Login with a wallet over HTTP, from one browser in one app. */
import * as v from 'valibot'
import { type Chains, chains as chainsOf } from '../../../integrations/chains/chains.ts'
import { createKeyWallet, type TestWallet } from '../../../integrations/chains/testing/contract-wallets.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { appFixture } from '../../../testing/fixture.ts'

export const host = 'http://demo.localhost:4010'
export const dialog = 'http://dialog.localhost:4000'
export const nonceAnswer = v.object({ nonce: v.string(), address: v.string(), expires_at: v.number() })
export const refused = (code: string, reason: string) => ({
  status: 422,
  answer: { code, details: { reason } },
})

export type MessageParts = {
  origin?: string
  address?: string
  chainId?: number
  issuedAtMs?: number
  more?: string
}

export async function siweFixture(database: Database, chains: Chains) {
  const fixture = await appFixture(database, [['wallet_auth', true]])
  const { browser, context } = fixture
  chainsOf.set(context.ports, chains)
  const wallet = createKeyWallet()

  const begin = ({ address }: Pick<TestWallet, 'address'> = wallet, from = browser, origin = host) =>
    from.call('beginSiwe', { body: { address, origin } })
  const nonceFor = async (of = wallet, from = browser, origin = host) =>
    v.parse(nonceAnswer, (await begin(of, from, origin)).answer).nonce

  const messageWith = (nonce: string, parts: MessageParts = {}, of: Pick<TestWallet, 'address'> = wallet) => {
    const { origin = host, address = of.address, chainId = 1, more = '' } = parts
    return [
      `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
      address,
      '',
      'Sign in to Fieldnotes',
      '',
      `URI: ${origin}`,
      'Version: 1',
      `Chain ID: ${chainId}`,
      `Nonce: ${nonce}`,
      `Issued At: ${new Date(parts.issuedAtMs ?? context.clock.nowMs()).toISOString()}${more}`,
    ].join('\n')
  }
  /** Creates the dialog's request after the wallet has signed. */
  const signed = async (nonce: string, parts: MessageParts = {}, of: TestWallet = wallet) => {
    const message = messageWith(nonce, parts, of)
    const chainId = `eip155:${parts.chainId ?? 1}`
    return { message, signature: await of.sign(message), chainId }
  }
  const signedByNow = async (of = wallet, parts: MessageParts = {}, from = browser) =>
    signed(await nonceFor(of, from), parts, of)
  const login = (body: unknown, from = browser, requestId?: string) =>
    from.call('loginWithSiwe', { body, ...(requestId !== undefined && { requestId }) })

  const refuse = () => Promise.reject(new Error('Nobody is to be asked'))
  const askNobody = () =>
    chainsOf.set(context.ports, {
      has: () => true,
      listNodes: () => [],
      call: refuse,
      callContract: refuse,
      callContractAt: refuse,
      verifyMessage: refuse,
    })

  return {
    ...fixture,
    wallet,
    begin,
    nonceFor,
    signed,
    signedByNow,
    login,
    askNobody,
  }
}
export type SiweFixture = Awaited<ReturnType<typeof siweFixture>>
