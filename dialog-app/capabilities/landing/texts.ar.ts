import type { LandingTexts } from './texts.en.ts'

export const arabic: LandingTexts = {
  title: 'تسجيل الدخول أو إنشاء حساب',
  noMethod: 'لا يتيح هذا التطبيق طريقة لتسجيل الدخول هنا. يرجى إبلاغ القائمين عليه.',
}
