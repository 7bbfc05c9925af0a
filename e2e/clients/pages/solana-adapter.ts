import { isWalletAdapterCompatibleStandardWallet } from '@solana/wallet-adapter-base'
import { StandardWalletAdapter } from '@solana/wallet-standard-wallet-adapter-base'
import {
  Connection,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { getWallets } from '@wallet-standard/app'
import { offer } from './client.ts'
import { announceWallet, recipient, solanaUrl, toNumbers } from './solana-client.ts'

// The adapter takes the cluster from a word in the URL.
const connection = new Connection(`${solanaUrl}/?devnet`, 'confirmed')
let adapter: StandardWalletAdapter

function requireKey(): PublicKey {
  if (!adapter.publicKey) throw new Error('No account is connected')
  return adapter.publicKey
}
const createTransfer = (lamports: number) =>
  SystemProgram.transfer({ fromPubkey: requireKey(), toPubkey: new PublicKey(recipient), lamports })

async function createLegacy(lamports: number): Promise<Transaction> {
  const latest = await connection.getLatestBlockhash()
  return new Transaction({ feePayer: requireKey(), ...latest }).add(createTransfer(lamports))
}

const unused = () => Promise.reject(new Error('The wallet has no chain of Ethereum'))
offer({
  async connect() {
    await announceWallet()
    const [wallet] = getWallets().get().filter(isWalletAdapterCompatibleStandardWallet)
    if (!wallet) throw new Error('The adapter does not list the wallet')
    adapter = new StandardWalletAdapter({ wallet })
    await adapter.connect()
    return { name: adapter.name, versions: [...(adapter.supportedTransactionVersions ?? [])] }
  },
  account: () => requireKey().toBase58(),
  chainId: unused,
  signTypedData: unused,
  send: unused,
  switchChain: unused,
  async signMessage(message: string) {
    return JSON.stringify(toNumbers((await adapter.signMessage?.(new TextEncoder().encode(message))) ?? []))
  },
  async signLegacy(lamports: number) {
    const signed = await adapter.signTransaction?.(await createLegacy(lamports))
    return signed?.verifySignatures()
  },
  /** Sends a transaction of version 0 with the wallet's own call. */
  async sendVersioned(lamports: number) {
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: requireKey(),
      recentBlockhash: blockhash,
      instructions: [createTransfer(lamports)],
    })
    return adapter.sendTransaction(new VersionedTransaction(message.compileToV0Message()), connection)
  },
  async signIn(statement: string) {
    const output = await adapter.signIn?.({ statement, nonce: 'a1b2c3d4' })
    return {
      address: output?.account.address,
      message: new TextDecoder().decode(output?.signedMessage),
      signature: toNumbers(output?.signature ?? []),
    }
  },
})
