import type { RefusalTexts } from './texts.en.ts'

export const arabic: RefusalTexts = {
  error: {
    wrong: 'حدث خطأ ما',
    notAllowed: 'غير مسموح',
    authentication: 'فشلت المصادقة',
    region: 'هذه المنطقة غير مدعومة',
    failed: 'فشل الطلب',
    timedOut: 'انتهت المهلة',
    tryAgain: 'يرجى المحاولة مرة أخرى.',
    captcha: 'لم تجتز اختبار CAPTCHA. يرجى المحاولة مرة أخرى.',
    tryLater: 'حدث خطأ ما. يرجى المحاولة لاحقًا.',
    linked: 'هذا الحساب مرتبط بمستخدم آخر.',
    smsRegion: 'المصادقة عبر الرسائل القصيرة غير متاحة في هذه المنطقة',
    attempts: 'محاولات كثيرة جدًا.',
    later: 'حاول مرة أخرى لاحقًا',
    again: 'حاول مرة أخرى',
    otherMethod: 'جرّب طريقة أخرى',
  },
  allowlist: {
    title: 'ليس لديك حق الوصول إلى هذا التطبيق',
    detail: 'هل تمت دعوتك؟',
    button: 'جرّب حسابًا آخر',
  },
  accountNotFound: {
    title: 'الحساب غير موجود',
    detail: 'لا يوجد حساب بهذا البريد الإلكتروني في هذا التطبيق.',
    button: 'جرّب حسابًا آخر',
  },
  userLimit: {
    title: 'تعذّر تسجيل الدخول',
    detail: 'بلغ هذا التطبيق الحد الأقصى لعدد المستخدمين. يرجى سؤال القائمين عليه.',
    button: 'جرّب حسابًا آخر',
  },
}
