import type { OAuthTexts } from './texts.en.ts'

export const arabic: OAuthTexts = {
  inApp: {
    title: 'تعذّر تسجيل الدخول باستخدام المزوّد',
    detail: (provider) =>
      `لا يسمح ${provider} بتسجيل الدخول داخل تطبيق آخر. افتح هذه الصفحة في متصفحك أو جرّب طريقة أخرى لتسجيل الدخول.`,
    back: 'العودة',
  },
}
