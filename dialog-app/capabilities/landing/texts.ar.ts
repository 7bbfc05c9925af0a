import type { LandingTexts } from './texts.en.ts'

export const arabic: LandingTexts = { title: 'تسجيل الدخول أو إنشاء حساب' }
