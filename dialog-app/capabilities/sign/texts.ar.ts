import { typedDataArabic } from '@latchkey/protocol/reading'
import { approvalArabic } from '../../approval/texts.ar.ts'
import { verificationProblemsArabic } from '../../approval/verification-texts.ar.ts'
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
    noText: 'هذا ليس نصاً يمكن قراءته، لذا لا يمكن معرفة معناه. لا توقّع إلا إذا كنت تثق بهذا التطبيق.',
  },
  info: {
    title: 'ما هو التوقيع؟',
    detail:
      'يثبت أن ما تقرؤه هنا صادر عن صاحب هذه المحفظة. يستطيع من يحصل عليه أن يعرضه على غيره، فلا توقّع إلا ما ترضى أن تضع اسمك عليه.',
  },
  approval: approvalArabic,
  typedData: {
    ...typedDataArabic,
    empty: 'فارغ',
    copy: 'انسخ كل المحتوى',
    copied: 'تم النسخ',
  },
  blocked: {
    title: 'تم حظر هذا الطلب',
    signIn: (domain) =>
      `تسجّل هذه الرسالة دخولك إلى ${domain}، لكن موقعًا آخر هو الذي يطلبها. توقيعها يتيح لذلك الموقع أن يتصرف باسمك هناك.`,
    chain: (asked, current) => `هذا الطلب للشبكة ${asked}، لكن محفظتك على الشبكة ${current}.`,
    leave: 'إغلاق',
  },
  success: 'تم بنجاح',
  failed: { title: 'تعذّر التوقيع', retry: 'حاول مرة أخرى' },
  problems: {
    unable: 'تعذّر استرداد المحفظة',
    failed: 'حدث خطأ، يرجى المحاولة مرة أخرى.',
    expired: 'لم يتم التأكيد في الوقت المحدد. يرجى المحاولة مرة أخرى.',
    ...verificationProblemsArabic,
  },
}
