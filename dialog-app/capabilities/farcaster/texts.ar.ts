import type { FarcasterTexts } from './texts.en.ts'

export const arabic: FarcasterTexts = {
  entry: { label: 'Farcaster', alone: 'المتابعة باستخدام Farcaster' },
  opening: { title: 'جارٍ الاتصال بـ Farcaster', detail: 'يستغرق هذا لحظة.' },
  scan: {
    title: 'تسجيل الدخول باستخدام Farcaster',
    detail: 'امسح هذا الرمز بكاميرا هاتفك، ثم وافق في تطبيق Farcaster لديك.',
    label: 'رمز يفتح تطبيق Farcaster لديك',
  },
  follow: {
    title: 'تسجيل الدخول باستخدام Farcaster',
    detail: 'وافق في تطبيق Farcaster لديك، ثم عُد إلى هنا.',
    link: 'خذني إلى Warpcast',
  },
  approved: { title: 'جارٍ التحقق من حسابك في Farcaster', detail: 'يستغرق هذا لحظة.' },
  success: { title: 'تم الاتصال بـ Farcaster', detail: 'أكّد Farcaster هويتك.' },
  failed: { title: 'فشلت المصادقة', retry: 'إعادة المحاولة', back: 'العودة' },
  failures: {
    linked: 'هذا الحساب مرتبط بمستخدم آخر.',
    credentials: 'حدث خطأ ما. حاول مرة أخرى.',
    limit: 'طلبات كثيرة جدًا. يُرجى الانتظار قبل المحاولة مرة أخرى.',
    timeout: 'انتهت مهلة الطلب. حاول مرة أخرى.',
    onlyOne: 'لا يمكنك ربط أكثر من حساب Farcaster واحد.',
    notAllowed: 'لا يقبل هذا التطبيق حسابات Farcaster.',
    unexpected: 'حدث خطأ ما. يُرجى المحاولة مرة أخرى.',
  },
}
