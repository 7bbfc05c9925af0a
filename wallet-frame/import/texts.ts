/** What the page says, by language. */
import type { InLanguages } from '../pages/languages.ts'
import type { KeyProblem } from '../vault/import/contract.ts'

export type ImportTexts = {
  readonly title: string
  readonly waiting: string
  readonly label: string
  readonly show: string
  readonly hide: string
  readonly next: string
  readonly address: string
  readonly question: string
  readonly yes: string
  readonly another: string
  readonly importing: string
  readonly clearClipboard: string
  readonly cleared: string
  readonly problems: { readonly [problem in KeyProblem | 'failed']: string }
}

const english: ImportTexts = {
  title: 'Import wallet',
  waiting: 'One moment',
  label: 'Private key',
  show: 'Show',
  hide: 'Hide',
  next: 'Continue',
  address: 'Address of this key',
  question: 'Is this your wallet? Import it only if you know this address.',
  yes: 'Import this wallet',
  another: 'Use another key',
  importing: 'Importing your wallet',
  clearClipboard: 'Clear clipboard',
  cleared: 'Clipboard cleared',
  problems: {
    not_a_key: 'This is not a private key. A private key has digits and the letters a to f alone.',
    wrong_length: 'This is too short or too long. A private key has 64 characters, or 66 with 0x.',
    out_of_range: 'No wallet can have this private key.',
    seed_phrase: 'This looks like a seed phrase. Only a private key can be imported here.',
    failed: 'This did not work. Close this and begin again.',
  },
}

const arabic: ImportTexts = {
  title: 'استيراد محفظة',
  waiting: 'لحظة من فضلك',
  label: 'المفتاح الخاص',
  show: 'إظهار',
  hide: 'إخفاء',
  next: 'متابعة',
  address: 'عنوان هذا المفتاح',
  question: 'هل هذه محفظتك؟ لا تستوردها إلا إذا كنت تعرف هذا العنوان.',
  yes: 'استيراد هذه المحفظة',
  another: 'استخدام مفتاح آخر',
  importing: 'جارٍ استيراد محفظتك',
  clearClipboard: 'مسح الحافظة',
  cleared: 'تم مسح الحافظة',
  problems: {
    not_a_key: 'هذا ليس مفتاحاً خاصاً. المفتاح الخاص يتكون من أرقام والأحرف من a إلى f فقط.',
    wrong_length: 'هذا أقصر أو أطول من اللازم. للمفتاح الخاص 64 حرفاً، أو 66 مع 0x.',
    out_of_range: 'لا يمكن أن يكون هذا مفتاحاً خاصاً لأي محفظة.',
    seed_phrase: 'يبدو هذا كعبارة سرية. يمكن استيراد مفتاح خاص فقط هنا.',
    failed: 'لم ينجح ذلك. أغلق هذا وابدأ من جديد.',
  },
}

export const languages: InLanguages<ImportTexts> = { en: english, ar: arabic }
