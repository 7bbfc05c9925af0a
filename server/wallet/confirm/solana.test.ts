/** Tests over HTTP where Solana transactions may be approved, and up to which amount. */
import { encodeSolanaTransaction } from '@latchkey/protocol/wallet'
import { AccountRole, address, type Instruction } from '@solana/kit'
import { sha256 } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestSession } from '../../identity/sessions/testing/browser.ts'
import { prices } from '../../integrations/prices/prices.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { newHandle } from './testing/confirming.ts'
import { type ConfirmFixture, confirmFixture } from './testing/fixture.ts'
import {
  buildTransaction,
  encodeTable,
  recipient,
  sendSol,
  sponsor,
  startAccountsNode,
  toSignRequest,
} from './testing/solana.ts'

const oneSol = 1_000_000_000n

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  let session: TestSession
  let wallet: string
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    session = await fixture.browser.login('sol@example.com')
    wallet = await fixture.makeWallet(session, fixture.browser, 'solana')
    await fixture.set(['solana_rpc_urls', { mainnet: ['https://rpc.example'] }])
    fixture.dollars.set('solana', 100)
  })

  type Asked = { publicKey?: string; place?: 'silent' | 'frame' | 'unseen'; handle?: string }

  function put(
    transaction: Uint8Array,
    { publicKey = wallet, place = 'frame', handle = newHandle() }: Asked = {},
  ) {
    const body = {
      handle,
      address: wallet,
      request: toSignRequest(transaction, publicKey),
      origin: null,
      place,
    }
    return fixture.browser.call('putConfirmation', { token: session.token, body })
  }
  const sending = (lamports: bigint) =>
    buildTransaction([sendSol(lamports, address(wallet))], { payer: address(wallet) })

  test('a transfer within the daily allowance is for the card, with its digest and worth', async () => {
    const transaction = sending(oneSol / 10n)
    expect((await put(transaction)).answer).toMatchObject({
      digest: sha256(encodeSolanaTransaction(transaction)),
      place: 'frame',
      reason: 'within_allowance',
      usd: '10.01',
    })
  })

  test('the daily allowance counts signed transfers', async () => {
    const sign = async (transaction: Uint8Array) => {
      const handle = newHandle()
      const { answer } = await put(transaction, { handle })
      if (Object(answer).place === 'page') return 'page'
      const token = await fixture.askToken(handle, session, fixture.browser, wallet)
      return (await fixture.release(String(Object(token.answer).token))).status
    }
    expect(await sign(sending((6n * oneSol) / 10n))).toBe(200)
    expect(await sign(sending((6n * oneSol) / 10n))).toBe('page')
    expect(await sign(sending((3n * oneSol) / 10n))).toBe(200)
  })

  test.each([['a value beyond the allowance', 2n * oneSol, 'beyond_allowance']])(
    '%s is for the page',
    async (_what, lamports, reason) => {
      expect((await put(sending(lamports))).answer).toMatchObject({ place: 'page', reason })
    },
  )

  test('a transaction without a price of SOL is for the page', async () => {
    fixture.dollars.delete('solana')
    expect((await put(sending(1n))).answer).toMatchObject({ place: 'page', reason: 'no_price' })
  })

  test('an unknown program is for the page', async () => {
    const unknown = { programAddress: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4') }
    const transaction = buildTransaction([unknown], { payer: address(wallet) })
    expect((await put(transaction)).answer).toMatchObject({ place: 'page', reason: 'not_understood' })
  })

  test('is never approved silently, nor on a card that may be covered', async () => {
    await fixture.set(['no_prompt', { messages: true, usd_per_day: null, calls: [], typed_data: [] }])
    expect((await put(sending(1n), { place: 'silent' })).answer).toMatchObject({ place: 'frame' })
    expect((await put(sending(1n), { place: 'unseen' })).answer).toMatchObject({
      place: 'page',
      reason: 'browser',
    })
  })

  test('is refused in an app without RPC nodes of Solana', async () => {
    await fixture.set(['solana_rpc_urls', {}])
    expect(await put(sending(1n))).toMatchObject({ status: 400, answer: { code: 'not_supported' } })
  })

  test('is refused for another wallet, without the wallet as a signer, and with malformed bytes', async () => {
    const refused = { status: 422, answer: { code: 'invalid_data' } }
    expect(await put(sending(1n), { publicKey: sponsor })).toMatchObject(refused)
    expect(await put(buildTransaction([sendSol(1n, sponsor)], { payer: sponsor }))).toMatchObject(refused)
    expect(await put(Buffer.concat([sending(1n), Buffer.from([0])]))).toMatchObject(refused)
    expect(await put(Buffer.alloc(0))).toMatchObject(refused)
  })

  test('a handle approves the transaction that was put, and no other one', async () => {
    const handle = newHandle()
    await put(sending(1n), { handle })
    expect(await put(sending(2n), { handle })).toMatchObject({
      status: 400,
      answer: { code: 'token_already_used' },
    })
  })

  describe('a transaction with a lookup table', () => {
    const table = address('7MZbAbbGxdHvBWtEBJEXsp7QNw4dXZ3FfhcKNgVfFPNg')
    const lookingUp = (addressIndex: number) =>
      buildTransaction(
        [
          {
            ...sendSol(1n, address(wallet)),
            accounts: [
              { address: address(wallet), role: AccountRole.WRITABLE_SIGNER },
              { address: recipient, addressIndex, lookupTableAddress: table, role: AccountRole.WRITABLE },
            ],
          } as Instruction,
        ],
        { payer: address(wallet) },
      )

    let nodes: Awaited<ReturnType<typeof startAccountsNode>>[]
    beforeEach(async () => {
      nodes = [await startAccountsNode(), await startAccountsNode()]
      const [mainnet, devnet] = nodes.map(({ url }) => ['http://127.0.0.1:9', url])
      await fixture.set(['environment', 'development'], ['solana_rpc_urls', { mainnet, devnet }])
    })
    afterEach(() => Promise.all(nodes.map((node) => node.close())))

    async function readPage(addressIndex = 1) {
      const handle = newHandle()
      const { answer } = await put(lookingUp(addressIndex), { handle })
      expect(answer).toMatchObject({ place: 'page', reason: 'not_understood' })
      return Object((await fixture.read(handle)).answer).lookups
    }

    test('is shown with the accounts of the only cluster that has the table', async () => {
      nodes[1]?.accounts.set(table, encodeTable())
      expect(await readPage()).toEqual({
        cluster: 'devnet',
        accounts: [{ table, index: 1, address: recipient }],
      })
      expect(nodes[1]?.asked).toContainEqual([[table], { encoding: 'base64', commitment: 'confirmed' }])
    })

    test('is shown without accounts if two clusters have the table, or a cluster does not answer', async () => {
      for (const node of nodes) node.accounts.set(table, encodeTable())
      expect(await readPage()).toBeUndefined()
      await nodes[0]?.close()
      expect(await readPage()).toBeUndefined()
    })

    test.each([
      ['of another program', { owner: sponsor }],
      ['of another type', { type: 0 }],
      ['that is deactivated', { deactivated: 300_000_000n }],
    ])('is shown without accounts for a table %s', async (_what, change) => {
      nodes[1]?.accounts.set(table, encodeTable(change))
      expect(await readPage()).toBeUndefined()
    })

    test('is shown without accounts for an index outside of the table', async () => {
      nodes[1]?.accounts.set(table, encodeTable())
      expect(await readPage(2)).toBeUndefined()
    })
  })

  test('the page gets the listed tokens, and the activity lists the transaction', async () => {
    const { getNativePrice, getNativeSymbol } = prices.get(fixture.context.ports)
    prices.set(fixture.context.ports, {
      getNativePrice,
      getNativeSymbol,
      getTokenPrice: async () => ({ usd: 1, decimals: 6 }),
      findToken: (chain) => (chain === 'solana' ? { symbol: 'USDC', decimals: 6 } : undefined),
    })
    const { getTransferCheckedInstruction } = await import('@solana-program/token')
    const { createNoopSigner } = await import('@solana/kit')
    const mint = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    const transfer = getTransferCheckedInstruction({
      source: sponsor,
      mint,
      destination: sponsor,
      authority: createNoopSigner(address(wallet)),
      amount: 200_000_000n,
      decimals: 6,
    })
    const handle = newHandle()
    const tokens = [{ address: mint, symbol: 'USDC', decimals: 6 }]
    const transaction = buildTransaction([transfer], { payer: address(wallet) })
    const { answer } = await put(transaction, { handle })
    expect(answer).toMatchObject({ place: 'page', reason: 'beyond_allowance', names: { coin: null, tokens } })
    expect((await fixture.read(handle)).answer).toMatchObject({ tokens, chain: null, address: wallet })
    await fixture.decide(handle, String(Object(answer).digest), 'approve')
    const token = await fixture.askToken(handle, session, fixture.browser, wallet)
    expect(await fixture.release(String(Object(token.answer).token))).toMatchObject({ status: 200 })
    const { answer: listed } = await fixture.browser.call('activity', { token: session.token })
    expect(Object(listed).activity[0]).toMatchObject({
      kind: 'transaction',
      method: 'solana_signTransaction',
      place: 'page',
    })
  })
})
