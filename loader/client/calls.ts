/**
 * The table of a handle's calls: what each requests from the dialog, whether concurrent callers share one
 * response, and its refusal code. The client runs the rows; the handle, the queue and the refusals use the
 * names.
 */
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { DialogCalls } from '@latchkey/protocol/host'
import { accountRows } from '../calls/accounts.ts'
import type { Latchkey, LazyCalls } from '../calls/latchkey.ts'
import { linkingRows } from '../calls/linking.ts'
import { mfaRows } from '../calls/mfa.ts'
import type { LazyRow, LazyRows, Refusal } from '../calls/row.ts'
import { signingRows } from '../calls/signing.ts'
import { walletRows } from '../calls/wallets.ts'
import type { DialogCall } from '../frame/connection.ts'
import type { ClientConfig } from '../types/published.ts'

/** The dialog as a row sees it, for one caller. */
export type Dialog = {
  send<Name extends DialogCall>(
    name: Name,
    data: CallInput<DialogCalls[Name]>,
  ): Promise<CallOutput<DialogCalls[Name]>>
  getToken(): Promise<string | null>
  dropToken(): void
  configure(config: ClientConfig): Promise<void>
}

type Row<Method extends (...args: never[]) => unknown> = {
  run: (dialog: Dialog, ...args: Parameters<Method>) => ReturnType<Method>
  shared?: true
  refusal?: Refusal
}
type OwnCalls = Omit<Latchkey, 'appId' | 'ready' | 'on' | 'destroy' | keyof LazyCalls>

/** Calls that every page may need, complete in the first file. */
const ownCalls = {
  login: { run: (dialog) => dialog.send('login', {}), shared: true, refusal: 'exited_auth_flow' },
  logout: {
    async run(dialog) {
      dialog.dropToken()
      await dialog.send('logout', {})
      dialog.dropToken()
    },
  },
  getUser: { run: async (dialog) => (await dialog.send('user', {})).user, shared: true },
  getAccessToken: { run: (dialog) => dialog.getToken() },
  setConfig: { run: (dialog, config) => dialog.configure(config) },
} as const satisfies { [Name in keyof OwnCalls]: Row<OwnCalls[Name]> }

/** A row of any call. A row without `run` is served by the second file. */
export type AnyRow = LazyRow & {
  run?: (dialog: Dialog, ...args: never[]) => Promise<unknown>
  shared?: true
}

export const calls: Readonly<Record<string, AnyRow>> = {
  ...({
    ...linkingRows,
    ...mfaRows,
    ...accountRows,
    ...walletRows,
    ...signingRows,
  } satisfies LazyRows<LazyCalls>),
  ...ownCalls,
}
