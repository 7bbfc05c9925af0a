import type { SignedInTexts } from './texts.en.ts'

export const arabic: SignedInTexts = {
  title: 'أنت مسجّل الدخول',
  detail: (account) => `باسم ${account}`,
  wallet: 'المحفظة',
  logOut: 'تسجيل الخروج',
  loggingOut: 'جارٍ تسجيل الخروج',
}
