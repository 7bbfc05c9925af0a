/** The mail about a wallet that is recovered in another way from now on. */
import type { App } from '../apps/apps.ts'
import type { ServerContext, WalletToken } from '../context.ts'
import type { Notice } from '../mail/mail.ts'
import { tellUser } from '../users/users.ts'
import type { Committed } from './reshare.ts'

const recoveryNotice: Notice = {
  happened: ['The recovery of your wallet was changed in ', ''],
  meaning: 'On a new device it is opened in the new way from now on, and in the old one no more.',
  ifNotYou: (name) =>
    `If this was not you, somebody else is using your account: move what is in the wallet to another one, log out everywhere, and write to ${name}.`,
}

type CommittingCall = { readonly app: App; readonly caller: WalletToken }

export async function tellOfRecovery(
  outcome: Committed,
  call: CommittingCall,
  context: ServerContext,
): Promise<void> {
  if (outcome === 'set') await tellUser(call, context, recoveryNotice)
}
