import { arabic as landing } from '../../texts.ar.ts'
import type { LogInAgainTexts } from './texts.en.ts'

export const arabic: LogInAgainTexts = {
  ...landing,
  title: 'سجّل الدخول مرة أخرى لاستخدام محفظتك هنا',
  lead: 'لم يعد هذا المتصفح يحتفظ بما يربط جلستك بمحفظتك. لم يُفقد شيء.',
  otherwise: {
    title: 'سجّل الدخول بطريقة أخرى',
    lead: 'بطريقة كانت لديك من قبل. عندها تصل محفظتك إلى هذا الجهاز.',
  },
}
