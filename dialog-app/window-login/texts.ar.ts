import type { WindowLoginTexts } from './texts.en.ts'

export const arabic: WindowLoginTexts = {
  continueWith: (provider) => `المتابعة باستخدام ${provider}`,
  toOpen: {
    title: 'خطوة واحدة أخرى',
    detail: (provider) => `تابع لدى ${provider}.`,
  },
  waiting: {
    title: (provider) => `في انتظار ${provider}`,
    open: (provider) => `سجّل الدخول إلى ${provider} في النافذة التي فُتحت.`,
    closed: (provider) => `إذا أغلقت نافذة ${provider} فحاول مرة أخرى.`,
    leaving: (provider) => `يُفتح ${provider} في علامة التبويب هذه.`,
    again: 'حاول مرة أخرى',
    none: (provider) => `يُفتح ${provider} في نافذة خاصة به. إذا لم تظهر لك فربما حظرها متصفحك.`,
  },
  digits: 'اكتب هذين الرقمين في النافذة التي فُتحت',
  verifying: {
    title: (provider) => `جارٍ التحقق من حسابك في ${provider}`,
    detail: 'يستغرق هذا لحظة.',
  },
  success: {
    title: (provider) => `تم الاتصال بـ ${provider}`,
    detail: (provider) => `أكّد ${provider} هويتك.`,
  },
  failed: { title: 'فشلت المصادقة', retry: 'إعادة المحاولة', back: 'العودة' },
  failures: {
    linked: () => 'هذا الحساب مرتبط بمستخدم آخر.',
    credentials: () => 'حدث خطأ ما. حاول مرة أخرى.',
    denied: (provider) => `أعد المحاولة وتحقق من ${provider} لإتمام ربط حسابك.`,
    limit: (provider) => `تم بلوغ حد الطلبات لدى ${provider}. يُرجى الانتظار لحظة ثم المحاولة مرة أخرى.`,
    ownLimit: () => 'طلبات كثيرة جدًا. يُرجى الانتظار قبل المحاولة مرة أخرى.',
    suspended: (provider) => `حسابك في ${provider} موقوف. يُرجى تجربة طريقة أخرى لتسجيل الدخول.`,
    onlyOne: () => 'لا يمكنك ربط أكثر من حساب واحد بهذا المستخدم.',
    unexpected: () => 'حدث خطأ ما. يُرجى المحاولة مرة أخرى.',
    phishing: () => 'مسار مصادقة غير متوقع. قد تكون هذه محاولة تصيّد احتيالي.',
    notAllowed: (provider) => `لا يقبل هذا التطبيق حسابات ${provider}.`,
  },
}
