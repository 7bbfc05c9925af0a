import type { Widen } from '../i18n/catalogue.ts'
import type { verificationProblemsEnglish } from './verification-texts.en.ts'

export const verificationProblemsArabic: Widen<typeof verificationProblemsEnglish> = {
  maxAttempts: 'لقد تجاوزت الحد الأقصى لعدد المحاولات. يرجى إغلاق هذه النافذة والمحاولة مجددًا بعد 10 ثوانٍ.',
  timeLimit: 'لقد تجاوزت المهلة المحددة لإدخال الرمز. يرجى المحاولة مجددًا بعد 30 ثانية.',
  canceled: 'أُلغي التحقق',
}
