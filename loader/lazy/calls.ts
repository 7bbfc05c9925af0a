/**
 * Calls of a handle that few pages make, a row each: what it asks of the dialog, and what becomes of the answer. Their
 * names stand in the first file.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import { parse, type Schema } from '@latchkey/protocol/channel'
import {
  crossAppAnswers,
  ethereumAnswers,
  exportAnswers,
  farcasterSignerAnswers,
  forkAnswers,
  fundingAnswers,
  importAnswers,
  landingAnswers,
  linkingAnswers,
  type MoreGiven,
  type MoreName,
  type MoreResult,
  mfaAnswers,
  recoveryAnswers,
  sendAnswers,
  signAnswers,
  siweAnswers,
  solanaAnswers,
  walletCreateAnswers,
} from '@latchkey/protocol/host'
import { invalid, objectIn, textIn } from '../client/arguments.ts'
import type { LazyCall } from '../client/calls.ts'
import { linkable } from '../client/linkable.ts'
import type { CapabilityCall, PageWithProvider } from '../client/page.ts'
import type {
  CallOptions,
  ConnectOptions,
  EthereumProviderOptions,
  FundOptions,
  Latchkey,
  MessageToSign,
  MfaCalls,
  MfaMethod,
  SolanaProviderOptions,
  TypedDataToSign,
  WalletOptions,
} from '../types/latchkey.ts'
import type { LoginMethod, SendUi, SignUi, SocialProvider, TransactionRequest } from '../types/published.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { withPicture } from './pictures.ts'
import { linkedProviderOf } from './provider/linked.ts'
import { providerOf } from './provider/provider.ts'
import { solanaProviderOf } from './solana/provider.ts'

type AnyRow = {
  readonly ask: (...args: never[]) => CapabilityCall
  readonly read: (answer: unknown, page: PageWithProvider) => unknown
}
type Row<Method extends (...args: never[]) => Promise<unknown>> = {
  readonly ask: (...args: Parameters<Method>) => CapabilityCall
  readonly read: (answer: unknown, page: PageWithProvider) => Awaited<ReturnType<Method>>
}

/** `data` of the arguments, `result` of the answer. */
const row = <Name extends MoreName, Args extends readonly unknown[], Result>(
  call: Name,
  answer: Schema,
  data: (...args: Args) => MoreGiven<Name>,
  result: (read: MoreResult<Name>, page: PageWithProvider) => Result,
) => ({
  ask: (...args: Args): CapabilityCall => ({ call, data: data(...args) }),
  read: (given: unknown, page: PageWithProvider) =>
    result(parse(answer, given, 'invalid_answer') as MoreResult<Name>, page),
})

const linking = Object.fromEntries(
  linkable.flatMap((name) => {
    const method = (name === 'Phone' ? 'sms' : name.toLowerCase()) as LoginMethod
    const { link, unlink } = linkingAnswers
    return [
      [
        `link${name}`,
        row(
          'link',
          link,
          () => ({ method }),
          ({ user }) => user,
        ),
      ],
      [
        `unlink${name}`,
        row(
          'unlink',
          unlink,
          (id: string) => ({ method, id: textIn('id', id) }),
          ({ user }) => user,
        ),
      ],
    ] satisfies [string, AnyRow][]
  }),
) as unknown as { readonly [Name in Extract<LazyCall, `${'un' | ''}link${string}`>]: Row<Latchkey[Name]> }

/** Of one method of verification, and the user as they are afterwards. */
const changing = (call: 'enrollMfa' | 'unenrollMfa') =>
  row(
    call,
    mfaAnswers[call],
    (method: MfaMethod) => ({ method }),
    ({ user }) => user,
  )
const toNothing = () => {}

const FARCASTER_HASH_BYTES = 20

function farcasterHash(hash: Uint8Array): string {
  if (ArrayBuffer.isView(hash) && hash.byteLength === FARCASTER_HASH_BYTES) return toBase64url(hash)
  throw invalid('hash', `The hash of a Farcaster message is a Uint8Array of ${FARCASTER_HASH_BYTES} bytes`)
}

const mfa = {
  showMfaEnrollment: row(
    'showMfaEnrollment',
    mfaAnswers.showMfaEnrollment,
    () => ({}),
    ({ user }) => user,
  ),
  enrollMfa: changing('enrollMfa'),
  unenrollMfa: changing('unenrollMfa'),
  closeMfaEnrollment: row('closeMfaEnrollment', mfaAnswers.closeMfaEnrollment, () => ({}), toNothing),
  initMfa: row(
    'initMfa',
    mfaAnswers.initMfa,
    (method: MfaMethod) => ({ method }),
    (challenge) => challenge,
  ),
  submitMfa: row(
    'submitMfa',
    mfaAnswers.submitMfa,
    (method: MfaMethod, answer: string | Readonly<Record<string, unknown>>) => ({ method, answer }),
    toNothing,
  ),
  cancelMfa: row('cancelMfa', mfaAnswers.cancelMfa, () => ({}), toNothing),
} satisfies { readonly [Name in keyof MfaCalls]: Row<Latchkey[Name]> }
/** JSON has none; typed data takes a number as its digits. It is read where it stands: a page may have taught it a `toJSON`. */
function withoutBigints(this: unknown, name: string, value: unknown) {
  const own: unknown = Reflect.get(Object(this), name)
  return typeof own === 'bigint' ? String(own) : value
}

const addressIn = (address: string | undefined) =>
  address === undefined ? {} : { address: textIn('address', address) }
const walletIn = (options: EthereumProviderOptions | undefined) =>
  options?.address === undefined ? {} : { wallet: textIn('address', options.address) }

const rows = {
  ...linking,
  ...mfa,
  getEthereumProvider: row(
    'ethereumState',
    ethereumAnswers.ethereumState,
    (options?: EthereumProviderOptions) => ({
      announce: options?.announce === true,
      ...walletIn(options),
    }),
    // One that was asked for by its address is announced where this call says so; the answer does not.
    (state, page) => (state.linked ? linkedProviderOf(page, state, state.linked) : providerOf(page, state)),
  ),
  linkCrossAppAccount: row(
    'linkCrossAppAccount',
    crossAppAnswers.linkCrossAppAccount,
    (what: { readonly appId: string }) => ({ appId: textIn('appId', objectIn('what', what).appId) }),
    ({ user }) => user,
  ),
  unlinkCrossAppAccount: row(
    'unlinkCrossAppAccount',
    crossAppAnswers.unlinkCrossAppAccount,
    (what: { readonly subject: string }) => ({ subject: textIn('subject', objectIn('what', what).subject) }),
    ({ user }) => user,
  ),
  updateEmail: row(
    'updateEmail',
    linkingAnswers.updateEmail,
    () => ({}),
    ({ user }) => user,
  ),
  connectWallet: row(
    'connectWallet',
    siweAnswers.connectWallet,
    (options?: ConnectOptions & CallOptions) => {
      const { suggestedAddress } = { ...options }
      return suggestedAddress === undefined ? {} : { suggestedAddress }
    },
    ({ wallet }) => wallet,
  ),
  connectOrCreateWallet: row(
    'connectOrCreateWallet',
    landingAnswers.connectOrCreateWallet,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  reauthorize: row(
    'reauthorize',
    linkingAnswers.reauthorize,
    (what: { readonly provider: SocialProvider }) => ({ provider: objectIn('what', what).provider }),
    ({ user }) => user,
  ),
  forkSession: row(
    'forkSession',
    forkAnswers.forkSession,
    () => ({}),
    (code) => code,
  ),
  createWallet: row(
    'createWallet',
    walletCreateAnswers.createWallet,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  createSolanaWallet: row(
    'createSolanaWallet',
    solanaAnswers.createSolanaWallet,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  getSolanaProvider: row(
    'solanaWallet',
    solanaAnswers.solanaWallet,
    (options?: SolanaProviderOptions) => ({ announce: options?.announce === true }),
    (answer, page) => solanaProviderOf(page, answer),
  ),
  setWalletRecovery: row(
    'setWalletRecovery',
    recoveryAnswers.setWalletRecovery,
    () => ({}),
    ({ wallet }) => wallet,
  ),
  importWallet: row(
    'importWallet',
    importAnswers.importWallet,
    (privateKey?: string) =>
      privateKey === undefined ? {} : { privateKey: textIn('privateKey', privateKey) },
    ({ wallet }) => wallet,
  ),
  exportWallet: row('exportWallet', exportAnswers.exportWallet, () => ({}), toNothing),
  fundWallet: row(
    'fundWallet',
    fundingAnswers.fundWallet,
    (address: string, options?: FundOptions & CallOptions) => {
      const { provider, config } = { ...options }
      return {
        address: textIn('address', address),
        ...(provider !== undefined && { provider }),
        ...(config !== undefined && { config }),
      }
    },
    (funded) => funded,
  ),
  requestFarcasterSigner: row(
    'requestFarcasterSigner',
    farcasterSignerAnswers.requestFarcasterSigner,
    () => ({}),
    (signer) => signer,
  ),
  signFarcasterMessage: row(
    'signFarcasterMessage',
    farcasterSignerAnswers.signFarcasterMessage,
    (hash: Uint8Array) => ({ hash: farcasterHash(hash) }),
    ({ signature }) => fromBase64url(signature),
  ),
  signMessage: row(
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
  signTypedData: row(
    'signTypedData',
    signAnswers.signTypedData,
    (given: TypedDataToSign | string, options?: SignUi & WalletOptions & CallOptions) => {
      const { signal, address, ...ui } = { ...options }
      const data = typeof given === 'string' ? given : JSON.stringify(objectIn('data', given), withoutBigints)
      return { data, ui, ...addressIn(address) }
    },
    (signed) => signed,
  ),
  sendTransaction: row(
    'sendTransaction',
    sendAnswers.sendTransaction,
    (transaction: TransactionRequest, options?: SendUi & WalletOptions & CallOptions) => {
      const { signal, address, ...ui } = { ...options }
      return { transaction: objectIn('transaction', transaction), ui, ...addressIn(address) }
    },
    ({ receipt }) => receipt,
  ),
} satisfies { readonly [Name in LazyCall]: Row<Latchkey[Name]> }

/** Every name of a lazy call that the first file has is a row: they are built together. */
const rowOf = (name: string): AnyRow => rows[name as LazyCall]

/** What a page gives is as it is: the dialog parses it. What can not even be asked has a code all the same. */
export function callOf(name: string, args: readonly unknown[]): CapabilityCall | Promise<CapabilityCall> {
  try {
    return withPicture(rowOf(name).ask(...(args as never[])))
  } catch (error) {
    throw toLatchkeyError(error, 'invalid_data', `${name} takes no such arguments`)
  }
}
export const readAnswer = (name: string, answer: unknown, page: PageWithProvider): unknown =>
  rowOf(name).read(answer, page)
