/** The mail about a verification method that came or went: what happened, and what to do if it was somebody else. */
import type { MfaMethodType } from '@latchkey/protocol'
import { onDay } from '../../identity/new-methods/new-methods.ts'
import type { Notice } from '../../integrations/mail/mail.ts'
import type { InLanguages, Language } from '../../kernel/languages.ts'
import type { Changed } from './enrolment.ts'

type ChangeTexts = {
  readonly methods: { readonly [method in MfaMethodType]: string }
  readonly changes: {
    readonly [change in Changed['change']]: {
      readonly happened: (method: string) => readonly [before: string, after: string]
      readonly meaning: string
    }
  }
  readonly addedOn: (when: string) => string
  readonly takeBack: string
  readonly ifNotYou: (appName: string) => string
}

const texts: InLanguages<ChangeTexts> = {
  en: {
    methods: {
      totp: 'An authenticator app',
      sms: 'Verification by SMS',
      passkey: 'Verification with a passkey',
    },
    changes: {
      added: {
        happened: (method) => [`${method} was added to your `, ' account'],
        meaning: 'From now on it is asked for when your wallet is used.',
      },
      removed: {
        happened: (method) => [`${method} was removed from your `, ' account'],
        meaning: 'It is no longer asked for when your wallet is used.',
      },
      replaced: {
        happened: (method) => [`${method} was changed on your `, ' account'],
        meaning: 'The passkeys that are asked for when your wallet is used are others now.',
      },
    },
    addedOn: (when) => `That was on ${when}.`,
    takeBack: 'Take it back, and log out everywhere',
    ifNotYou: (name) =>
      `If this was not you, somebody else is using your account: log out everywhere, check your verification methods, and write to ${name}.`,
  },
  ar: {
    methods: {
      totp: 'التحقق بتطبيق المصادقة',
      sms: 'التحقق برسالة نصية',
      passkey: 'التحقق بمفتاح المرور',
    },
    changes: {
      added: {
        happened: (method) => [`تمت إضافة ${method} إلى حسابك في `, ''],
        meaning: 'من الآن فصاعدًا نطلبه قبل استخدام محفظتك.',
      },
      removed: {
        happened: (method) => [`تمت إزالة ${method} من حسابك في `, ''],
        meaning: 'لم نعد نطلبه قبل استخدام محفظتك.',
      },
      replaced: {
        happened: (method) => [`تم تغيير ${method} لحسابك في `, ''],
        meaning: 'مفاتيح المرور التي نطلبها قبل استخدام محفظتك أصبحت غيرها.',
      },
    },
    addedOn: (when) => `حدث ذلك في ${when}.`,
    takeBack: 'التراجع عن ذلك وتسجيل الخروج من كل مكان',
    ifNotYou: (name) =>
      `إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يستخدم حسابك: سجّل الخروج من كل مكان، وراجع طرق التحقق، وراسل ${name}.`,
  },
}

/** `atSeconds`: when it came, for a mail that says so and has a link that takes it back. */
export function changeNotice(method: MfaMethodType, change: Changed['change'], atSeconds?: number): Notice {
  const inLanguage = (language: Language) => {
    const { methods, changes, ifNotYou, addedOn, takeBack } = texts[language]
    const { happened, meaning } = changes[change]
    const added = atSeconds === undefined ? '' : `${addedOn(onDay(language, atSeconds))} `
    return { happened: happened(methods[method]), meaning: added + meaning, ifNotYou, link: takeBack }
  }
  return { en: inLanguage('en'), ar: inLanguage('ar') }
}
