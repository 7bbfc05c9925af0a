/** Notifies users by mail of changes to their wallet, with instructions in case of misuse. */
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { type NoticeCall, notifyUser } from '../../identity/notices/notices.ts'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import type { CommitOutcome } from './reshare/reshare.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)

const exportNotice: Notice = (language) => texts(language).exported
const importedNotice: Notice = (language) => texts(language).imported
const recoveredNotice: Notice = (language) => texts(language).recovered
const recoveryChangedNotice: Notice = (language) => texts(language).recoveryChanged

type WalletCall = NoticeCall & { caller: WalletToken }

/** Notifies the user that their wallet's key was exported. */
export async function notifyOfExport(call: WalletCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'export') await notifyUser(call, context, exportNotice)
}

/** Notifies the user that a key was imported as their wallet. */
export async function notifyOfImport(call: WalletCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'import') await notifyUser(call, context, importedNotice)
}

/** Notifies the user that their wallet was recovered on a new device, which now has full access. */
export async function notifyOfRecovery(call: WalletCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'recover')
    await notifyUser(call, context, recoveredNotice, { kind: 'recovered' })
}

/** Notifies the user that their recovery method changed. */
export async function notifyOfRecoveryChange(
  outcome: CommitOutcome,
  call: WalletCall,
  context: ServerContext,
): Promise<void> {
  if (outcome === 'set') await notifyUser(call, context, recoveryChangedNotice)
}
