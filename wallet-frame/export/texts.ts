/** What the page says, by language. */
import type { InLanguages } from '../pages/languages.ts'
import type { SecretForm } from '../vault/export/contract.ts'

type FormTexts = {
  readonly name: string
  readonly show: string
  readonly hide: string
  readonly copy: string
}
export type ExportTexts = {
  readonly waiting: string
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
  waiting: 'Opening your wallet',
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
  waiting: 'جارٍ فتح محفظتك',
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
