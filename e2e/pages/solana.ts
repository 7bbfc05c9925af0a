/** Solana transactions of host pages, built by Solana's own library. */
import { solanaRelayKeypair } from '@latchkey/sandbox'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  type createSolanaRpc,
  createTransactionMessage,
  type DevnetUrl,
  generateKeyPairSigner,
  getAddressDecoder,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  lamports,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  verifySignature,
} from '@solana/kit'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'

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

/** An address that is wider than a phone. */
export const widestAddress = 'W'.repeat(43)

/** Sends a lamport, and calls an unknown program. */
export const unknownCall = (wallet: string, to = recipient) =>
  buildTransaction(wallet, [
    getTransferSolInstruction({
      source: createNoopSigner(address(wallet)),
      destination: address(to),
      amount: 1n,
    }),
    { programAddress: address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4') },
  ])

type Rpc = ReturnType<typeof createSolanaRpc<DevnetUrl>>

/** Gives SOL to the account that pays the fees of users, and returns its address. */
export async function fundRelay(rpc: Rpc): Promise<Address> {
  const payer = getAddressDecoder().decode(Uint8Array.from(solanaRelayKeypair.slice(32)))
  await rpc.requestAirdrop(payer, lamports(1_000_000_000n)).send()
  return payer
}

const findTokenAccount = async (owner: string, mint: Address) =>
  (await findAssociatedTokenPda({ owner: address(owner), mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0]

/** Creates a token with 2 decimals, and gives this many hundredths to the wallet. The recipient has an account too. */
export async function giveTokens(rpc: Rpc, wallet: string, amount: bigint) {
  const [payer, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])
  await rpc.requestAirdrop(payer.address, lamports(1_000_000_000n)).send()
  const space = BigInt(getMintSize())
  const accounts = [wallet, recipient].map((owner) =>
    getCreateAssociatedTokenIdempotentInstructionAsync({ payer, owner: address(owner), mint: mint.address }),
  )
  const instructions = [
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: 10_000_000n,
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 2, mintAuthority: payer.address }),
    ...(await Promise.all(accounts)),
    getMintToInstruction({
      mint: mint.address,
      token: await findTokenAccount(wallet, mint.address),
      mintAuthority: payer,
      amount,
    }),
  ]
  const { value: latest } = await rpc.getLatestBlockhash().send()
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
      (dated) => appendTransactionMessageInstructions(instructions, dated),
    ),
  )
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send()
  const getBalance = async (owner: string) => {
    const account = await findTokenAccount(owner, mint.address)
    const { value } = await rpc.getAccountInfo(account, { encoding: 'base64' }).send()
    return Buffer.from(value?.data[0] ?? '', 'base64').readBigUInt64LE(64)
  }
  return { mint: mint.address, getBalance }
}

/** Builds a transaction of the wallet that sends tokens to the recipient. */
export async function tokenTransfer(
  wallet: string,
  mint: Address,
  amount: bigint,
  blockhash: Blockhash,
): Promise<Uint8Array> {
  const instruction = getTransferCheckedInstruction({
    source: await findTokenAccount(wallet, mint),
    mint,
    destination: await findTokenAccount(recipient, mint),
    authority: createNoopSigner(address(wallet)),
    amount,
    decimals: 2,
  })
  return buildTransaction(wallet, [instruction], blockhash)
}

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
  return verifySignature(await importKey(wallet), signature, messageBytes)
}

/** Returns whether the signer signed the UTF-8 bytes of the message. */
export async function isSignedMessage(
  signer: string,
  signature: number[] | undefined,
  message: string,
): Promise<boolean> {
  const bytes = Uint8Array.from(signature ?? []) as SignatureBytes
  return verifySignature(await importKey(signer), bytes, new TextEncoder().encode(message))
}

function importKey(signer: string): Promise<CryptoKey> {
  const publicKey = Uint8Array.from(getAddressEncoder().encode(address(signer)))
  return crypto.subtle.importKey('raw', publicKey, 'Ed25519', true, ['verify'])
}
