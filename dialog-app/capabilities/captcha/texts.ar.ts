import type { CaptchaTexts } from './texts.en.ts'

export const arabic: CaptchaTexts = {
  waiting: { title: 'جارٍ التحقق من أنك إنسان', detail: 'يستغرق ذلك بضع ثوانٍ.' },
  success: { title: 'تم بنجاح', detail: 'تم التحقق من أنك إنسان، وسنتابع الآن.' },
  error: {
    title: 'حدث خطأ ما',
    failed: 'لم تجتز اختبار التحقق من أنك إنسان. يرجى المحاولة مرة أخرى.',
    usedUp: 'إذا كنت تستخدم مانع إعلانات أو شبكة VPN، فعطّلها ثم أعد المحاولة.',
    again: 'حاول مرة أخرى',
    back: 'رجوع',
  },
}
