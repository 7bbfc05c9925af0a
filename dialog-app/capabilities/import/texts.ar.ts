import { product } from '@latchkey/protocol'
import type { ImportTexts } from './texts.en.ts'

export const arabic: ImportTexts = {
  title: 'استيراد محفظة',
  detail: 'استخدم محفظة لديك من قبل. يُقسم مفتاحها الخاص في متصفحك ويُحفظ أجزاءً.',
  warning: 'لا تعطِ مفتاحك الخاص إلا هنا. من يحصل عليه يستطيع أخذ كل ما في محفظتك.',
  page: 'المفتاح الخاص',
  opening: 'جارٍ فتح مكان لمفتاحك',
  cancel: 'إلغاء',
  done: { title: 'تم استيراد المحفظة', detail: 'يمكنك استخدامها هنا الآن.' },
  failed: { detail: 'تعذّر استيراد محفظتك. يرجى المحاولة مرة أخرى.', retry: 'حاول مرة أخرى' },
  taken: { detail: 'هذا الحساب مرتبط بالفعل بمستخدم آخر.', retry: 'استخدم مفتاحاً آخر' },
  onlyOne: `لا يُسمح حالياً إلا بمحفظة ${product.name} واحدة لكل مستخدم`,
}
