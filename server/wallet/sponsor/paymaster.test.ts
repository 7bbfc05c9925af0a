/** Operations that a paymaster pays for, with the bundler and the paymaster of the sandbox. */
import { inspect } from 'node:util'
import { toWire } from '@latchkey/protocol'
import { sponsorRoutes } from '@latchkey/protocol/api'
import { delegatedCode, type UserOperation } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { concatHex, createTestClient, type Hex, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { afterEach, expect, test, vi } from 'vitest'
import type { Fields } from '../../identity/apps/manage.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { sponsors } from '../../integrations/relays/relays.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { startSandboxWithChain } from '../../testing/sandbox.ts'
import { encodeOperation } from '../confirm/reading/read-operation.ts'
import { newHandle } from '../confirm/testing/confirming.ts'
import { confirmFixture } from '../confirm/testing/fixture.ts'
import { sponsorTables } from './tables.ts'
import { createSponsorWorker } from './worker.ts'

const { url: sandboxUrl, chainUrl } = await startSandboxWithChain()
const node = createTestClient({ mode: 'anvil', transport: http(chainUrl), pollingInterval: 10 }).extend(
  publicActions,
)
const setFault = (erc4337: string) =>
  fetch(`${sandboxUrl}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ erc4337 }),
  })
afterEach(() => setFault('none'))

const chainId = 31_337
const apiKey = 'key-of-the-operator'
/** Stores its caller: CALLER, PUSH0, SSTORE. */
const recorder = `0x${'ec'.repeat(20)}` as const
/** Reverts every call. */
const reverting = `0x${'fd'.repeat(20)}` as const
const noteCall = { to: recorder, value: '0', data: '0x12345678' } as const

const operationAnswer = v.object({ operation: v.unknown(), usd: v.nullable(v.string()) })
const sentAnswer = v.object({ id: v.string(), state: v.string(), transaction_hash: v.nullable(v.string()) })

forDefaultEngine((database) => {
  async function paymasterFixture(...settings: Fields) {
    const fixture = await confirmFixture(database())
    const { context, browser, session } = fixture
    await node.setCode({ address: recorder, bytecode: '0x335f55' })
    await node.setCode({ address: reverting, bytecode: '0x5f5ffd' })
    chains.set(context.ports, createRpcChains(new Map([[chainId, chainUrl]])))
    const bundlerUrl = `${sandboxUrl}/erc4337/bundler/${apiKey}`
    const paymasterUrl = `${sandboxUrl}/erc4337/paymaster/${apiKey}`
    const services = { type: 'erc4337', bundlerUrl, paymasterUrl, isContractVerified: false } as const
    sponsors.set(context.ports, {
      chains: new Map([[chainId, { ...services }]]),
      clusters: new Map(),
    })
    fixture.dollars.set(String(chainId), 2_000)
    await fixture.set(
      ['sponsored_chains', [chainId]],
      ['sponsor_limits.usd_per_operation', 50],
      ['sponsor_limits.usd_per_user_per_day', 200],
      ['sponsor_limits.usd_per_day', 1000],
      ...settings,
    )
    const privateKey = generatePrivateKey()
    const { address } = privateKeyToAccount(privateKey)
    await context.db.updateTable('wallets').set({ address }).where('user_id', '=', session.user.id).execute()
    const worker = createSponsorWorker(context)
    const logs = [vi.spyOn(context.log, 'warn'), vi.spyOn(context.log, 'error')]
    const logged = () => logs.flatMap(({ mock }) => mock.calls)
    const { token } = session

    const quote = (calls: UserOperation['calls']) =>
      browser.call('quoteOperation', { token, body: { address, chain_id: chainId, calls } })
    async function quoted(calls: UserOperation['calls'] = [noteCall]): Promise<UserOperation> {
      const { status, answer } = await quote(calls)
      expect([status, answer]).toEqual([200, expect.anything()])
      return toCamel(v.parse(operationAnswer, answer).operation) as UserOperation
    }
    async function signed(operation: UserOperation): Promise<Hex> {
      const { hash, authorizationHash } = encodeOperation(operation, address)
      const hashes = operation.authorizationNonce === null ? [hash] : [hash, authorizationHash]
      return concatHex(await Promise.all(hashes.map((each) => sign({ hash: each, privateKey, to: 'hex' }))))
    }
    const send = (operation: UserOperation, signatures: Hex) =>
      browser.call('sendOperation', {
        token,
        body: toWire(sponsorRoutes.sendOperation.body, { address, operation, signatures }) as object,
      })
    const run = async (operation: UserOperation) => send(operation, await signed(operation))
    const getStatus = async (id: string) =>
      v.parse(sentAnswer, (await browser.call('operationStatus', { token, body: { id } })).answer)
    async function follow(seconds = 3) {
      context.clock.advanceSeconds(seconds)
      await worker.poll()
    }
    /** Waits until the transactions of the bundler are in blocks. */
    const mined = () => node.mine({ blocks: 1 })
    const getRow = () =>
      sponsorTables(context.db).selectFrom('sponsored_operations').selectAll().executeTakeFirstOrThrow()
    return { ...fixture, address, quote, quoted, signed, send, run, getStatus, follow, mined, getRow, logged }
  }

  test('a paymaster pays for calls of a wallet without coins, and for its delegation', async () => {
    const { address, quoted, run, getStatus, follow, mined, getRow } = await paymasterFixture()
    const operation = await quoted()
    expect(operation).toMatchObject({
      authorizationNonce: 0,
      verificationGasLimit: 150_000,
      callGasLimit: 200_000,
      payment: {
        paymaster: '0x00000000000000000000000000000000000a4337',
        paymasterData: '0x01',
        // The paymaster knows its gas better than the bundler.
        paymasterVerificationGasLimit: 60_000,
        preVerificationGas: 60_000,
      },
    })
    const { id } = v.parse(sentAnswer, (await run(operation)).answer)
    expect(id).toBe(encodeOperation(operation, address).hash)
    const most = Number((await getRow()).cents)
    await mined()
    await follow()
    expect(await getStatus(id)).toEqual({
      id,
      state: 'succeeded',
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(await node.getCode({ address })).toBe(delegatedCode)
    expect(await node.getBalance({ address })).toBe(0n)
    expect(BigInt((await node.getStorageAt({ address: recorder, slot: '0x0' })) ?? 0)).toBe(BigInt(address))
    const { cents } = await getRow()
    expect(Number(cents)).toBeGreaterThan(0)
    expect(Number(cents)).toBeLessThan(most)

    const next = { ...(await quoted()), calls: [noteCall, { ...noteCall, to: reverting }] }
    expect(next).toMatchObject({ nonce: '1', authorizationNonce: null })
    const { id: revertedId } = v.parse(sentAnswer, (await run(next)).answer)
    await mined()
    await follow()
    expect(await getStatus(revertedId)).toMatchObject({ state: 'reverted' })
  })

  test.each([
    ['the paymaster refuses', 'refuses', 'not_supported'],
    ['isFinal is not a boolean', 'garbage', 'unavailable'],
    ['the final answer names another paymaster', 'changed', 'unavailable'],
    ['the bundler fails', 'bundler-failing', 'unavailable'],
  ])('quotes nothing if %s, and no error contains the API key', async (_name, fault, code) => {
    const { quote, logged } = await paymasterFixture()
    await setFault(fault)
    const answered = await quote([noteCall])
    expect(answered).toMatchObject({ answer: { code } })
    expect(inspect([answered, logged()], { depth: null })).not.toContain(apiKey)
  })

  test.each([
    ['a stub answer that calls itself final', 'wrong-final'],
    ['an answer of the paymaster that has expired', 'expired'],
  ])('an operation with %s is dropped and costs nothing', async (_name, fault) => {
    const { quoted, run, getRow } = await paymasterFixture()
    await setFault(fault)
    const operation = await quoted()
    expect(await run(operation)).toMatchObject({ answer: { code: 'transaction_failure' } })
    expect(await getRow()).toMatchObject({ state: 'dropped' })
    expect(Number((await getRow()).cents)).toBe(0)
  })

  test('sends an operation later if the bundler does not answer, and gives up after ten minutes', async () => {
    const { quoted, run, getStatus, follow, mined, logged } = await paymasterFixture()
    const operation = await quoted()
    await setFault('bundler-failing')
    const { id } = v.parse(sentAnswer, (await run(operation)).answer)
    expect(await getStatus(id)).toMatchObject({ state: 'pending', transaction_hash: null })
    expect(logged()).toHaveLength(1)
    expect(inspect(logged(), { depth: null })).not.toContain(apiKey)
    await setFault('none')
    await follow()
    await mined()
    await follow()
    expect(await getStatus(id)).toMatchObject({ state: 'succeeded' })
    // One that no bundler includes.
    await setFault('bundler-failing')
    const lost = { ...operation, nonce: '7' }
    const { id: lostId } = v.parse(sentAnswer, (await run(lost)).answer)
    await setFault('none')
    await follow(601)
    expect(await getStatus(lostId)).toMatchObject({ state: 'dropped' })
  })

  test('counts the maximum fee against the limits before it sends', async () => {
    const { quoted, run, set, quote } = await paymasterFixture()
    const operation = await quoted()
    await set(['sponsor_limits.usd_per_day', 0])
    expect(await run(operation)).toMatchObject({ answer: { code: 'not_supported' } })
    await set(['sponsor_limits.usd_per_operation', 0])
    expect(await quote([noteCall])).toMatchObject({ answer: { code: 'not_supported' } })
  })

  test('refuses another payment than the wallet signed, and one without a paymaster', async () => {
    const { address, browser, session, quoted, signed, send } = await paymasterFixture()
    const operation = await quoted()
    const { payment, ...unpaid } = operation
    const signatures = await signed(operation)
    const other = { ...operation, payment: { ...(payment as object), paymasterData: '0x03' } }
    expect(await send(other as UserOperation, signatures)).toMatchObject({ answer: { code: 'invalid_data' } })
    expect(await send(unpaid, await signed(unpaid))).toMatchObject({ answer: { code: 'not_supported' } })
    const params = [address, JSON.stringify(unpaid), encodeOperation(unpaid, address).digest]
    const request = { method: 'eth_signUserOperation', params }
    const body = { handle: newHandle(), address, request, origin: null, place: 'frame' }
    expect(await browser.call('putConfirmation', { token: session.token, body })).toMatchObject({
      answer: { code: 'not_supported' },
    })
  })
})

/** The fields of an operation as code names them, also of the payment. */
const toCamel = (value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, field]) => [
          name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
          toCamel(field),
        ]),
      )
