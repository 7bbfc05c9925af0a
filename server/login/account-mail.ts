/** The mails about ways to log in that came or went: whoever has a session only takes no account in silence. */

import { accountName, type Change, onDay, tellOfChange } from '../identity/new-methods/new-methods.ts'
import { tellUser } from '../identity/notices/notices.ts'
import { accountById, type LinkedRow } from '../identity/users/users.ts'
import type { Notice, Telling } from '../integrations/mail/mail.ts'
import type { ServerContext, VerifiedToken } from '../kernel/context.ts'
import type { InLanguages, Language } from '../kernel/languages.ts'
import type { App } from '../kernel/ports.ts'

const ifNotYou = {
  en: (name: string) =>
    `If this was not you, somebody else is using your account: log out everywhere, check how one can log in to it, and write to ${name}.`,
  ar: (name: string) =>
    `إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يستخدم حسابك: سجّل الخروج من كل مكان، وراجع طرق تسجيل الدخول إليه، وراسل ${name}.`,
}

const notices = {
  linked: {
    en: {
      happened: ['A way to log in was added to your ', ' account'],
      meaning: 'Whoever has it can log in as you from now on.',
      ifNotYou: ifNotYou.en,
    },
    ar: {
      happened: ['تمت إضافة طريقة لتسجيل الدخول إلى حسابك في ', ''],
      meaning: 'من يملكها يستطيع تسجيل الدخول باسمك من الآن فصاعدًا.',
      ifNotYou: ifNotYou.ar,
    },
  },
  unlinked: {
    en: {
      happened: ['A way to log in was removed from your ', ' account'],
      meaning: 'Nobody can log in to your account with it any more.',
      ifNotYou: ifNotYou.en,
    },
    ar: {
      happened: ['تمت إزالة طريقة لتسجيل الدخول إلى حسابك في ', ''],
      meaning: 'لم يعد أحد يستطيع تسجيل الدخول إلى حسابك بها.',
      ifNotYou: ifNotYou.ar,
    },
  },
  'address gone': {
    en: {
      happened: ['This address was taken from your ', ' account'],
      meaning:
        'Nobody can log in to your account with it any more, and mails about the account go elsewhere.',
      ifNotYou: ifNotYou.en,
    },
    ar: {
      happened: ['تمت إزالة هذا العنوان من حسابك في ', ''],
      meaning: 'لم يعد أحد يستطيع تسجيل الدخول إلى حسابك به، والرسائل عن الحساب تُرسل إلى مكان آخر.',
      ifNotYou: ifNotYou.ar,
    },
  },
  'number gone': {
    en: {
      happened: ['This number was taken from your ', ' account'],
      meaning:
        'Nobody can log in to your account with it any more, and texts about the account go elsewhere.',
      ifNotYou: ifNotYou.en,
    },
    ar: {
      happened: ['تمت إزالة هذا الرقم من حسابك في ', ''],
      meaning: 'لم يعد أحد يستطيع تسجيل الدخول إلى حسابك به، والرسائل عن الحساب تُرسل إلى مكان آخر.',
      ifNotYou: ifNotYou.ar,
    },
  },
} as const satisfies Readonly<Record<string, Notice>>

const takeBack = {
  en: 'Take it back, and log out everywhere',
  ar: 'التراجع عن ذلك وتسجيل الخروج من كل مكان',
}
const was: InLanguages<(name: string, when: string) => string> = {
  en: (name, when) => `${name} was added on ${when}.`,
  ar: (name, when) => `${name}: تمت الإضافة في ${when}.`,
}

/** The words for one account that came, or that went. */
function noticeWith(notice: Notice, account?: { readonly type: string; readonly profile: string }) {
  return (atSeconds: number): Notice => {
    const inLanguage = (language: Language) => {
      const added = account && `${was[language](accountName(language, account), onDay(language, atSeconds))} `
      return {
        ...notice[language],
        meaning: `${added ?? ''}${notice[language].meaning}`,
        link: takeBack[language],
      }
    }
    return { en: inLanguage('en'), ar: inLanguage('ar') }
  }
}

type ChangingCall = Telling & { readonly app: App; readonly caller: VerifiedToken }
/** What a change of accounts came to; whatever else it was has no such fields. */
type Changed = {
  readonly type: string
  readonly added?: string
  readonly removed?: LinkedRow
}

/**
 * What was there before hears of it, and can take it back. The address that went is told by itself: what follows is
 * mailed to those that are left, and somebody else may have put their own in its place.
 */
export async function tellOfLogins(
  { type, added, removed }: Changed,
  call: ChangingCall,
  context: ServerContext,
): Promise<void> {
  if (type !== 'linked' && type !== 'unlinked') return
  const change: Change = { kind: 'account', added: added ?? null, removed: removed ?? null }
  const gone = notices[removed?.type === 'phone' ? 'number gone' : 'address gone']
  if (removed) await tellOfChange(call, context, change, 'gone', noticeWith(gone))
  if (type === 'unlinked') await tellUser(call, context, notices.unlinked)
  const account = added === undefined ? undefined : await accountById(context.db, call.caller.userId, added)
  if (account) await tellOfChange(call, context, change, 'present', noticeWith(notices.linked, account))
}
