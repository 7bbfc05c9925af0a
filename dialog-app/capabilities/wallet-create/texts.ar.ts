import type { WalletCreateTexts } from './texts.en.ts'

export const arabic: WalletCreateTexts = {
  creating: {
    title: 'جارٍ إنشاء محفظتك',
    detail: 'يُنشأ مفتاحها في متصفحك ويُحفظ في أجزاء. يستغرق ذلك بضع ثوانٍ.',
    failedTitle: 'تعذّر إنشاء المحفظة',
    retry: 'حاول مرة أخرى',
  },
  created: {
    welcome: 'مرحبًا',
    allSet: 'كل شيء جاهز!',
    detail: 'حسابك ومحفظتك جاهزان.',
    keptOtherwise: 'أُنشئت محفظتك من قبل، وهي مؤمَّنة كما اخترت حينها. لم يُعيَّن ما اخترته الآن.',
  },
  problems: {
    noToken: 'حدث خطأ، يرجى تسجيل الدخول مرة أخرى.',
    timedOut: 'استغرق إنشاء المحفظة وقتًا أطول من اللازم.',
    noResponse: 'لم تستجب المحفظة.',
    refreshFailed: 'تعذّر تحديث بيانات المستخدم.',
    walletMissing: 'لا تظهر المحفظة في بيانات المستخدم بعد تحديثها.',
    failed: 'تعذّر إنشاء المحفظة',
    onlyOne: 'يُسمح حاليًا بمحفظة واحدة فقط لكل مستخدم',
  },
}
