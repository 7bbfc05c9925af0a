import type { SmsTexts } from './texts.en.ts'

export const arabic: SmsTexts = {
  entry: {
    label: 'رقم الهاتف',
    country: 'البلد',
    placeholder: 'رقم الهاتف',
    submit: 'إرسال',
    sending: 'جارٍ إرسال الرمز',
    problem: 'هذا ليس رقم هاتف في هذا البلد.',
    open: 'المتابعة برسالة نصية',
  },
}
