/** What the page says, by language. */
import { type GateTexts, gateTexts } from '../pages/gated-button.ts'
import type { InLanguages } from '../pages/languages.ts'
import type { SecretForm } from '../vault/export/contract.ts'

type FormTexts = {
  readonly name: string
  readonly show: string
  readonly hide: string
  readonly copy: string
}
type Said = { readonly title: string; readonly detail: string }
export type ExportTexts = {
  readonly gate: GateTexts
  readonly title: string
  readonly detail: string
  readonly warning: string
  readonly wallet: string
  readonly approve: string
  readonly cancel: string
  readonly opening: Said
  readonly working: Said
  readonly alone: Said
  readonly gone: Said
  /** It did not work, or took too long to be decided. */
  readonly over: Said
  readonly late: Said
  readonly forms: { readonly [form in SecretForm]: FormTexts }
  readonly hidden: string
  readonly copied: string
  readonly notCopied: string
  readonly clear: string
  readonly cleared: string
  readonly hiddenAgain: string
  readonly failed: string
}

const english: ExportTexts = {
  gate: gateTexts.en,
  title: 'Transfer Wallet',
  detail: 'Your key lets you use this wallet in another app. You will see it on the next step.',
  warning:
    'Never share your private key or seed phrase with anyone. Whoever has it can take everything that is in your wallet.',
  wallet: 'Wallet',
  approve: 'Show my key',
  cancel: 'Cancel',
  opening: { title: 'One moment', detail: 'This window belongs to your wallet.' },
  working: {
    title: 'Opening your wallet',
    detail: 'Keep this window open, and go on in the app if it asks you for anything.',
  },
  alone: {
    title: 'The app that asked is gone',
    detail: 'Nothing is shown. Close this window, go back to the app, and begin again.',
  },
  gone: { title: 'This is over', detail: 'Your key is not shown any more. You can close this window.' },
  over: {
    title: 'Your key could not be shown',
    detail: 'Close this window, go back to the app, and begin again.',
  },
  late: {
    title: 'This took too long',
    detail: 'Your key is not shown. Close this window, go back to the app, and begin again.',
  },
  forms: {
    key: {
      name: 'Private key',
      show: 'Show private key',
      hide: 'Hide private key',
      copy: 'Copy private key',
    },
    phrase: {
      name: 'Seed phrase',
      show: 'Show seed phrase',
      hide: 'Hide seed phrase',
      copy: 'Copy seed phrase',
    },
  },
  hidden: 'Hidden',
  copied: 'Copied. Clear the clipboard when you have saved it.',
  notCopied: 'It could not be copied. You can select it instead.',
  clear: 'Clear clipboard',
  cleared: 'Clipboard cleared',
  hiddenAgain: 'Hidden again after one minute',
  failed: 'This can not be shown any more. Close this and begin again.',
}

const arabic: ExportTexts = {
  gate: gateTexts.ar,
  title: 'نقل المحفظة',
  detail: 'يتيح لك مفتاحك استخدام هذه المحفظة في تطبيق آخر. ستراه في الخطوة التالية.',
  warning: 'لا تشارك مفتاحك الخاص أو عبارتك السرية مع أي شخص. من يحصل عليهما يستطيع أخذ كل ما في محفظتك.',
  wallet: 'المحفظة',
  approve: 'أظهر مفتاحي',
  cancel: 'إلغاء',
  opening: { title: 'لحظة من فضلك', detail: 'هذه النافذة تخص محفظتك.' },
  working: {
    title: 'جارٍ فتح محفظتك',
    detail: 'أبقِ هذه النافذة مفتوحة، وتابع في التطبيق إذا طلب منك شيئًا.',
  },
  alone: {
    title: 'التطبيق الذي طلب هذا لم يعد موجودًا',
    detail: 'لا يُعرض شيء. أغلق هذه النافذة وعُد إلى التطبيق وابدأ من جديد.',
  },
  gone: { title: 'انتهى هذا', detail: 'لم يعد مفتاحك معروضًا. يمكنك إغلاق هذه النافذة.' },
  over: {
    title: 'تعذّر إظهار مفتاحك',
    detail: 'أغلق هذه النافذة وعُد إلى التطبيق وابدأ من جديد.',
  },
  late: {
    title: 'استغرق هذا وقتًا طويلاً',
    detail: 'لا يُعرض مفتاحك. أغلق هذه النافذة وعُد إلى التطبيق وابدأ من جديد.',
  },
  forms: {
    key: {
      name: 'المفتاح الخاص',
      show: 'إظهار المفتاح الخاص',
      hide: 'إخفاء المفتاح الخاص',
      copy: 'نسخ المفتاح الخاص',
    },
    phrase: {
      name: 'العبارة السرية',
      show: 'إظهار العبارة السرية',
      hide: 'إخفاء العبارة السرية',
      copy: 'نسخ العبارة السرية',
    },
  },
  hidden: 'مخفي',
  copied: 'تم النسخ. امسح الحافظة بعد أن تحفظه.',
  notCopied: 'تعذر النسخ. يمكنك تحديده بدلاً من ذلك.',
  clear: 'مسح الحافظة',
  cleared: 'تم مسح الحافظة',
  hiddenAgain: 'أُخفي مجدداً بعد دقيقة',
  failed: 'لم يعد بالإمكان إظهاره. أغلق هذا وابدأ من جديد.',
}

export const languages: InLanguages<ExportTexts> = { en: english, ar: arabic }
