/**
 * Every call of a handle, a row each: what it asks of the dialog, how its arguments become data, how the answer
 * becomes its result, whether callers at the same time share one answer, and what it means that a person closes the
 * card before the dialog has come. The client runs the rows; the handle, the queue and the refusals go by their names.
 */
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { DialogCalls } from '@latchkey/protocol/host'
import type { Latchkey, LinkCalls, UnlinkCalls } from './latchkey.ts'
import type { ClientConfig, LoginMethod } from './published.ts'

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
type Refusal = 'exited_auth_flow' | 'exited_link_flow' | 'user_rejected_request'
const refusal = 'exited_link_flow'
type CallsOfHandle = Omit<Latchkey, 'appId' | 'ready' | 'on' | 'destroy'>
type CallsOfLinking = LinkCalls & UnlinkCalls
type Linked = CallOutput<DialogCalls['link']>['user']

/** The methods of linking are made from the names of what can be linked, in the case that they have there. */
const linkable =
  'Email Phone Wallet Passkey Apple Discord Github Google Linkedin Spotify Instagram Twitter Tiktok Farcaster Telegram'
const linking = Object.fromEntries(
  linkable.split(' ').flatMap((name) => {
    const method = (name === 'Phone' ? 'sms' : name.toLowerCase()) as LoginMethod
    return [
      [`link${name}`, { run: async (dialog) => (await dialog.ask('link', { method })).user, refusal }],
      [
        `unlink${name}`,
        { run: async (dialog, id) => (await dialog.ask('unlink', { method, id })).user, refusal },
      ],
    ] satisfies [string, Row<(id: string) => Promise<Linked>>][]
  }),
) as unknown as { readonly [Name in keyof CallsOfLinking]: AnyRow }

export const calls = {
  ...linking,
  updateEmail: { run: async (dialog) => (await dialog.ask('updateEmail', {})).user, refusal },
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
  connectWallet: { run: async (dialog) => (await dialog.ask('connectWallet', {})).wallet, refusal },
  createWallet: { run: async (dialog) => (await dialog.ask('createWallet', {})).wallet },
  signMessage: {
    run(dialog, message, options) {
      const { signal, ...ui } = { ...options }
      return dialog.ask('signMessage', { message, ui })
    },
    refusal: 'user_rejected_request',
  },
  setConfig: { run: (dialog, config) => dialog.configure(config) },
} as const satisfies {
  readonly [Name in Exclude<keyof CallsOfHandle, keyof CallsOfLinking>]: Row<CallsOfHandle[Name]>
}

/** Of any row: what it takes and gives is unknown. */
export type AnyRow = {
  readonly run: (dialog: Dialog, ...args: never[]) => Promise<unknown>
  readonly shared?: true
  readonly refusal?: Refusal
}
