import type { Widen } from '../../../../i18n/catalogue.ts'

export const english = {
  openers: {
    moreOptions: 'More options',
    otherSocials: 'Other socials',
    aWallet: 'Continue with a wallet',
    otherWallets: 'Other wallets',
  },
  titles: {
    more: 'More options',
    'web2-overflow': 'Other socials',
    'web3-overflow': 'Choose a wallet',
  },
  lastUsed: 'Last used',
} as const
export type OptionsTexts = Widen<typeof english>
