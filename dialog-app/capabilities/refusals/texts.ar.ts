import type { ErrorCode } from '@latchkey/protocol'
import type { RefusalTexts } from './texts.en.ts'

/** What the server says of these in English. */
const serverSays: { readonly [code in ErrorCode]?: string } = {
  disallowed_login_method: 'طريقة تسجيل الدخول هذه غير متاحة في هذا التطبيق.',
  client_request_timeout: 'لم يرد الخادم في الوقت المناسب.',
  twilio_verification_failed: 'تعذّر التحقق من رقم الهاتف.',
  user_unsubscribed: 'أوقف هذا الرقم استقبال الرسائل. أرسل START ردًا على آخر رسالة، ثم حاول مرة أخرى.',
  invalid_credentials: 'رمز التحقق غير صحيح أو انتهت صلاحيته',
  invalid_data: 'البيانات المرسلة غير صالحة.',
}

export const arabic: RefusalTexts = {
  error: {
    wrong: 'حدث خطأ ما',
    notAllowed: 'غير مسموح',
    authentication: 'فشلت المصادقة',
    region: 'هذه المنطقة غير مدعومة',
    failed: 'فشل الطلب',
    timedOut: 'انتهت المهلة',
    tryAgain: 'يرجى المحاولة مرة أخرى.',
    captcha: 'لم تجتز اختبار التحقق من أنك إنسان. يرجى المحاولة مرة أخرى.',
    tryLater: 'حدث خطأ ما. يرجى المحاولة لاحقًا.',
    linked: 'هذا الحساب مرتبط بمستخدم آخر.',
    smsRegion: 'المصادقة عبر الرسائل القصيرة غير متاحة في هذه المنطقة',
    attempts: 'محاولات كثيرة جدًا.',
    later: 'حاول مرة أخرى لاحقًا',
    again: 'حاول مرة أخرى',
    otherMethod: 'جرّب طريقة أخرى',
    blocked: 'متصفحك يمنع تسجيل الدخول',
    storage:
      'إعدادات الخصوصية فيه تمنع ملفات تعريف الارتباط والتخزين للمواقع الأخرى. اسمح بها لهذه الصفحة ثم سجّل الدخول مرة أخرى.',
    close: 'إغلاق',
  },
  serverSaid: (code) =>
    Object.entries(serverSays).find(([known]) => known === code)?.[1] ?? 'تعذّر إكمال الطلب.',
  allowlist: {
    title: 'ليس لديك حق الوصول إلى هذا التطبيق',
    detail: 'هل تمت دعوتك؟',
    button: 'جرّب حسابًا آخر',
  },
  accountNotFound: {
    title: 'الحساب غير موجود',
    detail: 'لا يوجد في هذا التطبيق حساب لما سجّلت الدخول به. ربما أنشأت حسابك بطريقة أخرى.',
    button: 'جرّب حسابًا آخر',
  },
  userLimit: {
    title: 'تعذّر تسجيل الدخول',
    detail: 'بلغ هذا التطبيق الحد الأقصى لعدد المستخدمين. يرجى سؤال القائمين عليه.',
    button: 'جرّب حسابًا آخر',
  },
}
