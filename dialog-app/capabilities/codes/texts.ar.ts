import type { CodeTexts } from './texts.en.ts'

/** One and two have forms of their own, and so have the numbers up to ten. */
function inMinutes(minutes: number): string {
  if (minutes === 1) return 'دقيقة واحدة'
  if (minutes === 2) return 'دقيقتين'
  return minutes <= 10 ? `${minutes} دقائق` : `${minutes} دقيقة`
}

export const arabic: CodeTexts = {
  code: {
    title: 'أدخل رمز التأكيد',
    sentTo: 'أُرسل إلى',
    validity: 'صالح لمدة 10 دقائق.',
    group: 'رمز من ستة أرقام',
    digit: (position) => `الرقم ${position} من 6`,
    notNumeric: 'يجب أن يتكون الرمز من أرقام',
    noCode: { mail: 'لم تصلك رسالة؟', message: 'لم تصلك رسالة؟' },
    resend: 'إعادة إرسال الرمز',
    resending: 'جارٍ إرسال رمز جديد',
    sent: 'تم إرسال الرمز',
    againIn: (seconds) => `مرة أخرى بعد ${seconds} ث`,
    checking: 'جارٍ التحقق من الرمز',
    accepted: 'تم قبول الرمز',
  },
  problems: { invalid: 'رمز التحقق غير صحيح أو انتهت صلاحيته', other: 'تعذّر التحقق من الرمز' },
  serverSaid: () => 'لا يمكن ربط حساب آخر من هذا النوع',
  tooManyGuesses: (minutes) => `رموز خاطئة كثيرة. انتظر ${inMinutes(minutes)} ثم اطلب رمزًا جديدًا.`,
  leave: {
    title: 'هل تريد التوقف عن إدخال الرمز؟',
    detail: 'سيتعين عليك طلب رمز جديد.',
    stay: 'متابعة',
    leave: 'مغادرة',
  },
}
