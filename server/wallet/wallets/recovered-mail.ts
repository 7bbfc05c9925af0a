/** What is said of a wallet that was opened on a new device: whoever did that has all of it there. */

import { type TellingCall, tellUser } from '../../identity/notices/notices.ts'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'

const recoveredNotice: Notice = {
  en: {
    happened: ['Your wallet was recovered on a new device in ', ''],
    meaning: 'From now on it can be used there too, by whoever is logged in there.',
    ifNotYou: (name) =>
      `If this was not you, somebody else is using your account: move what is in the wallet to another one at once, log out everywhere, and write to ${name}.`,
  },
  ar: {
    happened: ['تمت استعادة محفظتك على جهاز جديد في ', ''],
    meaning: 'من الآن فصاعدًا يستطيع من سجّل الدخول على ذلك الجهاز استخدامها هناك أيضًا.',
    ifNotYou: (name) =>
      `إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يستخدم حسابك: انقل ما في المحفظة إلى محفظة أخرى فورًا، وسجّل الخروج من كل مكان، وراسل ${name}.`,
  },
}

type RecoveringCall = TellingCall & { readonly caller: WalletToken }

/** However it is recovered. */
export async function tellOfRecovered(call: RecoveringCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'recover')
    await tellUser(call, context, recoveredNotice, { kind: 'recovered' })
}
