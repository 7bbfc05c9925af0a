/** The mails about ways to log in that came or went: whoever has a session only takes no account in silence. */
import type { ServerContext, VerifiedToken } from '../context.ts'
import { type Notice, sendNotice, type Telling } from '../mail/mail.ts'
import { tellUser } from '../users/users.ts'

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
} as const satisfies Readonly<Record<string, Notice>>

type ChangingCall = Telling & { readonly caller: VerifiedToken }
/** `again`: what the user had already. */
type Changed = { readonly type: string; readonly again?: true }

export async function tellOfLogins(
  { type, again }: Changed,
  call: ChangingCall,
  context: ServerContext,
): Promise<void> {
  if ((type === 'linked' && !again) || type === 'unlinked') await tellUser(call, context, notices[type])
}

/** It is the address itself that hears it: whoever took it away reads what goes to the next one. */
export async function tellAddress(
  address: string,
  { type, again }: Changed,
  call: ChangingCall,
  context: ServerContext,
): Promise<void> {
  const isGone = (type === 'linked' && !again) || type === 'unlinked'
  if (isGone) await sendNotice(context, [address], call, notices['address gone'])
}
