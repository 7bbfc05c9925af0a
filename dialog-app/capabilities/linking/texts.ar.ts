import type { LinkingTexts } from './texts.en.ts'

export const arabic: LinkingTexts = {
  names: {
    email: 'عنوان بريدك الإلكتروني',
    sms: 'رقم هاتفك',
    wallet: 'محفظتك',
    passkey: 'مفتاح المرور الخاص بك',
    apple: 'حساب Apple الخاص بك',
    discord: 'حساب Discord الخاص بك',
    github: 'حساب GitHub الخاص بك',
    google: 'حساب Google الخاص بك',
    linkedin: 'حساب LinkedIn الخاص بك',
    spotify: 'حساب Spotify الخاص بك',
    instagram: 'حساب Instagram الخاص بك',
    twitter: 'حساب X الخاص بك',
    tiktok: 'حساب TikTok الخاص بك',
    farcaster: 'حساب Farcaster الخاص بك',
    telegram: 'حساب Telegram الخاص بك',
  },
  ofApp: (app) => `حساب ${app} الخاص بك`,
  link: {
    title: (account) => `ربط ${account}`,
    detail: 'يمكنك بعد ذلك تسجيل الدخول به أيضًا.',
  },
  again: {
    title: (account) => `ربط ${account} مرة أخرى`,
    detail: 'تطلب هذه الصفحة الوصول إليه. يمكنك الاطلاع على السبب والرفض في الصفحة التالية.',
  },
  update: {
    title: 'تغيير عنوان بريدك الإلكتروني',
    present: 'وهو الآن',
  },
  unlink: {
    title: (account) => `إلغاء ربط ${account}؟`,
    detail: 'لن تتمكن بعد ذلك من تسجيل الدخول باستخدام',
    unnamed: 'جهاز غير معروف',
    unlink: 'إلغاء الربط',
    unlinking: 'جارٍ إلغاء الربط',
    keep: 'الإبقاء عليه',
    problems: {
      soleAccount: 'هذه هي الطريقة الوحيدة للدخول إلى حسابك. اربط حسابًا آخر قبل إلغاء ربطه.',
      enrolledInMfa: 'لا يمكن إلغاء ربط مفتاح مرور مسجّل في التحقق متعدد العوامل',
      other: 'تعذّر إلغاء الربط. يُرجى المحاولة مرة أخرى.',
    },
  },
}
