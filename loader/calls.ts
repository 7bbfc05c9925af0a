/**
 * Every call of a handle, a row each: what it asks of the dialog, how its arguments become data, how the answer
 * becomes its result, whether callers at the same time share one answer, and what it means that a person closes the
 * card before the dialog has come. The client runs the rows; the handle, the queue and the refusals go by their names.
 */
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { DialogCalls } from '@latchkey/protocol/host'
import type { Latchkey } from './latchkey.ts'
import type { ClientConfig } from './published.ts'

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
/** The others are the connection's own. */
export type DialogCall = Exclude<keyof DialogCalls, 'hello' | 'configure' | 'viewport'>

type Row<Method extends (...args: never[]) => unknown> = {
  readonly run: (dialog: Dialog, ...args: Parameters<Method>) => ReturnType<Method>
  readonly shared?: true
  readonly refusal?: Refusal
}
type Refusal = 'exited_auth_flow' | 'user_rejected_request'
type CallsOfHandle = Omit<Latchkey, 'appId' | 'ready' | 'on' | 'destroy'>

export const calls = {
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
  forkSession: { run: (dialog) => dialog.ask('forkSession', {}) },
  createWallet: { run: async (dialog) => (await dialog.ask('createWallet', {})).wallet },
  signMessage: {
    run(dialog, message, options) {
      const { signal, ...ui } = { ...options }
      return dialog.ask('signMessage', { message, ui })
    },
    refusal: 'user_rejected_request',
  },
  setConfig: { run: (dialog, config) => dialog.configure(config) },
} as const satisfies { readonly [Name in keyof CallsOfHandle]: Row<CallsOfHandle[Name]> }

/** Of any row: what it takes and gives is unknown. */
export type AnyRow = {
  readonly run: (dialog: Dialog, ...args: never[]) => Promise<unknown>
  readonly shared?: true
  readonly refusal?: Refusal
}
