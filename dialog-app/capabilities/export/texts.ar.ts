import { approvalArabic } from '../../i18n/approval.ar.ts'
import { verificationProblemsArabic } from '../../i18n/verification.ar.ts'
import type { ExportTexts } from './texts.en.ts'

export const arabic: ExportTexts = {
  title: 'نقل المحفظة',
  detail: 'يتيح لك مفتاحك استخدام هذه المحفظة في تطبيق آخر. ستراه في الخطوة التالية.',
  warning: 'لا تشارك مفتاحك الخاص أو عبارتك السرية مع أي شخص. من يحصل عليهما يستطيع أخذ كل ما في محفظتك.',
  connecting: 'جارٍ الاتصال بمحفظتك',
  wallet: 'المحفظة',
  approve: 'أظهر مفتاحي',
  opening: 'جارٍ الفتح',
  page: 'مفتاحك',
  done: 'تم',
  retry: 'حاول مرة أخرى',
  words: approvalArabic,
  problems: {
    failed: 'تعذّر إظهار مفتاحك. يرجى المحاولة مرة أخرى.',
    ...verificationProblemsArabic,
  },
}
