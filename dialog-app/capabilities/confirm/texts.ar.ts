import type { ConfirmTexts } from './texts.en.ts'

export const arabic: ConfirmTexts = {
  title: 'افتح هذه الصفحة في متصفحك',
  detail: 'يجب تأكيد هذا الطلب في صفحة مستقلة لا يستطيع هذا التطبيق فتحها.',
  leave: 'إغلاق',
}
