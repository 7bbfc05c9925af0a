/** The mail about a key that was given to its user: what happened, and what to do if it was somebody else. */
import type { App } from '../apps/apps.ts'
import type { ServerContext, WalletToken } from '../context.ts'
import type { Notice } from '../mail/mail.ts'
import { tellUser } from '../users/users.ts'

const exportNotice: Notice = {
  happened: ['The key of your wallet was exported from ', ''],
  meaning: 'Whoever has this key can use everything that is in the wallet, without your login.',
  ifNotYou: (name) =>
    `If this was not you, move what is in the wallet to another one at once, log out everywhere, and write to ${name}.`,
}

type ReleasingCall = { readonly app: App; readonly caller: WalletToken }

export async function tellOfExport(call: ReleasingCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'export') await tellUser(call, context, exportNotice)
}
