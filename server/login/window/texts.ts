/** What a window says. Its browser says which language its person reads. */
import type { InLanguages } from '../../kernel/languages.ts'

/** The title may contain a name: the site that the window goes to, or came back from. */
type Said = { readonly title: (name: string) => string; readonly text: string }
type Texts = { readonly [Text in keyof typeof english]: Said }

const closeIt = 'You can close this window.'
const aMoment = 'One moment.'
const tryAgain = 'Close this window and try again.'

const english = {
  starting: { title: () => 'One moment', text: 'This window asks the app that opened it.' },
  cutOff: {
    title: () => 'This login did not start',
    text: 'The page that you came from does not let its windows ask it. Close this window; the makers of the app can change that.',
  },
  digits: {
    title: () => 'Did you begin this?',
    text: 'Type the two digits that this app shows you in this browser right now. Never type digits that somebody sent you.',
  },
  wrongDigits: {
    title: () => 'These are other digits',
    text: 'This window cannot go on. Close it and try again.',
  },
  departing: {
    title: (name) => `Log in with ${name}`,
    text: 'Go on only if you came from this app just now.',
  },
  form: { title: () => 'Continue', text: 'Two digits' },
  going: { title: (name) => `Going to ${name}`, text: aMoment },
  back: { title: (name) => `${name} has answered`, text: aMoment },
  answered: { title: (name) => `${name} has answered`, text: closeIt },
  notConnected: { title: (name) => `${name} was not connected`, text: closeIt },
  notStarted: { title: () => 'This login did not start', text: tryAgain },
  over: { title: () => 'This login is over', text: tryAgain },
  foreign: {
    title: () => 'Unexpected auth flow',
    text: 'Unexpected auth flow. This may be a phishing attempt. Close this window.',
  },
  otherBrowser: {
    title: () => 'Unexpected auth flow',
    text: 'This login began in another browser. This may be a phishing attempt. Close this window.',
  },
} as const satisfies Record<string, Said>

const closeItInArabic = 'يمكنك إغلاق هذه النافذة.'
const aMomentInArabic = 'لحظة من فضلك.'
const tryAgainInArabic = 'أغلق هذه النافذة وحاول مرة أخرى.'

const arabic: Texts = {
  starting: { title: () => 'لحظة من فضلك', text: 'تسأل هذه النافذة التطبيق الذي فتحها.' },
  cutOff: {
    title: () => 'لم يبدأ تسجيل الدخول هذا',
    text: 'الصفحة التي أتيت منها لا تسمح لنوافذها بأن تسألها. أغلق هذه النافذة؛ يمكن لأصحاب التطبيق تغيير ذلك.',
  },
  digits: {
    title: () => 'هل بدأت هذا بنفسك؟',
    text: 'اكتب الرقمين اللذين يعرضهما لك هذا التطبيق في هذا المتصفح الآن. لا تكتب أبدًا أرقامًا أرسلها إليك أحد.',
  },
  wrongDigits: {
    title: () => 'هذان رقمان آخران',
    text: 'لا يمكن لهذه النافذة أن تتابع. أغلقها وحاول مرة أخرى.',
  },
  departing: {
    title: (name) => `تسجيل الدخول عبر ${name}`,
    text: 'تابع فقط إذا كنت قد أتيت من هذا التطبيق للتو.',
  },
  form: { title: () => 'متابعة', text: 'رقمان' },
  going: { title: (name) => `الانتقال إلى ${name}`, text: aMomentInArabic },
  back: { title: (name) => `وصل رد ${name}`, text: aMomentInArabic },
  answered: { title: (name) => `وصل رد ${name}`, text: closeItInArabic },
  notConnected: { title: (name) => `لم يتم الربط مع ${name}`, text: closeItInArabic },
  notStarted: { title: () => 'لم يبدأ تسجيل الدخول هذا', text: tryAgainInArabic },
  over: { title: () => 'انتهى تسجيل الدخول هذا', text: tryAgainInArabic },
  foreign: {
    title: () => 'مسار دخول غير متوقع',
    text: 'مسار دخول غير متوقع. قد تكون هذه محاولة تصيّد. أغلق هذه النافذة.',
  },
  otherBrowser: {
    title: () => 'مسار دخول غير متوقع',
    text: 'بدأ تسجيل الدخول هذا في متصفح آخر. قد تكون هذه محاولة تصيّد. أغلق هذه النافذة.',
  },
}

export const texts: InLanguages<Texts> = { en: english, ar: arabic }
export type WindowText = keyof Texts
