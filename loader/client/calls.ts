/**
 * Every call of a handle, a row each: what it asks of the dialog, whether callers at the same time share one answer, and
 * what it means that a person closes the card before the dialog has come. The client runs the rows; the handle, the queue
 * and the refusals go by their names.
 */
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { DialogCalls } from '@latchkey/protocol/host'
import type { DialogCall } from '../frame/connection.ts'
import type { Latchkey } from '../types/latchkey.ts'
import type { ClientConfig } from '../types/published.ts'
import { linkable } from './linkable.ts'

/** What a row works with, for one caller. */
export type Dialog = {
  ask<Name extends DialogCall>(
    name: Name,
    data: CallInput<DialogCalls[Name]>,
  ): Promise<CallOutput<DialogCalls[Name]>>
  getToken(): Promise<string | null>
  dropToken(): void
  configure(config: ClientConfig): Promise<void>
}

type Row<Method extends (...args: never[]) => unknown> = {
  readonly run: (dialog: Dialog, ...args: Parameters<Method>) => ReturnType<Method>
  readonly shared?: true
  readonly refusal?: Refusal
}
type Refusal =
  | 'exited_auth_flow'
  | 'exited_link_flow'
  | 'user_rejected_request'
  | 'user_exited_set_password_flow'
type CallsOfHandle = Omit<Latchkey, 'appId' | 'ready' | 'on' | 'destroy'>

/** Calls that every page may make, whole. */
const ownCalls = {
  login: { run: (dialog) => dialog.ask('login', {}), shared: true, refusal: 'exited_auth_flow' },
  logout: {
    async run(dialog) {
      dialog.dropToken()
      await dialog.ask('logout', {})
      dialog.dropToken()
    },
  },
  getUser: { run: async (dialog) => (await dialog.ask('user', {})).user, shared: true },
  getAccessToken: { run: (dialog) => dialog.getToken() },
  setConfig: { run: (dialog, config) => dialog.configure(config) },
} as const satisfies { readonly [Name in keyof CallsOfHandle]?: Row<CallsOfHandle[Name]> }

/** A call that few pages make: what it asks and answers stands in the second file. */
export type LazyRow = {
  /** None of a call that shows nobody a card. */
  readonly refusal?: Refusal
  /** With `noPromptOnSignature` it shows a card only where the dialog finds that it has to. */
  readonly signs?: true
}
export type LazyCall = Exclude<keyof CallsOfHandle, keyof typeof ownCalls>
type LinkCall = `${'link' | 'unlink'}${(typeof linkable)[number]}`

const withoutCard: LazyRow = {}
const link: LazyRow = { refusal: 'exited_link_flow' }
const request: LazyRow = { refusal: 'user_rejected_request' }
const signature: LazyRow = { refusal: 'user_rejected_request', signs: true }

const lazyCalls: { readonly [Name in Exclude<LazyCall, LinkCall>]: LazyRow } = {
  linkCrossAppAccount: link,
  unlinkCrossAppAccount: link,
  updateEmail: link,
  connectWallet: link,
  connectOrCreateWallet: { refusal: 'exited_auth_flow' },
  reauthorize: link,
  showMfaEnrollment: link,
  enrollMfa: link,
  unenrollMfa: link,
  closeMfaEnrollment: withoutCard,
  initMfa: withoutCard,
  submitMfa: withoutCard,
  cancelMfa: withoutCard,
  createWallet: withoutCard,
  createSolanaWallet: withoutCard,
  setWalletRecovery: { refusal: 'user_exited_set_password_flow' },
  exportWallet: request,
  importWallet: request,
  fundWallet: request,
  signMessage: signature,
  signTypedData: signature,
  sendTransaction: signature,
  requestFarcasterSigner: request,
  signFarcasterMessage: request,
  getEthereumProvider: withoutCard,
  getSolanaProvider: withoutCard,
  forkSession: withoutCard,
}
const linkCalls = Object.fromEntries(
  linkable.flatMap((name) => [
    [`link${name}`, link],
    [`unlink${name}`, link],
  ]),
) as { readonly [Name in LinkCall]: LazyRow }

/** Of any row: what it takes and gives is unknown. One that has no `run` is asked with the second file. */
export type AnyRow = LazyRow & {
  readonly run?: (dialog: Dialog, ...args: never[]) => Promise<unknown>
  readonly shared?: true
}

export const calls: Readonly<Record<string, AnyRow>> = {
  ...({ ...linkCalls, ...lazyCalls } satisfies { readonly [Name in LazyCall]: LazyRow }),
  ...ownCalls,
}
