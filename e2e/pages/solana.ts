/** Solana transactions of host pages, built by Solana's own library. */
import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'

export const recipient = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const anyBlockhash = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N' as Blockhash

/** Builds a transaction of the wallet, without signatures. */
export function buildTransaction(
  wallet: string,
  instructions: Instruction[],
  blockhash = anyBlockhash,
): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(address(wallet), empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 1n }, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)))
}

export function transfer(wallet: string, amount: bigint, blockhash?: Blockhash): Uint8Array {
  const source = createNoopSigner(address(wallet))
  const instruction = getTransferSolInstruction({ source, destination: address(recipient), amount })
  return buildTransaction(wallet, [instruction], blockhash)
}

/** A call of an unknown program. */
export const unknownCall = (wallet: string) =>
  buildTransaction(wallet, [{ programAddress: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4') }])

/** Returns whether the wallet signed this transaction, and nothing else in it changed. */
export async function isSignedTransaction(
  wallet: string,
  signed: number[] | undefined,
  transaction: Uint8Array,
): Promise<boolean> {
  const decoder = getTransactionDecoder()
  const { messageBytes, signatures } = decoder.decode(Uint8Array.from(signed ?? []))
  const signature = signatures[address(wallet)]
  const isSame = Buffer.from(messageBytes).equals(Buffer.from(decoder.decode(transaction).messageBytes))
  if (!signature || !isSame) return false
  const keyBytes = Uint8Array.from(getAddressEncoder().encode(address(wallet)))
  const publicKey = await crypto.subtle.importKey('raw', keyBytes, 'Ed25519', true, ['verify'])
  return verifySignature(publicKey, signature, messageBytes)
}
