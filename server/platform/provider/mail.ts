/** A user is told of each app that may use their wallet, and of each that may more than before. */
import type { CrossAppScope } from '@latchkey/protocol'
import { tellUser } from '../../identity/notices/notices.ts'
import { type Notice, oneLine } from '../../integrations/mail/mail.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { Language } from '../../kernel/languages.ts'
import type { App } from '../../kernel/ports.ts'

type Told = {
  readonly userId: string
  readonly sessionId: string
  readonly language: Language
  readonly requester: { readonly name: string; readonly origin: string }
  readonly scopes: readonly CrossAppScope[]
}

function noticeOf({ requester, scopes }: Pick<Told, 'requester' | 'scopes'>): Notice {
  const who = `${oneLine(requester.name)} (${requester.origin})`
  const [sign, send] = [scopes.includes('wallet.sign'), scopes.includes('wallet.send')]
  const english = [
    'may see your wallet',
    ...(sign ? ['may ask you for signatures'] : []),
    ...(send ? ['may ask you to send from it'] : []),
  ]
  const arabic = ['رؤية محفظتك', ...(sign ? ['وطلب توقيعك'] : []), ...(send ? ['وطلب الإرسال منها'] : [])]
  return {
    en: {
      happened: ['An app was connected to your ', ' account'],
      meaning: `${who} ${english.join(', and ')}. Nothing is signed or sent without your approval. You can end this in your account, under Connected apps.`,
      ifNotYou: (name) => `If this was not you, end it there, log out everywhere, and write to ${name}.`,
    },
    ar: {
      happened: ['تم ربط تطبيق بحسابك في ', ''],
      meaning: `يستطيع ${who} ${arabic.join(' ')}. لا يُوقَّع شيء ولا يُرسَل دون موافقتك. يمكنك إنهاء ذلك في حسابك، ضمن التطبيقات المرتبطة.`,
      ifNotYou: (name) => `إذا لم تكن أنت من فعل ذلك، فأنهِه هناك، واخرج من كل الأجهزة، وراسل ${name}.`,
    },
  }
}

export async function tellOfConnection(context: ServerContext, app: App, told: Told): Promise<void> {
  const { userId, sessionId, language } = told
  try {
    await tellUser({ app, language, caller: { userId, sessionId } }, context, noticeOf(told))
  } catch (error) {
    context.log.error({ error }, 'A user was not told of a connected app')
  }
}
