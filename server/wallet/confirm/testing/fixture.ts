/** Runs signatures over HTTP: the dialog puts a request, the page decides it, and the wallet frame has a share released. */
import { randomBytes } from 'node:crypto'
import type { ConfirmationPlace, RelayedRequester, WalletRpcRequest } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import {
  type Hex,
  hashTypedData,
  keccak256,
  serializeTransaction,
  serializeTypedData,
  type TransactionSerializable,
  type TypedDataDefinition,
} from 'viem'
import { mfaFixture } from '../../../account/verification/testing/fixture.ts'
import { type Fields, setFields } from '../../../identity/apps/manage.ts'
import type { TestBrowser, TestSession } from '../../../identity/sessions/testing/browser.ts'
import type { BrowserKey } from '../../../identity/sessions/testing/browser-key.ts'
import { chains } from '../../../integrations/chains/chains.ts'
import { createRpcChains } from '../../../integrations/chains/rpc-chains.ts'
import { prices } from '../../../integrations/prices/prices.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { confirmationTables } from '../tables.ts'
import { decisionBody, messageRequest, newHandle } from './confirming.ts'

const tokenAnswer = v.object({ token: v.string() })
export const oneEther = 10n ** 18n
export const pricedToken = '0x00000000000000000000000000000000000000dc'
export const somebody = '0x00000000000000000000000000000000000000aa'

const transactionRequest = (
  address: string,
  change: Partial<TransactionSerializable> = {},
): WalletRpcRequest & { digest: Hex } => {
  const serialized = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: 7,
    to: somebody,
    value: oneEther / 100n,
    gas: 21_000n,
    maxFeePerGas: 1_000_000_000n,
    maxPriorityFeePerGas: 1n,
    ...change,
  } as TransactionSerializable)
  return { method: 'eth_signTransaction', params: [serialized, address], digest: keccak256(serialized) }
}

/** A request with a contract, a chain and one text. */
const typedDataRequest = (address: string, change: Partial<TypedDataDefinition> = {}): WalletRpcRequest => {
  const data = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Order: [{ name: 'what', type: 'string' }],
    },
    primaryType: 'Order',
    domain: { name: 'Fieldnotes', chainId: 1, verifyingContract: somebody },
    message: { what: 'A map' },
    ...change,
  } as TypedDataDefinition
  return { method: 'eth_signTypedData_v4', params: [address, serializeTypedData(data), hashTypedData(data)] }
}

const sessionIdOf = (token: string) =>
  v.parse(
    v.object({ sid: v.string() }),
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()),
  ).sid

type Asked = {
  handle?: string
  place?: ConfirmationPlace
  origin?: string | null
  requester?: RelayedRequester
}
type Seen = Awaited<ReturnType<TestBrowser['call']>>

export async function confirmFixture(database: Database) {
  const fixture = await mfaFixture(database)
  const { context, app, browser, vault } = fixture
  /** Prices in dollars, by chain id, and the price of one token with six decimals. */
  const dollars = new Map([['1', 2_000]])
  const tokenDollars = new Map([[pricedToken, 1]])
  prices.set(context.ports, {
    getNativePrice: async (chainId) => dollars.get(chainId),
    getTokenPrice: async (chainId, contract) => {
      const usd = chainId === '1' ? tokenDollars.get(contract) : undefined
      return usd === undefined ? undefined : { usd, decimals: 6 }
    },
    findToken: (chainId, contract) =>
      chainId === '1' && tokenDollars.has(contract) ? { symbol: 'PRC', decimals: 6 } : undefined,
    getNativeSymbol: (chainId) => (chainId === '1' ? 'ETH' : undefined),
  })
  // The environment has no RPC URLs, so those of the app are used.
  chains.set(context.ports, createRpcChains(new Map()))
  const session = await browser.login()
  const address = await fixture.makeWallet(session)

  async function set(...fields: Fields) {
    await setFields(context.db, context.clock, app.id, fields)
    // Apps are cached for a second at most.
    context.clock.advanceSeconds(2)
  }

  const put = (
    request: WalletRpcRequest,
    { handle = newHandle(), place = 'frame', origin = null, requester }: Asked = {},
    by: TestSession = session,
    from: TestBrowser = browser,
  ) =>
    from.call('putConfirmation', {
      token: by.token,
      body: {
        handle,
        address,
        request: { method: request.method, params: request.params },
        origin,
        place,
        ...(requester && { requester }),
      },
    })

  const askToken = (handle: string | null, of: TestSession = session, from = browser, at = address) =>
    from.call('walletToken', {
      token: of.token,
      body: {
        public_key: vault.publicKey,
        operation: { id: `op_${randomBytes(6).toString('hex')}`, step: 1 },
        purpose: 'sign',
        address: at,
        confirmation: handle,
      },
    })

  const release = (token: string, body: unknown = {}) => browser.call('releaseShares', { token, body })

  /** Runs everything from the put to the release. */
  async function sign(request: WalletRpcRequest, asked: Asked = {}): Promise<Seen> {
    const handle = asked.handle ?? newHandle()
    const placed = await put(request, { ...asked, handle })
    if (placed.status !== 200) return placed
    const token = await askToken(handle)
    return token.status === 200 ? release(v.parse(tokenAnswer, token.answer).token) : token
  }

  /** Simulates that the waiting request was put this many more times. */
  async function repeatFirst(times: number) {
    const row = await confirmationTables(context.db)
      .selectFrom('confirmations')
      .selectAll()
      .where('session_id', '=', sessionIdOf(session.token))
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: times }, () => ({ ...row, id: newHandle() }))
    await confirmationTables(context.db).insertInto('confirmations').values(rows).execute()
  }

  /** Simulates that the last signature was made this many more times. */
  async function repeatLastSignature(times: number) {
    const row = await context.db
      .selectFrom('audit_log')
      .selectAll()
      .where('user_id', '=', session.user.id)
      .where('event', '=', 'wallet.signed')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: times }, (_, at) => ({ ...row, id: `${at}`.padStart(3, '0') + row.id }))
    await context.db.insertInto('audit_log').values(rows).execute()
  }

  const ofPage = (call: 'readConfirmation' | 'decideConfirmation', body: unknown) =>
    browser.call(call, { body, proof: 'none' })

  return {
    ...fixture,
    dollars,
    tokenDollars,
    session,
    address,
    set,
    put,
    askToken,
    release,
    sign,
    repeatFirst,
    repeatLastSignature,
    message: (text = 'Hello') => messageRequest(address, text),
    typedData: (change: Partial<TypedDataDefinition> = {}) => typedDataRequest(address, change),
    transaction: (change: Partial<TransactionSerializable> = {}) => transactionRequest(address, change),
    tokenFor: async (handle: string) => v.parse(tokenAnswer, (await askToken(handle)).answer).token,
    read: (handle: string) => ofPage('readConfirmation', { handle }),
    /** Decides like the page, with a statement of the vault of `device`. */
    decide(
      handle: string,
      digest: string,
      decision: 'approve' | 'refuse',
      device: Pick<BrowserKey, 'decide'> = browser.device,
    ) {
      return ofPage('decideConfirmation', decisionBody(device, { appId: app.id, handle, digest, decision }))
    },
    decideBy: (body: object) => ofPage('decideConfirmation', body),
    status: (handle: string, of: TestSession = session, from = browser) =>
      from.call('confirmationStatus', { token: of.token, body: { handle } }),
    activity: (before?: string) =>
      browser.call('activity', {
        token: session.token,
        ...(before !== undefined && { query: `?before=${before}` as const }),
      }),
  }
}
export type ConfirmFixture = Awaited<ReturnType<typeof confirmFixture>>
