/** The mail about a wallet that is recovered in another way from now on. */

import { type TellingCall, tellUser } from '../../identity/notices/notices.ts'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import type { Committed } from './reshare.ts'

const recoveryNotice: Notice = {
  en: {
    happened: ['The recovery of your wallet was changed in ', ''],
    meaning: 'On a new device it is opened in the new way from now on, and in the old one no more.',
    ifNotYou: (name) =>
      `If this was not you, somebody else is using your account: move what is in the wallet to another one, log out everywhere, and write to ${name}.`,
  },
  ar: {
    happened: ['تغيّرت طريقة استعادة محفظتك في ', ''],
    meaning: 'من الآن فصاعدًا تُفتح على جهاز جديد بالطريقة الجديدة، ولم تعد تُفتح بالطريقة القديمة.',
    ifNotYou: (name) =>
      `إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يستخدم حسابك: انقل ما في المحفظة إلى محفظة أخرى، وسجّل الخروج من كل مكان، وراسل ${name}.`,
  },
}

type CommittingCall = TellingCall & { readonly caller: WalletToken }

export async function tellOfRecovery(
  outcome: Committed,
  call: CommittingCall,
  context: ServerContext,
): Promise<void> {
  if (outcome === 'set') await tellUser(call, context, recoveryNotice)
}
