import type { ConfirmTexts } from './texts.en.ts'

export const arabic: ConfirmTexts = {
  waiting: {
    title: 'أكّد في الصفحة التي فُتحت',
    detail: 'تتابع هذه البطاقة وحدها فور قرارك هناك.',
    blocked: 'إذا لم ترَ تلك الصفحة فقد يكون متصفحك قد منعها. افتحها من هنا.',
    again: 'افتحها مرة أخرى',
    cancel: 'إلغاء',
  },
  inApp: {
    title: 'افتح هذه الصفحة في متصفحك',
    detail: 'يجب تأكيد هذا الطلب في صفحة مستقلة لا يستطيع هذا التطبيق فتحها.',
    leave: 'إغلاق',
  },
}
