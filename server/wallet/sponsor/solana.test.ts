/** Solana transactions with fees paid by the operator, over HTTP and on a node that executes them. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import {
  type Address,
  address,
  createSolanaRpc,
  devnet,
  generateKeyPairSigner,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getAdvanceNonceAccountInstruction } from '@solana-program/system'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import type { Fields } from '../../identity/apps/manage.ts'
import {
  createKora,
  createSolanaRelay,
  type SolanaPayer,
  sponsors,
} from '../../integrations/relays/relays.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { startSolana } from '../../testing/sandbox.ts'
import { encodeTransaction, parseTransaction } from '../confirm/reading/solana/transaction.ts'
import { confirmFixture } from '../confirm/testing/fixture.ts'
import { buildTransaction, recipient, sendSol, startAccountsNode } from '../confirm/testing/solana.ts'
import { relayBalance } from './metrics.ts'
import { sponsorTables } from './tables.ts'
import { createSponsorWorker } from './worker.ts'

const url = await startSolana()
const node = createSolanaRpc(devnet(url))
const koraSecret = 'secret-of-the-kora-sandbox'
const newRelay = () => createSolanaRelay(generateKeyPairSync('ed25519').privateKey)
/** The only version of the memo program that the node has. */
const memoProgram = { programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr') }
const addMemo = (memo: string, signers: KeyPairSigner[]) =>
  getAddMemoInstruction({ memo, signers }, memoProgram)

const quoteAnswer = v.object({ transaction: v.string(), usd: v.nullable(v.string()) })
const signedAnswer = v.object({ signature: v.string(), transaction: v.string() })
const toBytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')
const toHex = (bytes: ArrayLike<number>) => `0x${Buffer.from(bytes as Uint8Array).toString('hex')}`
const decode = (hex: string) => getTransactionDecoder().decode(toBytes(hex))
const getBalance = async (of: string) => (await node.getBalance(address(of)).send()).value
const submit = (hex: string) =>
  node
    .sendTransaction(toBytes(hex).toString('base64') as never, { encoding: 'base64', skipPreflight: true })
    .send()

forDefaultEngine((database) => {
  async function solanaFixture(settings: Fields = [], payer: SolanaPayer = newRelay()) {
    const fixture = await confirmFixture(database())
    const { context, browser, session } = fixture
    sponsors.set(context.ports, {
      chains: new Map(),
      clusters: new Map([
        ['mainnet', payer],
        ['devnet', payer],
      ]),
    })
    const payerAddress = address(await payer.getAddress())
    await node.requestAirdrop(payerAddress, lamports(1_000_000_000n)).send()
    fixture.dollars.set('solana', 200)
    await fixture.set(
      ['solana_rpc_urls', { mainnet: [url], devnet: [url] }],
      ['sponsored_clusters', ['mainnet']],
      ...settings,
    )
    const wallet = await generateKeyPairSigner()
    await context.db
      .updateTable('wallets')
      .set({ solana_address: wallet.address })
      .where('user_id', '=', session.user.id)
      .execute()
    const observe = vi.spyOn(relayBalance, 'observe')
    const worker = createSponsorWorker(context)
    /** The balances that the metrics have. */
    const readBalances = async () => observe.mock.calls.at(-1)?.[0]()

    const body = (transaction: ArrayLike<number> | string, cluster = 'mainnet') => ({
      address: wallet.address,
      cluster,
      transaction: typeof transaction === 'string' ? transaction : toHex(transaction),
    })
    async function build(instructions: Instruction[], by: Address = wallet.address) {
      const { blockhash } = (await node.getLatestBlockhash().send()).value
      return buildTransaction(instructions, { payer: by, blockhash })
    }
    const memo = (text = randomBytes(4).toString('hex')) => addMemo(text, [wallet])
    const { token } = session
    const quote = (transaction: ArrayLike<number>, cluster?: string) =>
      browser.call('quoteSolanaTransaction', { token, body: body(transaction, cluster) })
    async function quoted(transaction: ArrayLike<number>): Promise<string> {
      const { status, answer } = await quote(transaction)
      expect([status, answer]).toEqual([200, expect.anything()])
      return v.parse(quoteAnswer, answer).transaction
    }
    async function signBy(hex: string, ...signers: KeyPairSigner[]): Promise<string> {
      const signed = await partiallySignTransaction(
        signers.map(({ keyPair }) => keyPair),
        decode(hex),
      )
      return toHex(getTransactionEncoder().encode(signed))
    }
    const complete = (hex: string, cluster?: string) =>
      browser.call('signSolanaTransaction', { token, body: body(hex, cluster) })
    /** Runs everything up to the transaction that the page sends. */
    async function run(instructions: Instruction[] = [memo()]) {
      const signed = await signBy(await quoted(await build(instructions)), wallet)
      const { status, answer } = await complete(signed)
      expect([status, answer]).toEqual([200, expect.anything()])
      return v.parse(signedAnswer, answer)
    }
    async function follow(seconds = 3) {
      context.clock.advanceSeconds(seconds)
      await worker.poll()
    }
    const rows = () =>
      sponsorTables(context.db)
        .selectFrom('sponsored_operations')
        .select(['id', 'state', 'cents'])
        .orderBy('created_at')
        .execute()
    return {
      ...fixture,
      payer,
      payerAddress,
      wallet,
      build,
      memo,
      quote,
      quoted,
      signBy,
      complete,
      run,
      follow,
      rows,
      readBalances,
    }
  }

  test.each(['legacy', 0] as const)(
    'a wallet without SOL sends a transaction (%s), and the operator pays its fee',
    async (version) => {
      const { payerAddress, wallet, memo, quoted, signBy, complete, follow, rows, readBalances } =
        await solanaFixture()
      const { blockhash } = (await node.getLatestBlockhash().send()).value
      const original = buildTransaction([memo('Paid')], { version, blockhash, payer: wallet.address })
      const paid = await quoted(original)
      expect(Object.keys(decode(paid).signatures)).toEqual([payerAddress, wallet.address])
      const { answer } = await complete(await signBy(paid, wallet))
      const { signature, transaction } = v.parse(signedAnswer, answer)
      expect(decode(transaction).messageBytes).toEqual(decode(paid).messageBytes)

      const before = await getBalance(payerAddress)
      expect(await submit(transaction)).toBe(signature)
      expect(before - (await getBalance(payerAddress))).toBe(10_000n)
      expect(await rows()).toEqual([{ id: signature, state: 'pending', cents: 1 }])
      await follow()
      expect(await rows()).toEqual([{ id: signature, state: 'succeeded', cents: 1 }])
      const value = Number(await getBalance(payerAddress)) / 1e9
      expect(await readBalances()).toEqual([{ value, values: { chain: 'solana:mainnet' } }])
    },
  )

  test('the payer precedes the accounts, and those of lookup tables keep their places', async () => {
    const scripted = await startAccountsNode()
    scripted.simulate({ err: null })
    const { payerAddress, build, memo, quoted, set } = await solanaFixture()
    await set(['solana_rpc_urls', { mainnet: [scripted.url] }])
    const parsed = parseTransaction(Buffer.from(await build([memo()])))
    if (!parsed) throw new Error('Not a transaction')
    const [note] = parsed.instructions
    const withTable = {
      ...parsed,
      lookups: [{ table: recipient, writable: [4], readable: [] }],
      instructions: [{ ...note, program: 1, data: Buffer.from('x'), accounts: [0, 2] }],
    }
    const paid = parseTransaction(toBytes(await quoted(encodeTransaction(withTable))))
    expect(paid).toMatchObject({
      header: { signers: 2, readonlySigners: 0, readonlyOthers: 1 },
      keys: [payerAddress, ...parsed.keys],
      lifetime: parsed.lifetime,
      lookups: withTable.lookups,
      instructions: [{ program: 2, accounts: [1, 3] }],
    })
    await scripted.close()
  })

  test('repeating a call counts one fee', async () => {
    const { wallet, build, memo, quoted, signBy, complete, rows } = await solanaFixture()
    const signed = await signBy(await quoted(await build([memo()])), wallet)
    const answers = [await complete(signed), await complete(signed)]
    expect(answers[1]?.answer).toEqual(answers[0]?.answer)
    expect(await rows()).toHaveLength(1)
  })

  test('returns the fee of transactions that are not sent, which are no failures of the user', async () => {
    const { run, follow, rows } = await solanaFixture()
    const { signature } = await run()
    await follow(170)
    expect(await rows()).toEqual([{ id: signature, state: 'pending', cents: 1 }])
    await run()
    await run()
    await follow(180)
    expect((await rows()).map(({ state, cents }) => [state, cents])).toEqual(Array(3).fill(['expired', 0]))
    await run()
  })

  test('counts the fee of a transaction that fails on the network', async () => {
    const { wallet, run, follow, rows } = await solanaFixture()
    await node.requestAirdrop(wallet.address, lamports(10_000_000n)).send()
    const { transaction, signature } = await run([sendSol(6_000_000n, wallet.address)])
    const other = await run([sendSol(7_000_000n, wallet.address)])
    await submit(other.transaction)
    await submit(transaction)
    await follow()
    expect(await rows()).toEqual(
      expect.arrayContaining([
        { id: signature, state: 'reverted', cents: 1 },
        { id: other.signature, state: 'succeeded', cents: 1 },
      ]),
    )
  })

  test('counts the priority fee, and pays up to the limit of a transaction', async () => {
    const { build, memo, quote, set } = await solanaFixture()
    const transaction = await build([
      getSetComputeUnitLimitInstruction({ units: 100_000 }),
      getSetComputeUnitPriceInstruction({ microLamports: 10_000_000 }),
      memo(),
    ])
    // 0.001 SOL for the compute units, and 0.00001 SOL for two signatures.
    expect(await quote(transaction)).toMatchObject({ status: 200, answer: { usd: '0.21' } })
    await set(['sponsor_limits.usd_per_operation', 0.2])
    expect(await quote(transaction)).toMatchObject({ answer: { code: 'not_supported' } })
  })

  test.each(['usd_per_day', 'usd_per_user_per_day'])('signs nothing beyond %s', async (name) => {
    const { wallet, build, memo, quoted, signBy, complete, set, run, rows } = await solanaFixture()
    await run()
    await set([`sponsor_limits.${name}`, 0.015])
    const signed = await signBy(await quoted(await build([memo()])), wallet)
    expect(await complete(signed)).toMatchObject({ answer: { code: 'not_supported' } })
    expect(await rows()).toHaveLength(1)
  })

  test('fees of a test network count as nothing', async () => {
    const { build, memo, quote } = await solanaFixture([['sponsored_clusters', ['devnet']]])
    const transaction = await build([memo()])
    expect(await quote(transaction, 'devnet')).toMatchObject({ status: 200, answer: { usd: null } })
    expect(await quote(transaction)).toMatchObject({ answer: { code: 'not_supported' } })
  })

  test.each<[string, Fields]>([
    ['for an app that lists no cluster', [['sponsored_clusters', []]]],
    ['for an app with listed calls', [['sponsor_limits.calls', []]]],
    ['for a new account', [['sponsor_limits.min_account_minutes', 60]]],
    ['without a node', [['solana_rpc_urls', { devnet: [url] }]]],
  ])('quotes nothing %s', async (_name, settings) => {
    const { build, memo, quote } = await solanaFixture(settings)
    expect(await quote(await build([memo()]))).toMatchObject({
      status: 400,
      answer: { code: 'not_supported' },
    })
  })

  test('quotes nothing without a price', async () => {
    const { build, memo, quote, dollars } = await solanaFixture()
    dollars.delete('solana')
    expect(await quote(await build([memo()]))).toMatchObject({ answer: { code: 'not_supported' } })
  })

  test('pays for the wallet of the user only, and only if it signed', async () => {
    const { wallet, payerAddress, build, memo, quote, quoted, signBy, complete, rows } = await solanaFixture()
    const stranger = await generateKeyPairSigner()
    const invalid = { status: 422, answer: { code: 'invalid_data' } }
    expect(await quote(await build([memo()], stranger.address))).toMatchObject({
      answer: { code: 'not_supported' },
    })
    const paid = await quoted(await build([memo()]))
    expect(await complete(paid)).toMatchObject(invalid)
    const signed = toBytes(await signBy(paid, wallet))
    signed.writeUInt8((signed.at(70) ?? 0) ^ 1, 70)
    expect(await complete(toHex(signed))).toMatchObject(invalid)
    // The operator would pay for a transaction of somebody else.
    const theirs = await build([addMemo('x', [stranger])], payerAddress)
    expect(await complete(await signBy(toHex(theirs), stranger))).toMatchObject(invalid)
    expect(await complete('0x00')).toMatchObject(invalid)
    expect(await rows()).toEqual([])
  })

  test.each<[string, (payer: Address, wallet: Address) => Instruction[]]>([
    ['sends the coins of the payer', (payer) => [sendSol(1n, payer)]],
    ['sends coins to the payer', (payer, wallet) => [sendSol(1n, wallet, payer)]],
    [
      'has a durable nonce',
      (_payer, wallet) => [
        getAdvanceNonceAccountInstruction({
          nonceAccount: recipient,
          nonceAuthority: { address: wallet } as never,
        }),
      ],
    ],
  ])('signs no transaction that %s', async (_name, toInstructions) => {
    const { wallet, payerAddress, build, memo, quote, signBy, complete, rows } = await solanaFixture()
    const instructions = [...toInstructions(payerAddress, wallet.address), memo()]
    const hostile = await build(instructions, payerAddress)
    const refusal = { answer: { code: 'not_supported' } }
    expect(await quote(hostile)).toMatchObject(refusal)
    expect(await complete(await signBy(toHex(hostile), wallet))).toMatchObject(refusal)
    expect(await rows()).toEqual([])
  })

  test('signs no transaction with another payer, and no second time on another cluster', async () => {
    const { wallet, build, memo, signBy, complete } = await solanaFixture()
    const own = await signBy(toHex(await build([memo()])), wallet)
    expect(await complete(own)).toMatchObject({ answer: { code: 'not_supported' } })
    expect(await complete(own, 'devnet')).toMatchObject({ answer: { code: 'not_supported' } })
  })

  test('other signers sign first if the page names the payer itself', async () => {
    const { wallet, payerAddress, build, quote, quoted, signBy, complete } = await solanaFixture()
    const other = await generateKeyPairSigner()
    const both = addMemo('Both', [wallet, other])
    const transaction = await build([both], payerAddress)
    const invalid = { status: 422, answer: { code: 'invalid_data' } }
    expect(await quote(transaction)).toMatchObject(invalid)
    expect(await complete(await signBy(toHex(transaction), wallet))).toMatchObject(invalid)
    const half = await signBy(toHex(transaction), other)
    expect(await quoted(toBytes(half))).toBe(half)
    const { answer } = await complete(await signBy(half, wallet))
    await submit(v.parse(signedAnswer, answer).transaction)
  })

  test('three failing simulations pause the user, an expired blockhash does not', async () => {
    const { wallet, payerAddress, build, memo, quote, quoted, signBy, complete } = await solanaFixture()
    const rejected = { answer: { code: 'transaction_failure' } }
    const expired = buildTransaction([memo()], { payer: wallet.address })
    expect(await quote(expired)).toMatchObject(rejected)
    const signed = await signBy(toHex(buildTransaction([memo()], { payer: payerAddress })), wallet)
    for (let call = 0; call < 3; call += 1) expect(await complete(signed)).toMatchObject(rejected)
    await quoted(await build([memo()]))
    for (const lamports of [1n, 2n, 3n]) {
      const each = await build([sendSol(lamports, wallet.address)], payerAddress)
      expect(await complete(await signBy(toHex(each), wallet))).toMatchObject(rejected)
    }
    expect(await quote(await build([memo()]))).toMatchObject({ answer: { code: 'not_supported' } })
  })

  test('a payer without SOL is no failure of the user', async () => {
    const { context, wallet, build, memo, quote, rows, complete, signBy } = await solanaFixture()
    const poor = newRelay()
    sponsors.set(context.ports, { chains: new Map(), clusters: new Map([['mainnet', poor]]) })
    expect(await quote(await build([memo()]))).toMatchObject({ answer: { code: 'unavailable' } })
    const transaction = await build([memo()], address(await poor.getAddress()))
    expect(await complete(await signBy(toHex(transaction), wallet))).toMatchObject({
      answer: { code: 'unavailable' },
    })
    expect(await rows()).toEqual([])
  })

  test('a Kora service pays within its own rules, and no log has its secret', async () => {
    const clock = { nowMs: () => Date.now() }
    const kora = createKora({ url: `${url}/kora`, secret: koraSecret }, clock)
    const { context, build, memo, quoted, wallet, signBy, complete, run, follow, rows } = await solanaFixture(
      [],
      kora,
    )
    const logs = [vi.spyOn(context.log, 'warn'), vi.spyOn(context.log, 'error')]
    const { transaction, signature } = await run()
    await submit(transaction)
    await follow()
    expect(await rows()).toEqual([{ id: signature, state: 'succeeded', cents: 1 }])

    // The network runs this program, but the rules of the service do not list it.
    const unlisted = { programAddress: address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo') }
    const refused = await quoted(await build([{ ...unlisted, data: new TextEncoder().encode('Hello') }]))
    expect(await complete(await signBy(refused, wallet))).toMatchObject({ answer: { code: 'not_supported' } })
    const other = (await generateKeyPairSigner()).address
    await node.requestAirdrop(other, lamports(1_000_000_000n)).send()
    const foreign = await signBy(toHex(await build([memo()], other)), wallet)
    expect(await complete(foreign)).toMatchObject({ answer: { code: 'not_supported' } })
    const wrong = createKora({ url: `${url}/kora`, secret: 'wrong' }, clock)
    sponsors.set(context.ports, { chains: new Map(), clusters: new Map([['mainnet', wrong]]) })
    expect(await complete(await signBy(refused, wallet))).toMatchObject({ answer: { code: 'unavailable' } })
    expect(inspect(logs.flatMap(({ mock }) => mock.calls))).not.toContain(koraSecret)
  })

  test('a payer that signs something else signs nothing', async () => {
    const relay = newRelay()
    const wrong: SolanaPayer = { ...relay, sign: async () => randomBytes(64) }
    const { wallet, build, memo, quoted, signBy, complete, rows } = await solanaFixture([], wrong)
    const signed = await signBy(await quoted(await build([memo()])), wallet)
    expect(await complete(signed)).toMatchObject({ answer: { code: 'unavailable' } })
    expect(await rows()).toEqual([])
  })
})
