/** Calls that sign or send with the user's wallet. */
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
   * Shows the message to the user, who signs or rejects it (`user_rejected_request`). Raw bytes that are not
   * text, such as a smart account's hash, are confirmed on a wallet page.
   */
  signMessage(message: MessageToSign, options?: SignUi & WalletOptions & CallOptions): Promise<SignedMessage>
  /**
   * Shows typed data (EIP-712) to the user, who signs or rejects it. Rejects with `invalid_message` if a value
   * does not match its type, and with `unsupported_chain_id` if the data is for another chain than the
   * wallet's.
   */
  signTypedData(
    data: TypedDataToSign | string,
    options?: SignUi & WalletOptions & CallOptions,
  ): Promise<SignedMessage>
  /**
   * Shows a transaction to the user, who submits or rejects it. Resolves with the receipt once it is mined.
   * Works only on chains with an RPC URL on the server. If another app's wallet sent the transaction, only its
   * hash is known and `status` is null.
   */
  sendTransaction(
    transaction: TransactionRequest,
    options?: SendUi & WalletOptions & CallOptions,
  ): Promise<TransactionReceipt>
  /**
   * Asks the user to approve on their phone that this app posts for their Farcaster account, with a key of
   * their wallet. Resolves immediately if that key is already approved.
   */
  requestFarcasterSigner(options?: CallOptions): Promise<FarcasterSigner>
  /**
   * Signs a Farcaster message hash of 20 bytes with the approved ed25519 key. Fits an `ExternalEd25519Signer`.
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
 * Replaces bigints by their digits, because JSON has no bigint. Reads the original value from `this`, because
 * the page may have defined `BigInt.prototype.toJSON`.
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
      const payload = isRaw ? { raw: textIn('message.raw', message.raw) } : textIn('message', message)
      return { message: payload, ui, ...addressIn(address) }
    },
    (signed) => signed,
  ),
  signTypedData: message(
    'signTypedData',
    signAnswers.signTypedData,
    (typedData: TypedDataToSign | string, options?: SignUi & WalletOptions & CallOptions) => {
      const { signal, address, ...ui } = { ...options }
      const data =
        typeof typedData === 'string'
          ? typedData
          : JSON.stringify(objectIn('data', typedData), withoutBigints)
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
