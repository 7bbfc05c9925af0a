/** Builds Solana transactions with the libraries of other wallets and dapps, and starts a node with accounts. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getAddressEncoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'

/** The address of the mnemonic 'abandon … about'. */
export const solanaWallet = address('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
export const recipient = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')
export const sponsor = address('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')
const unknownBlockhash = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N' as Blockhash

type Parts = { version?: 'legacy' | 0; payer?: Address; blockhash?: Blockhash }

/** Returns the serialized transaction without signatures. */
export function buildTransaction(
  instructions: Instruction[],
  { version = 0, payer = solanaWallet, blockhash = unknownBlockhash }: Parts = {},
): Buffer {
  const message = pipe(
    createTransactionMessage({ version: version as 0 }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 1n }, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  return Buffer.from(getTransactionEncoder().encode(compileTransaction(message)))
}

export const sendSol = (amount: bigint, from: Address = solanaWallet, to: Address = recipient) =>
  getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount })

export const toSignRequest = (transaction: Uint8Array, publicKey: string = solanaWallet) => ({
  method: 'solana_signTransaction' as const,
  params: [`0x${Buffer.from(transaction).toString('hex')}`, publicKey] as [`0x${string}`, string],
})

const tableProgram = address('AddressLookupTab1e1111111111111111111111111')
/** Encodes a lookup table with the sponsor and the recipient as its addresses. */
export function encodeTable({
  owner = tableProgram as Address,
  type = 1,
  deactivated = 2n ** 64n - 1n,
} = {}) {
  const header = Buffer.alloc(56)
  header.writeUInt32LE(type)
  header.writeBigUInt64LE(deactivated, 4)
  const addresses = [sponsor, recipient].map((each) => Buffer.from(getAddressEncoder().encode(each)))
  return { owner, data: [Buffer.concat([header, ...addresses]).toString('base64'), 'base64'] }
}

type Account = { owner: string; data: string[]; lamports?: number }

/** Starts an RPC node with the accounts that a test sets. */
export async function startAccountsNode() {
  const accounts = new Map<string, Account>()
  const asked: unknown[] = []
  let simulated: unknown = null
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { method, params } = JSON.parse(Buffer.concat(parts).toString()) as {
      method: string
      params: [string[], object]
    }
    asked.push(params)
    const value =
      method === 'simulateTransaction' ? simulated : params[0].map((each) => accounts.get(each) ?? null)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { context: { slot: 1 }, value } }))
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    accounts,
    asked,
    /** Sets the value of each simulation. */
    simulate(value: unknown) {
      simulated = value
    },
    close: () => new Promise((closed) => void server.close(closed)),
  }
}
