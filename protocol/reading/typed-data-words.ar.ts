import type { TypedDataWords } from './typed-data-words.ts'

const list = new Intl.ListFormat('ar', { type: 'conjunction' })
const date = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const times = (count: string) => (count === '1' ? '' : `${count} × `)
/** Figures as in amounts and addresses. */
const language = 'ar-u-nu-latn'

const formatted = (more: Intl.DateTimeFormatOptions, atMs: number) =>
  new Intl.DateTimeFormat(language, { ...date, ...more }).format(atMs)

export const typedDataArabic: TypedDataWords = {
  permit: (spender, what) => `يسمح هذا لـ ${spender} بأن يسحب من محفظتك ${what} دون أن يسألك مرة أخرى.`,
  takenBack: (spender, token) => `يلغي هذا ما سُمح لـ ${spender} بسحبه من ${token}.`,
  transfer: (to, what) => `ينقل هذا ${what} إلى ${to}، متى شاء من يملكه.`,
  owner: (owner) => `هذه الرموز ملك ${owner}، لا ملك هذه المحفظة.`,
  upTo: (amount) => `حتى ${amount}`,
  unlimited: (token) => `رموزًا بلا أي حد من ${token}`,
  everything: (token) => `كل ما تملكه من ${token}`,
  smallest: (amount, token) => `${amount} من أصغر الوحدات من ${token}`,
  token: (address) => (address === undefined ? 'رمز لم يذكره' : `الرمز ${address}`),
  coin: 'عملة الشبكة',
  nft: (count, id, collection) => `${times(count)}الرقم ${id} من المجموعة ${collection}`,
  anyNft: (count, collection) => `أي ${count} من المجموعة ${collection}`,
  and: (items) => list.format(items),
  until: (said, when) => `${said} حتى ${when}`,
  sell: (gives, gets) => `بيع ${gives} مقابل ${gets} على الأقل`,
  buy: (gets, gives) => `شراء ${gets} مقابل ${gives} على الأكثر`,
  giveAway: (gives) => `إعطاء ${gives} دون مقابل`,
  order: (said, market) => `${said}، على ${market}.`,
  elsewhere: (what, to) => `ليس إلى هذه المحفظة، بل إلى ${to}: ${what}.`,
  maker: (maker) => `هذا أمر المحفظة ${maker}، لا أمر هذه المحفظة.`,
  noContract: 'لا يذكر الطلب أي عقد يحق له استخدامه، لذا قد يسري حيث لا تتوقع.',
  noChain: 'لا يذكر الطلب أي شبكة، لذا قد يسري على عدة شبكات.',
  titles: {
    permit: (what) => `السماح بسحب ${what}`,
    permits: 'السماح بسحب رموز',
    takenBack: 'إلغاء السماح بالسحب',
    transfer: (what) => `إرسال ${what}`,
    transfers: 'إرسال رموز',
    order: 'توقيع أمر',
    orders: (count) => `توقيع ${count} من الأوامر`,
  },
  moment: (atMs) => formatted({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }, atMs),
  day: (atMs) => formatted({}, atMs),
}
