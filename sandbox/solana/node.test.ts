/** The node, as Solana's own library reads it. */
import {
  address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  type DevnetUrl,
  devnet,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SolanaNode, startSolanaNode } from './node.ts'

const oneSol = lamports(1_000_000_000n)
const recipient = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')

let node: SolanaNode
let rpc: ReturnType<typeof createSolanaRpc<DevnetUrl>>
let payer: KeyPairSigner
beforeAll(async () => {
  node = await startSolanaNode()
  rpc = createSolanaRpc(devnet(node.url))
  payer = await generateKeyPairSigner()
  await rpc.requestAirdrop(payer.address, oneSol).send()
})
afterAll(() => node.stop())

async function transfer(amount: bigint) {
  const { value: latest } = await rpc.getLatestBlockhash().send()
  const instruction = getTransferSolInstruction({ source: payer, destination: recipient, amount })
  return signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
      (dated) => appendTransactionMessageInstructions([instruction], dated),
    ),
  )
}
const send = (transaction: Awaited<ReturnType<typeof transfer>>) =>
  rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' }).send()

test('pays the same account the same amount again', async () => {
  const { address: account } = await generateKeyPairSigner()
  for (let payment = 0; payment < 2; payment += 1) await rpc.requestAirdrop(account, oneSol).send()
  expect((await rpc.getBalance(account).send()).value).toBe(2n * oneSol)
})

test('moves SOL, and has the status of the transaction', async () => {
  const transaction = await transfer(2_000_000n)
  const signature = getSignatureFromTransaction(transaction)
  const readStatus = async () => (await rpc.getSignatureStatuses([signature]).send()).value
  expect(await readStatus()).toEqual([null])
  expect(await send(transaction)).toBe(signature)
  expect(await readStatus()).toMatchObject([{ err: null, confirmationStatus: 'finalized' }])
  expect((await rpc.getBalance(recipient).send()).value).toBe(2_000_000n)
  expect((await rpc.getAccountInfo(recipient, { encoding: 'base64' }).send()).value).toMatchObject({
    lamports: 2_000_000n,
  })
})

test.each([
  ['a transfer of more than the balance', 5n * oneSol, { InstructionError: [0, { Custom: 1 }] }],
  ['an account below the rent', 997_500_000n, { InsufficientFundsForRent: { account_index: 0 } }],
])('rejects %s with the error of the simulation', async (_what, amount, err) => {
  const answer = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      method: 'sendTransaction',
      params: [getBase64EncodedWireTransaction(await transfer(amount)), { encoding: 'base64' }],
    }),
  })
  expect(await answer.json()).toMatchObject({ error: { code: -32_002, data: { err } } })
})

test('rejects an expired blockhash, and a changed signature', async () => {
  const transaction = await transfer(1_500_000n)
  const { value: latest } = await rpc.getLatestBlockhash().send()
  const isValid = async () => (await rpc.isBlockhashValid(latest.blockhash).send()).value
  expect(await isValid()).toBe(true)
  node.expireBlockhash()
  expect(await isValid()).toBe(false)
  await expect(send(transaction)).rejects.toThrow('Transaction simulation failed')
  const other = await transfer(1_600_000n)
  const forged = { ...other, signatures: transaction.signatures }
  await expect(send(forged)).rejects.toThrow('signature verification failure')
})
