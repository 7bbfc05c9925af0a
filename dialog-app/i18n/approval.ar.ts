import type { approvalEnglish } from './approval.en.ts'
import type { Widen } from './catalogue.ts'

export const approvalArabic: Widen<typeof approvalEnglish> = {
  arming: 'يمكن الضغط على الزر بعد ظهور البطاقة كاملة للحظة.',
  armed: 'يمكن الضغط على الزر الآن.',
  again: 'اضغط مرة أخرى للتأكيد',
  covered: 'هناك ما يغطي هذه البطاقة، لذا لا يمكن الموافقة. أغلق ما فوقها.',
  unreadable: 'هذه البطاقة أصغر من أن تُقرأ، لذا لا يمكن الموافقة. وسّع النافذة أو اضبط تكبيرها على 100٪.',
  refuse: 'رفض',
  toPage: 'تابع للتأكيد',
  preparingPage: 'جارٍ التحضير',
  pageFor: {
    beyond_allowance: 'قيمة هذا الطلب أكبر مما يمكن الموافقة عليه هنا اليوم. تؤكده في صفحة مستقلة.',
    allowance_or_permit: 'يسمح هذا الطلب لغيرك بأن يأخذ ما تملكه. تؤكده في صفحة مستقلة.',
    not_understood: 'لا يمكن القول ما الذي يفعله هذا الطلب. تؤكده في صفحة مستقلة.',
    no_price: 'لا تُعرف قيمة هذا الطلب. تؤكده في صفحة مستقلة.',
    browser: 'تؤكد هذا الطلب في صفحة مستقلة لا يمكن أن يغطيها شيء.',
  },
}
