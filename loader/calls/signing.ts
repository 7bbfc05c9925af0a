/** Calls that have a wallet of the user sign or send. */
import { farcasterSignerAnswers, sendAnswers, signAnswers } from '@latchkey/protocol/host'
import { base64urlnopad } from '@scure/base'
import type { CallOptions, MessageToSign, TypedDataToSign, WalletOptions } from '../types/options.ts'
import type {
  FarcasterSigner,
  SendUi,
  SignedMessage,
  SignUi,
  TransactionReceipt,
  TransactionRequest,
} from '../types/published.ts'
import { invalid, objectIn, textIn } from './arguments.ts'
import { type LazyRows, type Messages, message, request, signature } from './row.ts'

export type SigningCalls = {
  /**
   * Shows the message to the user, who signs or rejects it (`user_rejected_request`). Bytes that are no text, as a hash
   * that a smart account wants signed, are confirmed on a page of the wallet.
   */
  signMessage(message: MessageToSign, options?: SignUi & WalletOptions & CallOptions): Promise<SignedMessage>
  /**
   * Shows typed data (EIP-712) to the user, who signs or rejects it. A value that does not fit its type is refused
   * (`invalid_message`), and so is data for another chain than the wallet is on (`unsupported_chain_id`).
   */
  signTypedData(
    data: TypedDataToSign | string,
    options?: SignUi & WalletOptions & CallOptions,
  ): Promise<SignedMessage>
  /**
   * Shows a transaction to the user, who submits or rejects it, and follows it until the chain has carried it out.
   * Only on chains whose addresses the app has at the server. Of one that a wallet of another app sent, the hash alone is
   * known: its `status` is null.
   */
  sendTransaction(
    transaction: TransactionRequest,
    options?: SendUi & WalletOptions & CallOptions,
  ): Promise<TransactionReceipt>
  /**
   * Has the user approve, on their phone, that this app writes for their Farcaster account with a key of their wallet. A
   * key that they approved before is answered without asking.
   */
  requestFarcasterSigner(options?: CallOptions): Promise<FarcasterSigner>
  /**
   * The ed25519 signature of the hash of a Farcaster message, which has 20 bytes, by the key that the user approved: what
   * an `ExternalEd25519Signer` asks for.
   */
  signFarcasterMessage(hash: Uint8Array, options?: CallOptions): Promise<Uint8Array>
}

/** @internal */
export const signingRows: LazyRows<SigningCalls> = {
  signMessage: signature,
  signTypedData: signature,
  sendTransaction: signature,
  requestFarcasterSigner: request,
  signFarcasterMessage: request,
}

/**
 * JSON has no bigint; typed data takes a number as its digits. The value is read where it stands, because a page may
 * have given bigints a `toJSON` of its own.
 */
function withoutBigints(this: unknown, name: string, value: unknown) {
  const own: unknown = Reflect.get(Object(this), name)
  return typeof own === 'bigint' ? String(own) : value
}

const addressIn = (address: string | undefined) =>
  address === undefined ? {} : { address: textIn('address', address) }

const FARCASTER_HASH_BYTES = 20

function farcasterHash(hash: Uint8Array): string {
  if (ArrayBuffer.isView(hash) && hash.byteLength === FARCASTER_HASH_BYTES) return base64urlnopad.encode(hash)
  throw invalid('hash', `The hash of a Farcaster message is a Uint8Array of ${FARCASTER_HASH_BYTES} bytes`)
}

/** @internal */
export const signingMessages = (): Messages<SigningCalls> => ({
  signMessage: message(
    'signMessage',
    signAnswers.signMessage,
    (message: MessageToSign, options?: SignUi & WalletOptions & CallOptions) => {
      const { signal, address, ...ui } = { ...options }
      const isRaw = typeof message === 'object' && message !== null && 'raw' in message
      const given = isRaw ? { raw: textIn('message.raw', message.raw) } : textIn('message', message)
      return { message: given, ui, ...addressIn(address) }
    },
    (signed) => signed,
  ),
  signTypedData: message(
    'signTypedData',
    signAnswers.signTypedData,
    (given: TypedDataToSign | string, options?: SignUi & WalletOptions & CallOptions) => {
      const { signal, address, ...ui } = { ...options }
      const data = typeof given === 'string' ? given : JSON.stringify(objectIn('data', given), withoutBigints)
      return { data, ui, ...addressIn(address) }
    },
    (signed) => signed,
  ),
  sendTransaction: message(
    'sendTransaction',
    sendAnswers.sendTransaction,
    (transaction: TransactionRequest, options?: SendUi & WalletOptions & CallOptions) => {
      const { signal, address, ...ui } = { ...options }
      return { transaction: objectIn('transaction', transaction), ui, ...addressIn(address) }
    },
    ({ receipt }) => receipt,
  ),
  requestFarcasterSigner: message(
    'requestFarcasterSigner',
    farcasterSignerAnswers.requestFarcasterSigner,
    () => ({}),
    (signer) => signer,
  ),
  signFarcasterMessage: message(
    'signFarcasterMessage',
    farcasterSignerAnswers.signFarcasterMessage,
    (hash: Uint8Array) => ({ hash: farcasterHash(hash) }),
    ({ signature }) => base64urlnopad.decode(signature),
  ),
})
