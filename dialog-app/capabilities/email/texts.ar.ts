import type { EmailTexts } from './texts.en.ts'

export const arabic: EmailTexts = {
  entry: {
    label: 'البريد الإلكتروني',
    placeholder: 'you@example.com',
    submit: 'إرسال',
    sending: 'جارٍ إرسال الرمز',
    open: 'المتابعة بالبريد الإلكتروني',
  },
  code: {
    title: 'أدخل رمز التأكيد',
    sentTo: 'أُرسل إلى',
    validity: 'صالح لمدة 10 دقائق.',
    group: 'رمز من ستة أرقام',
    digit: (position) => `الرقم ${position} من 6`,
    notNumeric: 'يجب أن يتكون الرمز من أرقام',
    noMail: 'لم تصلك رسالة؟',
    resend: 'إعادة إرسال الرمز',
    resending: 'جارٍ إرسال رمز جديد',
    sent: 'تم إرسال الرمز',
    checking: 'جارٍ التحقق من الرمز',
    accepted: 'تم قبول الرمز',
  },
  problems: { invalid: 'رمز التحقق غير صحيح أو انتهت صلاحيته', other: 'تعذّر التحقق من الرمز' },
  leave: {
    title: 'هل تريد المغادرة دون تسجيل الدخول؟',
    detail: 'سيتعين عليك طلب رمز جديد.',
    stay: 'متابعة',
    leave: 'مغادرة',
  },
}
