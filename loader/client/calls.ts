/**
 * Every call of a handle, a row each: what it asks of the dialog, how its arguments become data, how the answer
 * becomes its result, whether callers at the same time share one answer, and what it means that a person closes the
 * card before the dialog has come. The client runs the rows; the handle, the queue and the refusals go by their names.
 */
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { DialogCalls } from '@latchkey/protocol/host'
import type { Latchkey, LinkCalls, MfaCalls, UnlinkCalls } from '../types/latchkey.ts'
import type { ClientConfig } from '../types/published.ts'
import { linkable } from './linkable.ts'

/** What a row works with, for one caller. */
export type Dialog = {
  ask<Name extends DialogCall>(
    name: Name,
    data: CallInput<DialogCalls[Name]>,
  ): Promise<CallOutput<DialogCalls[Name]>>
  /** A call that the second file makes. */
  more(name: string, args: readonly unknown[], refusal: string): Promise<unknown>
  getToken(): Promise<string | null>
  dropToken(): void
  configure(config: ClientConfig): Promise<void>
}
/** The others are the connection's own. */
export type DialogCall = Exclude<keyof DialogCalls, 'hello' | 'configure' | 'viewport'>

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

/** Names of calls that few pages make, by their refusal. What they ask and answer stands in the second file. */
const more = {
  exited_link_flow: `${linkable.replace(/\w+/g, 'link$& unlink$&')} connectWallet unenrollMfa showMfaEnrollment enrollMfa reauthorize updateEmail`,
  user_rejected_request:
    'requestFarcasterSigner signFarcasterMessage signMessage signTypedData importWallet sendTransaction exportWallet fundWallet',
  exited_auth_flow: 'connectOrCreateWallet',
  user_exited_set_password_flow: 'setWalletRecovery',
  '': 'forkSession cancelMfa getSolanaProvider submitMfa getEthereumProvider createWallet closeMfaEnrollment initMfa createSolanaWallet',
}
const moreCalls = Object.fromEntries(
  Object.entries(more).flatMap(([refusal, names]) =>
    names
      .split(' ')
      .map((name) => [
        name,
        { run: (dialog, ...args) => dialog.more(name, args, refusal), refusal } as AnyRow,
      ]),
  ),
) as { readonly [Name in NameOfMore]: AnyRow }
export type NameOfMore =
  | 'linkCrossAppAccount'
  | 'unlinkCrossAppAccount'
  | keyof LinkCalls
  | keyof UnlinkCalls
  | 'updateEmail'
  | 'connectWallet'
  | 'connectOrCreateWallet'
  | 'reauthorize'
  | 'signMessage'
  | 'signTypedData'
  | 'sendTransaction'
  | 'createWallet'
  | 'exportWallet'
  | 'fundWallet'
  | 'importWallet'
  | 'requestFarcasterSigner'
  | 'signFarcasterMessage'
  | 'createSolanaWallet'
  | 'getSolanaProvider'
  | keyof MfaCalls
  | 'setWalletRecovery'
  | 'forkSession'
  | 'getEthereumProvider'

export const calls = {
  ...moreCalls,
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
} as const satisfies {
  readonly [Name in Exclude<keyof CallsOfHandle, NameOfMore>]: Row<CallsOfHandle[Name]>
}

/** Of any row: what it takes and gives is unknown. */
export type AnyRow = {
  readonly run: (dialog: Dialog, ...args: never[]) => Promise<unknown>
  readonly shared?: true
  readonly refusal?: Refusal
}
