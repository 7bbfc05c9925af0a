import { verificationProblemsArabic } from '../../i18n/verification.ar.ts'
import type { SignTexts } from './texts.en.ts'

export const arabic: SignTexts = {
  connecting: {
    title: 'جارٍ الاتصال بمحفظتك',
    recovering: 'هذا جهاز جديد لمحفظتك. جارٍ استردادها.',
  },
  request: {
    title: 'توقيع رسالة',
    description: 'لن يكلفك توقيع هذه الرسالة أي رسوم.',
    button: 'وقّع وتابع',
  },
  review: {
    signing: 'جارٍ التوقيع',
    message: 'الرسالة',
    wallet: 'المحفظة',
    invisible: 'تُعرض الأحرف غير المرئية برموزها.',
    arming: 'يمكن الضغط على الزر بعد ظهور البطاقة كاملة للحظة.',
    armed: 'يمكن الضغط على الزر الآن.',
    again: 'اضغط مرة أخرى للتأكيد',
    covered: 'هناك ما يغطي هذه البطاقة، لذا لا يمكن الموافقة. أغلق ما فوقها.',
    unreadable: 'هذه البطاقة أصغر من أن تُقرأ، لذا لا يمكن الموافقة. وسّع النافذة أو اضبط تكبيرها على 100٪.',
  },
  success: 'تم بنجاح',
  failed: { title: 'تعذّر التوقيع', retry: 'حاول مرة أخرى' },
  problems: {
    unable: 'تعذّر استرداد المحفظة',
    failed: 'حدث خطأ، يرجى المحاولة مرة أخرى.',
    ...verificationProblemsArabic,
  },
}
