import { approvalArabic } from '../../approval/texts.ar.ts'
import { verificationProblemsArabic } from '../../approval/verification-texts.ar.ts'
import type { AccountDeletionTexts } from './texts.en.ts'

export const arabic: AccountDeletionTexts = {
  entry: 'حذف الحساب',
  keep: 'الاحتفاظ بحسابي',
  reading: {
    title: 'هل تريد حذف حسابك؟',
    detail: 'سيتم تسجيل خروجك من كل مكان، ولن تبقى طرق دخولك مرتبطة بهذا الحساب.',
    wallet: 'ستفقد محفظتك وما فيها إلى الأبد. لا أحد يستطيع استعادتها، ولا نحن.',
    first: 'انقل ما فيها أو احفظ مفتاحها قبل المتابعة.',
    word: 'حذف',
    label: (wanted) => `اكتب ${wanted} للمتابعة`,
    wrong: 'هذا شيء آخر.',
    go: 'متابعة',
  },
  review: {
    title: 'حذفه إلى الأبد؟',
    detail: 'لا يمكن التراجع عن ذلك.',
    wallet: 'لا يمكن التراجع عن ذلك. لا أحد يستطيع استعادة محفظتك.',
    go: 'حذف حسابي',
    deleting: 'جارٍ الحذف',
    again: 'حاول مرة أخرى',
  },
  deleted: {
    title: 'تم حذف حسابك',
    detail: 'يمكنك التسجيل من جديد متى شئت، بمحفظة أخرى.',
    done: 'تم',
  },
  problems: {
    ...verificationProblemsArabic,
    other: 'تعذّر حذف حسابك. حاول مرة أخرى.',
  },
  approve: approvalArabic,
}
