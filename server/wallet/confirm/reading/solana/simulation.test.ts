/** Balance changes of Solana transactions on the confirmation page: at a node that executes them, and from other answers. */
import { isDeepStrictEqual } from 'node:util'
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  devnet,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getApproveInstruction,
  getBurnInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestSession } from '../../../../identity/sessions/testing/browser.ts'
import { prices } from '../../../../integrations/prices/prices.ts'
import { forDefaultEngine } from '../../../../kernel/db/test-engines.ts'
import { startSolana } from '../../../../testing/sandbox.ts'
import { newHandle } from '../../testing/confirming.ts'
import { type ConfirmFixture, confirmFixture } from '../../testing/fixture.ts'
import {
  buildTransaction,
  encodeTable,
  recipient,
  sendSol,
  sponsor,
  startAccountsNode,
  toSignRequest,
} from '../../testing/solana.ts'

const oneSol = 1_000_000_000n
const fee = '-0.000005'
const nodeUrl = await startSolana()

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  let session: TestSession
  let wallet: Address
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    session = await fixture.browser.login('sol@example.com')
    wallet = address(await fixture.makeWallet(session, fixture.browser, 'solana'))
    fixture.dollars.set('solana', 100)
  })
  const useNodes = (nodes: Readonly<Record<string, string[]>>) =>
    fixture.set(['environment', 'development'], ['solana_rpc_urls', nodes])

  async function readPage(transaction: Uint8Array) {
    const handle = newHandle()
    const body = {
      handle,
      address: wallet,
      request: toSignRequest(transaction, wallet),
      origin: null,
      place: 'frame' as const,
    }
    const { answer } = await fixture.browser.call('putConfirmation', { token: session.token, body })
    expect(answer).toMatchObject({ place: 'page' })
    return Object((await fixture.read(handle)).answer)
  }
  const change = (amount: string, token: { mint?: string; symbol?: string | null } = {}) => ({
    token: token.mint ?? null,
    symbol: token.mint ? (token.symbol ?? null) : 'SOL',
    amount,
    is_smallest_unit: token.mint !== undefined && !token.symbol,
    id: null,
  })

  describe('at a node that executes transactions', () => {
    const rpc = createSolanaRpc(devnet(nodeUrl))
    let blockhash: Blockhash
    beforeEach(async () => {
      await rpc.requestAirdrop(wallet, lamports(oneSol)).send()
      await useNodes({ devnet: [nodeUrl] })
      blockhash = (await rpc.getLatestBlockhash().send()).value.blockhash
    })
    const build = (...instructions: Instruction[]) =>
      buildTransaction(instructions, { payer: wallet, blockhash })

    /** Creates a token, of which the wallet has 5,000 units. Returns its mint and the account of the wallet. */
    async function giveTokens() {
      const payer = await generateKeyPairSigner()
      const mint = await generateKeyPairSigner()
      await rpc.requestAirdrop(payer.address, lamports(oneSol)).send()
      const [ata] = await findAssociatedTokenPda({
        mint: mint.address,
        owner: wallet,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
      })
      const { value: latest } = await rpc.getLatestBlockhash().send()
      const instructions = [
        getCreateAccountInstruction({
          payer,
          newAccount: mint,
          lamports: 1_461_600n,
          space: getMintSize(),
          programAddress: TOKEN_PROGRAM_ADDRESS,
        }),
        getInitializeMint2Instruction({ mint: mint.address, decimals: 2, mintAuthority: payer.address }),
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: wallet, mint: mint.address }),
        getMintToInstruction({ mint: mint.address, token: ata, mintAuthority: payer, amount: 5_000n }),
      ]
      const signed = await signTransactionMessageWithSigners(
        pipe(
          createTransactionMessage({ version: 0 }),
          (empty) => setTransactionMessageFeePayerSigner(payer, empty),
          (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
          (dated) => appendTransactionMessageInstructions(instructions, dated),
        ),
      )
      await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send()
      return { mint: mint.address, ata }
    }

    test('shows the fee and the tokens of an instruction that is not read', async () => {
      const { mint, ata } = await giveTokens()
      const burn = getBurnInstruction({
        account: ata,
        mint,
        authority: createNoopSigner(wallet),
        amount: 250n,
      })
      const page = await readPage(build(burn))
      expect(page).toMatchObject({ reason: 'not_understood' })
      expect(page.simulation).toEqual({ reverts: false, changes: [change(fee), change('-250', { mint })] })
      const { getNativePrice, getNativeSymbol, getTokenPrice } = prices.get(fixture.context.ports)
      prices.set(fixture.context.ports, {
        ...{ getNativePrice, getNativeSymbol, getTokenPrice },
        findToken: (chain, token) =>
          chain === 'solana' && token === mint ? { symbol: 'TIDE', decimals: 2 } : undefined,
      })
      expect((await readPage(build(burn))).simulation.changes[1]).toEqual(
        change('-2.5', { mint, symbol: 'TIDE' }),
      )
    })

    test('shows the fee alone for an instruction that gives rights', async () => {
      const { ata } = await giveTokens()
      const approve = getApproveInstruction({
        source: ata,
        delegate: recipient,
        owner: createNoopSigner(wallet),
        amount: 9n,
      })
      const page = await readPage(build(approve))
      expect(page).toMatchObject({ reason: 'allowance_or_permit' })
      expect(page.simulation).toEqual({ reverts: false, changes: [change(fee)] })
    })

    test('shows that a transaction would fail', async () => {
      const missing = { programAddress: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4') }
      expect((await readPage(build(missing))).simulation).toEqual({ reverts: true, changes: [] })
    })

    test('shows nothing for a transaction that is read, for an unknown blockhash, or if two clusters know it', async () => {
      expect(await readPage(build(sendSol(2n * oneSol, wallet)))).not.toHaveProperty('simulation')
      const missing = { programAddress: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4') }
      const old = buildTransaction([missing], { payer: wallet })
      expect(await readPage(old)).not.toHaveProperty('simulation')
      await useNodes({ mainnet: [nodeUrl], devnet: [nodeUrl] })
      expect(await readPage(build(missing))).not.toHaveProperty('simulation')
    })
  })

  describe('from a node', () => {
    const [token, token2022] = [
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    ]
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const account = '7MZbAbbGxdHvBWtEBJEXsp7QNw4dXZ3FfhcKNgVfFPNg'
    type Holding = { amount: bigint; program?: string; holder?: string; extension?: number[] }
    const encode = (key: string) => Buffer.from(getAddressEncoder().encode(address(key)))
    /** Encodes a token account. */
    const holding = ({ amount, program = token, holder = wallet, extension = [] }: Holding) => {
      const base = Buffer.alloc(165)
      encode(mint).copy(base)
      encode(holder).copy(base, 32)
      base.writeBigUInt64LE(amount, 64)
      base[108] = 1
      const data = Buffer.concat([base, Buffer.from(extension)])
      return { lamports: 2_039_280, owner: program, data: [data.toString('base64'), 'base64'] }
    }
    const ownAccount = (amount: number) => ({
      lamports: amount,
      owner: '11111111111111111111111111111111',
      data: ['', 'base64'],
    })
    const transaction = () =>
      buildTransaction(
        [
          {
            programAddress: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'),
            accounts: [{ address: address(account), role: 1 }],
          },
        ],
        { payer: wallet },
      )

    let node: Awaited<ReturnType<typeof startAccountsNode>>
    beforeEach(async () => {
      node = await startAccountsNode()
      await useNodes({ devnet: [node.url] })
      node.accounts.set(wallet, ownAccount(9_000))
    })
    afterEach(() => node.close())
    async function simulateTo(before: Holding, after: Holding, answer: object = {}) {
      node.accounts.set(account, holding(before))
      node.simulate({ err: null, accounts: [ownAccount(9_000), holding(after)], ...answer })
      return (await readPage(transaction())).simulation
    }
    const extension = [2, 7, 0, 0, 0]

    test('asks for the writable accounts before and after the transaction', async () => {
      await simulateTo({ amount: 5n }, { amount: 5n })
      const addresses = [wallet, account]
      expect(node.asked).toContainEqual([addresses, { encoding: 'base64', commitment: 'confirmed' }])
      expect(node.asked).toContainEqual([
        transaction().toString('base64'),
        {
          ...{ encoding: 'base64', commitment: 'confirmed', sigVerify: false },
          accounts: { encoding: 'base64', addresses },
        },
      ])
    })

    test('asks for the writable accounts of lookup tables too, and shows nothing while they are unknown', async () => {
      const table = address('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N')
      const lookedUp = buildTransaction(
        [
          {
            programAddress: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'),
            accounts: [
              { address: sponsor, addressIndex: 0, lookupTableAddress: table, role: AccountRole.READONLY },
              { address: recipient, addressIndex: 1, lookupTableAddress: table, role: AccountRole.WRITABLE },
            ],
          } as Instruction,
        ],
        { payer: wallet },
      )
      node.simulate({ err: null, accounts: [ownAccount(8_000)] })
      expect(await readPage(lookedUp)).not.toHaveProperty('simulation')
      node.accounts.set(table, encodeTable())
      node.simulate({ err: null, accounts: [ownAccount(8_000), null] })
      expect((await readPage(lookedUp)).simulation).toEqual({
        reverts: false,
        changes: [change('-0.000001')],
      })
      expect(
        node.asked.filter((params) => isDeepStrictEqual(Object(params)[0], [wallet, recipient])),
      ).toHaveLength(1)
    })

    test.each<[string, Holding, Holding, string[]]>([
      ['received tokens', { amount: 5n }, { amount: 12n }, ['+7']],
      ['an account that passes to another holder', { amount: 5n }, { amount: 5n, holder: recipient }, ['-5']],
      ['an account of others', { amount: 5n, holder: recipient }, { amount: 1n, holder: recipient }, []],
      [
        'an extended account of Token-2022',
        { amount: 5n, program: token2022, extension },
        { amount: 2n, program: token2022, extension },
        ['-3'],
      ],
      ['an account of another program', { amount: 5n, program: mint }, { amount: 2n, program: mint }, []],
      [
        'an extended account of the first token program',
        { amount: 5n, extension },
        { amount: 2n, extension },
        [],
      ],
      [
        'a signature group',
        { amount: 5n, program: token2022, extension: [2, ...Array(189).fill(0)] },
        { amount: 2n, program: token2022, extension: [2, ...Array(189).fill(0)] },
        [],
      ],
    ])('reads %s', async (_what, before, after, amounts) => {
      const simulation = await simulateTo(before, after)
      expect(simulation).toEqual({ reverts: false, changes: amounts.map((each) => change(each, { mint })) })
    })

    test.each([
      ['another number of accounts', { accounts: [] }],
      ['no accounts', { accounts: null }],
      ['a malformed account', { accounts: [null, { lamports: -1, owner: token, data: ['', 'base64'] }] }],
      ['the error of an unknown blockhash', { err: 'BlockhashNotFound', accounts: null }],
    ])('shows nothing for %s', async (_what, answer) => {
      expect(await simulateTo({ amount: 5n }, { amount: 1n }, answer)).toBeUndefined()
    })

    test('shows nothing if no node answers', async () => {
      await node.close()
      expect(await readPage(transaction())).not.toHaveProperty('simulation')
    })
  })
})
