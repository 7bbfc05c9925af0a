import type { EmailTexts } from './texts.en.ts'

export const arabic: EmailTexts = {
  entry: {
    label: 'البريد الإلكتروني',
    placeholder: 'you@example.com',
    submit: 'إرسال',
    sending: 'جارٍ إرسال الرمز',
    open: 'المتابعة بالبريد الإلكتروني',
  },
  missing: {
    everything: 'أدخل بريدك الإلكتروني.',
    at: 'الرمز «@» ناقص.',
    name: 'الجزء الذي قبل «@» ناقص.',
    domain: 'الجزء الذي بعد «@» غير مكتمل.',
    form: 'هذا ليس عنوان بريد إلكتروني.',
  },
}
