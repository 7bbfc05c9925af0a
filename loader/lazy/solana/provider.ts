/** The embedded Solana wallet as a provider. The dialog decides on every request. */
import { findEmbeddedWallet, LatchkeyError, type User } from '@latchkey/protocol'
import { parse } from '@latchkey/protocol/channel'
import { type HostCallResult, signAnswers } from '@latchkey/protocol/host'
import { base58, hex } from '@scure/base'
import { isDestroyed, type Page } from '../../client/page.ts'
import type { CallOptions, SolanaProvider } from '../../types/options.ts'
import type { SignUi } from '../../types/published.ts'
import { listen, onePerClient, type Served } from '../one-per-client.ts'
import { waitForDialog } from '../wait-for-dialog.ts'
import { announce } from './announce.ts'

type Answer = HostCallResult<'solanaWallet'>

/** Holds the provider of a client's current wallet, which is announced once. */
type Holder = Served & {
  provider?: SolanaProvider | undefined
  hold: (address: string) => SolanaProvider
  /** Whether the app lets the wallet sign transactions. */
  signsTransactions: boolean
  update?: () => void
}
const getHolder = onePerClient(createHolder)

export function getSolanaProvider(
  page: Page,
  { wallet, announced, signsTransactions }: Answer,
): SolanaProvider {
  const own = getHolder(page)
  own.signsTransactions = signsTransactions === true
  const provider = own.hold(wallet.address)
  if (announced) own.update ??= announce(announced.name, own.signsTransactions, () => own.provider)
  own.update?.()
  return provider
}

/** Creates a holder, which follows the logged-in user. */
function createHolder(): Holder {
  let served: Page | undefined
  const own: Holder = {
    signsTransactions: false,
    isThere: () => served !== undefined,
    hold(address) {
      if (served && own.provider?.address !== address)
        own.provider = createProvider(served, address, () => own.signsTransactions)
      if (!own.provider) throw new LatchkeyError('client_destroyed', 'This client was destroyed')
      return own.provider
    },
    serve(page) {
      served = page
      for (const name of ['login', 'user', 'logout'])
        listen(page, name, ({ user }) => setUser(user as User | null | undefined))
      listen(page, 'error', ({ error }) => {
        if (served !== page || !isDestroyed(error)) return
        setUser(null)
        served = undefined
      })
    },
  }
  function setUser(user: User | null | undefined) {
    const wallet = user && findEmbeddedWallet(user, 'solana')
    if (wallet) own.hold(wallet.address)
    else own.provider = undefined
    own.update?.()
  }
  return own
}

function createProvider(
  { send, events }: Page,
  address: string,
  signsTransactions: () => boolean,
): SolanaProvider {
  const ask = (call: string, data: object, signal: AbortSignal | undefined) =>
    waitForDialog(events, { policy: 'needs-user' }, (waiting) =>
      send(
        'moreForUser',
        () => ({ call, data }),
        signal ? AbortSignal.any([signal, waiting]) : waiting,
        true,
      ),
    )

  const signMessage: SolanaProvider['signMessage'] = async (message, options = {}) => {
    const { signal, ...ui }: SignUi & CallOptions = options
    const answer = await ask('signSolanaMessage', { message: toText(message), ui }, signal)
    const signed = parse(signAnswers.signSolanaMessage, answer, 'invalid_answer')
    return { signature: base58.decode(signed.signature), address: signed.address }
  }

  const signIn: SolanaProvider['signIn'] = async (fields = {}, options = {}) => {
    const { signal, ...ui } = options
    const answer = await ask('signInSolana', { fields, ui }, signal)
    const signed = parse(signAnswers.signInSolana, answer, 'invalid_answer')
    return {
      signedMessage: new TextEncoder().encode(signed.message),
      signature: base58.decode(signed.signature),
      address: signed.address,
    }
  }

  const signTransaction: SolanaProvider['signTransaction'] = async (transaction, options = {}) => {
    const { signal, ...ui }: SignUi & CallOptions = options
    const answer = await ask('signSolanaTransaction', { transaction: toHex(transaction), ui }, signal)
    const signed = parse(signAnswers.signSolanaTransaction, answer, 'invalid_answer')
    return { signedTransaction: hex.decode(signed.transaction.slice(2)), address: signed.address }
  }

  const signAndSendTransaction: SolanaProvider['signAndSendTransaction'] = async (
    transaction,
    options = {},
  ) => {
    const { signal, cluster, commitment, ...ui } = options
    const data = {
      transaction: toHex(transaction),
      ...(cluster && { cluster }),
      ...(commitment && { commitment }),
      ui,
    }
    const answer = await ask('sendSolanaTransaction', data, signal)
    const sent = parse(signAnswers.sendSolanaTransaction, answer, 'invalid_answer')
    return { signature: base58.decode(sent.signature), address: sent.address }
  }

  return Object.freeze({
    address,
    publicKey: base58.decode(address),
    signMessage,
    signIn,
    signTransaction,
    signAndSendTransaction,
    async request(asked) {
      const { method, params } = Object(asked)
      const { message, transaction } = Object(params)
      if (method === 'signMessage') return signMessage(message)
      if (method === 'signTransaction' && signsTransactions()) return signTransaction(transaction)
      if (method === 'signAndSendTransaction' && signsTransactions())
        return signAndSendTransaction(transaction)
      throw new LatchkeyError(
        'not_supported',
        'Embedded Solana provider does not yet support this RPC method.',
      )
    },
  } satisfies SolanaProvider)
}

function toHex(transaction: unknown): string {
  if (transaction instanceof Uint8Array) return `0x${hex.encode(transaction)}`
  throw new LatchkeyError('invalid_data', 'A transaction must be a Uint8Array of its serialized bytes')
}

/** Decodes UTF-8 bytes, because the signed text is displayed. The dialog validates the rest. */
function toText(message: unknown): unknown {
  if (!(message instanceof Uint8Array)) return message
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message)
  } catch (cause) {
    throw new LatchkeyError('invalid_message', 'The message is not valid UTF-8', { cause })
  }
}
