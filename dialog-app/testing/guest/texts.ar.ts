import type { GuestTexts } from './texts.en.ts'

export const arabic: GuestTexts = {
  entry: 'اطرق الباب',
  knock: { title: 'من هناك؟', word: 'الكلمة', send: 'قلها' },
  wait: { title: 'جارٍ فتح الباب', detail: 'أحدهم في الطريق.' },
  verify: { title: 'هل هذا أنت؟', detail: 'تطلب محفظتك عاملًا ثانيًا.', confirm: 'هذا أنا' },
}
