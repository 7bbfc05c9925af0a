/** The mail about an account that is gone. It is the last one to this address. */
import type { Notice } from '../../integrations/mail/mail.ts'

export const deletionNotice: Notice = {
  en: {
    happened: ['Your ', ' account was deleted'],
    meaning: 'Its wallet can not be recovered, not even by us. With this address you can sign up anew.',
    ifNotYou: (name) => `If this was not you, somebody else used your account: write to ${name}.`,
  },
  ar: {
    happened: ['تم حذف حسابك في ', ''],
    meaning: 'لا أحد يستطيع استعادة محفظة هذا الحساب، ولا نحن. يمكنك التسجيل من جديد بهذا العنوان.',
    ifNotYou: (name) => `إذا لم تكن أنت من فعل ذلك، فقد استخدم شخص آخر حسابك: راسل ${name}.`,
  },
}
