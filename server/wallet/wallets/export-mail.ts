/** The mail about a key that was given to its user: what happened, and what to do if it was somebody else. */

import { type TellingCall, tellUser } from '../../identity/notices/notices.ts'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'

const exportNotice: Notice = {
  en: {
    happened: ['The key of your wallet was exported from ', ''],
    meaning: 'Whoever has this key can use everything that is in the wallet, without your login.',
    ifNotYou: (name) =>
      `If this was not you, move what is in the wallet to another one at once, log out everywhere, and write to ${name}.`,
  },
  ar: {
    happened: ['تم تصدير مفتاح محفظتك من ', ''],
    meaning: 'من يملك هذا المفتاح يستطيع استخدام كل ما في المحفظة من دون تسجيل دخولك.',
    ifNotYou: (name) =>
      `إذا لم تكن أنت من فعل ذلك، فانقل ما في المحفظة إلى محفظة أخرى فورًا، وسجّل الخروج من كل مكان، وراسل ${name}.`,
  },
}

type ReleasingCall = TellingCall & { readonly caller: WalletToken }

export async function tellOfExport(call: ReleasingCall, context: ServerContext): Promise<void> {
  if (call.caller.step.purpose === 'export') await tellUser(call, context, exportNotice)
}
