/** What the page of such a link says. */
import type { InLanguages } from '../../kernel/languages.ts'
import type { TakenBack } from './take-back.ts'

type Said = { readonly title: string; readonly text: string }
export type Texts = { readonly [outcome in TakenBack | 'asks']: Said } & {
  readonly button: string
  readonly added: (name: string) => string
  readonly gone: (name: string) => string
}

export const texts: InLanguages<Texts> = {
  en: {
    asks: {
      title: 'Was this not you?',
      text: 'This takes the change back and logs the account out everywhere. If the change was yours, close this page.',
    },
    button: 'Take it back',
    added: (name) => `Added: ${name}`,
    gone: (name) => `Removed: ${name}`,
    'taken back': {
      title: 'The change was taken back',
      text: 'Every session of the account has ended. Log in again, and look at what else was changed.',
    },
    'last way in': {
      title: 'There is no other way in',
      text: 'Every session of the account has ended, but this is the only way to log in that is left. First open the link in the mail about your address that was removed, then this one again.',
    },
    'address of another': {
      title: 'This address is in use',
      text: 'Every session of the account has ended, but its address belongs to another account by now. Write to the people who run the app.',
    },
    over: {
      title: 'This link is over',
      text: 'It was used, or is too old. Log in to see how one can log in to your account.',
    },
  },
  ar: {
    asks: {
      title: 'ألم تكن أنت من فعل ذلك؟',
      text: 'يلغي هذا التغيير ويسجّل خروج الحساب من كل مكان. إذا كنت أنت من أجرى التغيير، فأغلق هذه الصفحة.',
    },
    button: 'التراجع عن التغيير',
    added: (name) => `أُضيف: ${name}`,
    gone: (name) => `أُزيل: ${name}`,
    'taken back': {
      title: 'تم التراجع عن التغيير',
      text: 'انتهت كل جلسات الحساب. سجّل الدخول مرة أخرى، وراجع ما تغيّر غير ذلك.',
    },
    'last way in': {
      title: 'لا توجد طريقة دخول أخرى',
      text: 'انتهت كل جلسات الحساب، لكن هذه هي طريقة الدخول الوحيدة الباقية. افتح أولًا الرابط الموجود في الرسالة عن عنوانك الذي أُزيل، ثم هذا الرابط مرة أخرى.',
    },
    'address of another': {
      title: 'هذا العنوان مستخدم',
      text: 'انتهت كل جلسات الحساب، لكن عنوانه أصبح لحساب آخر. راسل أصحاب التطبيق.',
    },
    over: {
      title: 'انتهت صلاحية هذا الرابط',
      text: 'لقد استُخدم أو مضى عليه وقت طويل. سجّل الدخول لترى طرق الدخول إلى حسابك.',
    },
  },
}
