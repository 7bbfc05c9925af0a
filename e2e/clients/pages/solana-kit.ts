import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signAndSendTransactionMessageWithSigners,
  signTransactionMessageWithSigners,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionSendingSigner,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { getWallets } from '@wallet-standard/app'
import { offer } from './client.ts'
import { announceWallet, recipient, solanaUrl, toNumbers } from './solana-client.ts'

const chain = 'solana:devnet'
const rpc = createSolanaRpc(solanaUrl)

type Input = { account: unknown; chain: string; transaction: Uint8Array }
type Features = {
  'solana:signTransaction': {
    signTransaction: (input: Input) => Promise<{ signedTransaction: Uint8Array }[]>
  }
  'solana:signAndSendTransaction': {
    signAndSendTransaction: (input: Input) => Promise<{ signature: Uint8Array }[]>
  }
  'solana:signMessage': {
    signMessage: (input: { account: unknown; message: Uint8Array }) => Promise<{ signature: Uint8Array }[]>
  }
  'solana:signIn': {
    signIn: (input: object) => Promise<{ signedMessage: Uint8Array; signature: Uint8Array }[]>
  }
}

function findWallet() {
  const wallet = getWallets()
    .get()
    .find(({ features }) => 'solana:signAndSendTransaction' in features)
  const [account] = wallet?.accounts ?? []
  if (!wallet || !account) throw new Error('The library does not list the wallet')
  return { account, features: wallet.features as unknown as Features }
}
const own = (): Address => address(findWallet().account.address)
const encode = (transaction: Transaction) => Uint8Array.from(getTransactionEncoder().encode(transaction))

/** Signers of kit on the features of the wallet, as `@solana/react` makes them. */
const modifyingSigner = (): TransactionModifyingSigner => ({
  address: own(),
  async modifyAndSignTransactions([transaction]) {
    const { account, features } = findWallet()
    const input = { account, chain, transaction: encode(transaction as Transaction) }
    const [signed] = await features['solana:signTransaction'].signTransaction(input)
    const decoded = getTransactionDecoder().decode(signed?.signedTransaction ?? new Uint8Array())
    return [{ ...transaction, ...decoded }] as never
  },
})
const sendingSigner = (): TransactionSendingSigner => ({
  address: own(),
  async signAndSendTransactions([transaction]) {
    const { account, features } = findWallet()
    const input = { account, chain, transaction: encode(transaction as Transaction) }
    const [sent] = await features['solana:signAndSendTransaction'].signAndSendTransaction(input)
    return [sent?.signature as SignatureBytes]
  },
})

async function createTransfer<Signer extends TransactionModifyingSigner | TransactionSendingSigner>(
  source: Signer,
  lamports: number,
) {
  const { value: latest } = await rpc.getLatestBlockhash().send()
  const instruction = getTransferSolInstruction({
    source,
    destination: address(recipient),
    amount: BigInt(lamports),
  })
  return pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(source, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
    (dated) => appendTransactionMessageInstructions([instruction], dated),
  )
}

const unused = () => Promise.reject(new Error('The wallet has no chain of Ethereum'))
offer({
  connect: announceWallet,
  account: own,
  chainId: unused,
  signTypedData: unused,
  send: unused,
  switchChain: unused,
  async signMessage(message: string) {
    const { account, features } = findWallet()
    const input = { account, message: new TextEncoder().encode(message) }
    const [signed] = await features['solana:signMessage'].signMessage(input)
    return JSON.stringify(toNumbers(signed?.signature ?? []))
  },
  /** Rejects unless all signatures are present. */
  async signVersioned(lamports: number) {
    const signed = await signTransactionMessageWithSigners(await createTransfer(modifyingSigner(), lamports))
    return toNumbers(getTransactionEncoder().encode(signed))
  },
  async sendVersioned(lamports: number) {
    const message = await createTransfer(sendingSigner(), lamports)
    const signature = await signAndSendTransactionMessageWithSigners(message as never)
    return getBase58Decoder().decode(signature)
  },
  async signIn(statement: string) {
    const { account, features } = findWallet()
    const [output] = await features['solana:signIn'].signIn({ statement, nonce: 'a1b2c3d4' })
    return {
      address: account.address,
      message: new TextDecoder().decode(output?.signedMessage),
      signature: toNumbers(output?.signature ?? []),
    }
  },
})
