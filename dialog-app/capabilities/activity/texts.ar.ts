import type { ActivityTexts } from './texts.en.ts'

export const arabic: ActivityTexts = {
  account: 'نشاط المحفظة',
  title: 'نشاط المحفظة',
  detail: 'ما وقّعته محفظتك وما جرى بها، الأحدث أولًا.',
  none: 'لم توقّع محفظتك أي شيء بعد.',
  reading: 'جارٍ قراءة ما سجّله الخادم.',
  failed: { title: 'تعذّرت قراءة النشاط', detail: 'لم يرد الخادم.', retry: 'حاول مرة أخرى' },
  more: 'عرض المزيد',
  moreFailed: 'لم يرد الخادم. حاول مرة أخرى.',
  kinds: {
    message: 'توقيع رسالة',
    typed_data: 'توقيع بيانات منظمة',
    transaction: 'توقيع معاملة',
    created: 'إنشاء المحفظة',
    imported: 'استيراد المحفظة',
    recovered: 'استرداد المحفظة على جهاز',
    recovery_set: 'تغيير طريقة الاسترداد',
    exported: 'تصدير المفتاح',
    farcaster_message: 'توقيع رسالة Farcaster',
    app_connected: 'توصيل المحفظة بتطبيق',
    app_ended: 'إلغاء اتصال تطبيق',
    app_request: 'طلب من تطبيق متصل',
  },
  silent: 'دون سؤالك',
  to: 'إلى',
}
