import type { SignerTexts } from './texts.en.ts'

const title = (app: string) => `اسمح لـ ${app} بالكتابة على Farcaster`

export const arabic: SignerTexts = {
  opening: { title: 'جارٍ الاتصال بـ Farcaster', detail: 'يستغرق هذا لحظة.' },
  scan: {
    title,
    detail:
      'امسح هذا الرمز بكاميرا هاتفك، ثم وافق في تطبيق Farcaster لديك. يُوقَّع ما يُكتب باسمك بمفتاح من محفظتك.',
    label: 'رمز يفتح تطبيق Farcaster لديك',
  },
  follow: {
    title,
    detail: 'وافق في تطبيق Farcaster لديك، ثم عُد إلى هنا. يُوقَّع ما يُكتب باسمك بمفتاح من محفظتك.',
    link: 'خذني إلى Warpcast',
  },
  success: {
    title: 'تم الاتصال بـ Farcaster',
    detail: (app: string) => `يمكن لـ ${app} الآن الكتابة لحسابك في Farcaster.`,
  },
  failed: { title: 'فشل الاتصال', retry: 'إعادة المحاولة', back: 'العودة' },
  rejected: { title: 'رُفض الطلب', detail: 'رُفض الطلب. يُرجى المحاولة مرة أخرى.' },
  failures: {
    unexpected: 'حدث خطأ ما. يُرجى المحاولة مرة أخرى.',
    timeout: 'انتهت مهلة الطلب. حاول مرة أخرى.',
    limit: 'طلبات كثيرة جدًا. يُرجى الانتظار قبل المحاولة مرة أخرى.',
    notSupported: 'لا تدعم محفظتك أو هذا التطبيق ذلك.',
  },
}
