/** Builds Solana transactions with the libraries of other wallets and dapps. */
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
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
const blockhash = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N' as Blockhash

type Parts = { version?: 'legacy' | 0; payer?: Address }

/** Returns the serialized transaction without signatures. */
export function buildTransaction(
  instructions: Instruction[],
  { version = 0, payer = solanaWallet }: Parts = {},
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
