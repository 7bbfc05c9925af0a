import type { ShellTexts } from './shell.en.ts'

export const shellArabic: ShellTexts = {
  back: 'رجوع',
  close: 'إغلاق',
  protectedBy: (product) => `محمي بواسطة ${product}`,
  legal: { before: 'بتسجيل الدخول أوافق على ', terms: 'الشروط', between: ' و', privacy: 'سياسة الخصوصية' },
  opensInNewTab: '(يُفتح في علامة تبويب جديدة)',
  offline: { waits: 'أنت غير متصل بالإنترنت. سيتم الإرسال عند عودة الاتصال.', cancel: 'إلغاء' },
  address: { copy: 'نسخ', copied: 'تم النسخ' },
}
