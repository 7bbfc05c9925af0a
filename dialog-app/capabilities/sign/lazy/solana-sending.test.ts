/** The outcomes of a sent Solana transaction, with a scripted node. `sandbox/solana` has a real one. */
import { LatchkeyError } from '@latchkey/protocol'
import { base58, base64 } from '@scure/base'
import { expect, test } from 'vitest'
import { bytesToHex } from '../../../browser/hex.ts'
import { makeFakeChain, Refused } from '../../../testing/chain.ts'
import { makeFakeClock, settle } from '../../../testing/clock.ts'
import { watch } from '../../../testing/fixture.ts'
import { type SendOptions, sendTransaction } from './solana-sending.ts'

const [payer, recipient, system] = [1, 2, 0].map((byte) => new Uint8Array(32).fill(byte))
const lifetime = new Uint8Array(32).fill(9)
const signature = new Uint8Array(64).fill(5)

/** A signed transaction with one instruction of the system program. */
const toTransaction = (data: number[]) =>
  Uint8Array.from([
    ...[1, ...signature, 1, 0, 1, 3],
    ...[...(payer ?? []), ...(recipient ?? []), ...(system ?? []), ...lifetime],
    ...[1, 2, 2, 0, 1, data.length, ...data],
  ])
const transfer = toTransaction([2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0])

const status = (confirmationStatus: string | null, err: unknown = null) => ({
  value: [confirmationStatus && { confirmationStatus, err }],
})
const unseen = () => status(null)

type Script = NonNullable<Parameters<typeof makeFakeChain>[0]>

function send(script: Script, options: Partial<SendOptions> = {}, transaction = transfer) {
  const clock = makeFakeClock()
  const chain = makeFakeChain({
    sendTransaction: () => 'signature',
    isBlockhashValid: () => ({ value: true }),
    getSignatureStatuses: unseen,
    ...script,
  })
  const sending = watch(
    sendTransaction(bytesToHex(transaction), {
      urls: ['https://solana.example'],
      clock,
      fetch: chain.fetch,
      signal: new AbortController().signal,
      ...options,
    }),
  )
  const pass = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      await settle()
      await clock.advance(1_000)
    }
    await settle()
  }
  return { chain, sending, pass }
}
const failing = (err: unknown, logs: string[] = []) => ({
  sendTransaction: () => new Refused('Transaction simulation failed', -32_002, { err, logs }),
})

test('sends the bytes with a simulation, and resolves with the signature of the fee payer', async () => {
  const { chain, sending, pass } = send({ getSignatureStatuses: () => status('confirmed') })
  await pass(0)
  expect(sending.value).toBe(base58.encode(signature))
  expect(chain.asked).toEqual([
    {
      method: 'sendTransaction',
      params: [base64.encode(transfer), { encoding: 'base64', preflightCommitment: 'processed' }],
    },
    {
      method: 'isBlockhashValid',
      params: [base58.encode(lifetime), { commitment: 'processed' }],
    },
    { method: 'getSignatureStatuses', params: [[base58.encode(signature)]] },
  ])
})

test('waits for the commitment, and sends again only while no node has the transaction', async () => {
  let now: string | null = null
  const { chain, sending, pass } = send(
    { getSignatureStatuses: () => status(now) },
    { commitment: 'finalized' },
  )
  await pass(3)
  expect(chain.count('sendTransaction')).toBe(3)
  for (now of ['processed', 'confirmed']) await pass(2)
  expect(chain.count('sendTransaction')).toBe(3)
  expect(sending.value).toBeUndefined()
  now = 'finalized'
  await pass(2)
  expect(sending.value).toBe(base58.encode(signature))
})

test.each([
  ['the account of the payer does not exist', 'AccountNotFound', [], 'INSUFFICIENT_FUNDS'],
  ['the fee is too high', 'InsufficientFundsForFee', [], 'INSUFFICIENT_FUNDS'],
  ['the rest pays no rent', { InsufficientFundsForRent: { account_index: 0 } }, [], 'INSUFFICIENT_FUNDS'],
  ['the recipient pays no rent', { InsufficientFundsForRent: { account_index: 1 } }, [], 'REJECTED'],
  [
    'the transfer is too high',
    { InstructionError: [0, { Custom: 1 }] },
    ['Transfer: insufficient lamports 1, need 2'],
    'INSUFFICIENT_FUNDS',
  ],
  ['a program fails', { InstructionError: [0, { Custom: 1 }] }, ['Slippage'], 'REJECTED'],
  ['the blockhash is unknown', 'BlockhashNotFound', [], 'BLOCKHASH_EXPIRED'],
])('rejects if %s, with the reason and the logs of the node', async (_what, err, logs, code) => {
  const { chain, sending, pass } = send(failing(err, logs))
  await pass(0)
  expect(sending.error).toMatchObject({
    code: code === 'INSUFFICIENT_FUNDS' ? 'insufficient_funds' : 'transaction_failure',
    details: { code, reason: typeof err === 'string' ? err : JSON.stringify(err), logs },
  })
  expect(Object(sending.error).details).not.toHaveProperty('signature')
  expect(chain.asked).toHaveLength(1)
})

test('rejects a transaction that the node refuses without a simulation', async () => {
  const { sending, pass } = send({
    sendTransaction: () => new Refused('Transaction signature verification failure', -32_003),
  })
  await pass(0)
  expect(sending.error).toMatchObject({
    code: 'transaction_failure',
    details: { code: 'REJECTED', reason: 'Transaction signature verification failure' },
  })
})

test('resolves if a node has executed the transaction before', async () => {
  const { sending, pass } = send({
    ...failing('AlreadyProcessed'),
    getSignatureStatuses: () => status('confirmed'),
  })
  await pass(0)
  expect(sending.value).toBe(base58.encode(signature))
})

test('rejects if the execution fails, with the signature', async () => {
  const err = { InstructionError: [0, { Custom: 6_001 }] }
  const { sending, pass } = send({ getSignatureStatuses: () => status('processed', err) })
  await pass(0)
  expect(sending.error).toMatchObject({
    code: 'transaction_failure',
    details: { code: 'EXECUTION_FAILED', signature: base58.encode(signature), reason: JSON.stringify(err) },
  })
})

test('rejects once no node has the transaction, five times after the end of its blockhash', async () => {
  const { chain, sending, pass } = send({ isBlockhashValid: () => ({ value: false }) })
  await pass(7)
  expect(sending.error).toBeUndefined()
  await pass(2)
  expect(sending.error).toMatchObject({
    code: 'transaction_failure',
    details: { code: 'BLOCKHASH_EXPIRED', signature: base58.encode(signature) },
  })
  expect(chain.count('sendTransaction')).toBe(1)
})

test('a durable nonce does not expire, and the wait ends after 2 minutes', async () => {
  const { chain, sending, pass } = send({}, {}, toTransaction([4, 0, 0, 0]))
  await pass(119)
  expect(sending.error).toBeUndefined()
  await pass(2)
  expect(sending.error).toMatchObject({
    code: 'transaction_failure',
    details: { code: 'TIMEOUT', signature: base58.encode(signature) },
  })
  expect(chain.count('isBlockhashValid')).toBe(0)
})

test('tries the next node if one is down or behind, and rejects if all are', async () => {
  let down = 0
  const chain = makeFakeChain({
    sendTransaction: () => new Refused('Node is behind by 42 slots', -32_005),
    isBlockhashValid: () => ({ value: true }),
    getSignatureStatuses: () => status('confirmed'),
  })
  const fetch: typeof chain.fetch = (url, init) => {
    if (url === 'https://behind.example') return chain.fetch(url, init)
    down += 1
    return Promise.reject(new TypeError('Failed to fetch'))
  }
  const { sending, pass } = send({}, { urls: ['https://down.example', 'https://behind.example'], fetch })
  await pass(0)
  expect(down).toBe(1)
  expect(sending.error).toBeInstanceOf(LatchkeyError)
  expect(sending.error).toMatchObject({
    code: 'transaction_failure',
    details: { code: 'NETWORK_ERROR', signature: base58.encode(signature) },
  })
})

test('goes on if the node does not answer for a while', async () => {
  let isDown = true
  const { sending, pass } = send({
    getSignatureStatuses() {
      if (isDown) throw new TypeError('Failed to fetch')
      return status('confirmed')
    },
  })
  await pass(4)
  expect(sending.error).toBeUndefined()
  isDown = false
  await pass(2)
  expect(sending.value).toBe(base58.encode(signature))
})

test('ends when the caller aborts', async () => {
  const caller = new AbortController()
  const { chain, sending, pass } = send({}, { signal: caller.signal })
  await pass(0)
  caller.abort(new LatchkeyError('call_cancelled', 'mine'))
  await pass(0)
  expect(sending.error).toMatchObject({ code: 'call_cancelled' })
  const { length } = chain.asked
  await pass(4)
  expect(chain.asked).toHaveLength(length)
})
