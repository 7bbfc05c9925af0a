import type { OptionsTexts } from './texts.en.ts'

export const arabic: OptionsTexts = {
  openers: {
    moreOptions: 'خيارات أخرى',
    otherSocials: 'حسابات اجتماعية أخرى',
    aWallet: 'المتابعة بمحفظة',
    otherWallets: 'محافظ أخرى',
  },
  titles: {
    more: 'خيارات أخرى',
    'web2-overflow': 'حسابات اجتماعية أخرى',
    'web3-overflow': 'اختر محفظة',
  },
  lastUsed: 'آخر ما استُخدم',
}
