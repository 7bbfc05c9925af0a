import type { WalletTexts } from './texts.en.ts'

export const arabic: WalletTexts = {
  row: { connect: 'اتصال', lastUsed: 'آخر استخدام', none: 'المتابعة باستخدام محفظة' },
  connecting: {
    title: (wallet) => `في انتظار ${wallet}`,
    detail: (wallet) => `افتح ${wallet} واسمح بالاتصال.`,
    scan: (wallet) => `امسح الرمز باستخدام ${wallet} على هاتفك، ثم اسمح بالاتصال.`,
    code: 'رمز يصل محفظة',
    copy: 'نسخ رابط الرمز',
    copied: 'تم النسخ',
    open: (wallet) => `فتح ${wallet}`,
    install: 'استخدامها في هذا المتصفح بدلًا من ذلك',
  },
  switching: {
    title: 'جارٍ تبديل الشبكة',
    detail: (wallet) => `اسمح لـ ${wallet} بالانتقال إلى شبكة يستخدمها هذا التطبيق.`,
  },
  sign: {
    title: 'وقّع للتحقق',
    detail: (wallet) => `وقّع الرسالة في ${wallet}. يُثبت ذلك أن المحفظة لك ولا يكلّف شيئًا.`,
  },
  signing: { title: 'جارٍ التوقيع', detail: (wallet) => `جارٍ التحقق من توقيع ${wallet}.` },
  pay: {
    title: 'أكّد في محفظتك',
    detail: (wallet) => `راجع المبلغ والعنوان في ${wallet} ثم أكّد.`,
  },
  paid: {
    title: 'تم الإرسال',
    detail: (wallet) => `أرسله ${wallet}. يصل عندما تنفّذه الشبكة.`,
  },
  payFrom: {
    title: 'الدفع من محفظة',
    detail: (amount, network) => `\u2066${amount}\u2069 على ${network}. اختر المحفظة التي تدفع.`,
  },
  success: { title: 'تم الاتصال بنجاح', detail: (wallet) => `أكّد ${wallet} هويتك.` },
  connected: { detail: (wallet) => `${wallet} متصلة بهذه الصفحة.` },
  connectOnly: {
    title: 'توصيل محفظة',
    detail: 'يمكن لهذه الصفحة بعد ذلك أن تطلب منها أشياء. لا يسجّلك ذلك دخولًا.',
    detailForUser: 'يمكن لهذه الصفحة بعد ذلك أن تطلب منها أشياء. لن تُربط بحسابك.',
    suggested: 'تطلب الصفحة',
  },
  otherAccount: {
    title: 'حساب آخر',
    detail: (wallet, address) =>
      `يستخدم ${wallet} الحساب \u2066${address}\u2069. انتقل فيه إلى هذا الحساب ثم حاول مرة أخرى.`,
    copy: 'نسخ العنوان',
    copied: 'تم النسخ',
  },
  failed: { unable: 'تعذّر توصيل المحفظة', retry: 'حاول مرة أخرى', other: 'استخدم محفظة أخرى' },
  problems: {
    userExists: { title: 'فشلت المصادقة', detail: () => 'هذا الحساب مرتبط بمستخدم آخر.' },
    timedOut: {
      title: 'انتهت المهلة',
      detail: (wallet) => `لم يستجب ${wallet} في الوقت المحدد. افتحه ثم حاول مرة أخرى.`,
    },
    rejected: {
      title: 'رُفض الاتصال',
      detail: (wallet) => `رفضت الطلب في ${wallet}. حاول مرة أخرى للسماح به.`,
    },
    pending: {
      title: 'افتح محفظتك',
      detail: (wallet) => `هناك طلب ينتظر بالفعل في ${wallet}. افتحه وأجب عن الطلب، ثم حاول مرة أخرى.`,
    },
    unknownChain: {
      title: 'الشبكة غير متاحة',
      detail: (wallet) => `لا توجد هذه الشبكة في ${wallet}. أضفها هناك ثم حاول مرة أخرى.`,
    },
    generic: {
      title: 'تعذّر الاتصال',
      detail: (wallet) => `حدث خطأ ما مع ${wallet}. تأكد من أنه غير مقفل ثم حاول مرة أخرى.`,
    },
  },
  gaveUp: {
    title: 'تعذّر الاتصال بالمحفظة',
    detail: 'جرّب محفظة أخرى أو طريقة أخرى لتسجيل الدخول.',
    retry: 'حاول مرة أخرى',
    cancel: 'إلغاء',
  },
  install: {
    title: (wallet) => `الحصول على ${wallet}`,
    none: 'لم يُعثر على محفظة',
    detail: 'ليست في هذا المتصفح بعد.',
    extension: 'ثبّت إضافة إحدى المحافظ.',
    extensionOf: (wallet) => `ثبّت إضافة ${wallet}.`,
    setUp: 'أنشئ محفظة أو أضف محفظة لديك.',
    phrase: 'احفظ عبارة الاسترداد حيث لا يجدها أحد غيرك.',
    reload: 'أعد تحميل هذه الصفحة.',
    button: (wallet) => `تثبيت ${wallet}`,
  },
  phone: {
    title: (wallet) => `المتابعة في ${wallet}`,
    detail: (wallet) => `يفتح ${wallet} هذه الصفحة في متصفحه الخاص، وتتابع هناك.`,
    go: 'متابعة',
    store: 'الانتقال إلى App Store',
  },
}
