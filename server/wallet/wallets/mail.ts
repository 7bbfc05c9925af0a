/** The mails about a wallet: what happened, and what to do if it was somebody else. */
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { type TellingCall, tellUser } from '../../identity/notices/notices.ts'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import type { Committed } from './reshare/reshare.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)

const exportNotice: Notice = (language) => texts(language).exported
const importedNotice: Notice = (language) => texts(language).imported
const recoveredNotice: Notice = (language) => texts(language).recovered
const recoveryNotice: Notice = (language) => texts(language).recoveryChanged

type WalletCall = TellingCall & { caller: WalletToken }

/** A key was given to its user. */
export async function tellOfExport(call: WalletCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'export') await tellUser(call, context, exportNotice)
}

/** Notifies the user that a key from elsewhere became their wallet. */
export async function notifyOfImport(call: WalletCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'import') await tellUser(call, context, importedNotice)
}

/** A wallet was opened on a new device, however it was recovered: whoever did that has all of it there. */
export async function tellOfRecovered(call: WalletCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'recover')
    await tellUser(call, context, recoveredNotice, { kind: 'recovered' })
}

/** A wallet is recovered in another way from now on. */
export async function tellOfRecovery(
  outcome: Committed,
  call: WalletCall,
  context: ServerContext,
): Promise<void> {
  if (outcome === 'set') await tellUser(call, context, recoveryNotice)
}
