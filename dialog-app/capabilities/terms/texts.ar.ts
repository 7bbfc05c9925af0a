import type { TermsTexts } from './texts.en.ts'

export const arabic: TermsTexts = {
  consent: {
    title: 'خطوة أخيرة',
    detail: 'بالتسجيل، فإنك توافق على شروطنا وسياسة الخصوصية.',
    terms: 'عرض الشروط',
    privacy: 'عرض سياسة الخصوصية',
    decline: 'لا، شكرًا',
    accept: 'موافقة',
    accepting: 'جارٍ تسجيل الموافقة',
  },
  leave: {
    title: 'هل تريد المغادرة دون الموافقة؟',
    detail: 'سيتم تسجيل خروجك.',
    stay: 'البقاء',
    leave: 'مغادرة',
  },
}
