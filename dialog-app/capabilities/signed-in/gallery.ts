import type { User } from '@latchkey/protocol'
import { type Pictures, pictured } from '../../contract/picture.ts'
import { signedInScreen } from './screens.ts'

const user: User = {
  id: 'user-1',
  createdAt: 0,
  displayName: 'mira@fieldnotes.example',
  email: { address: 'mira@fieldnotes.example' },
  wallet: {
    type: 'wallet',
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    chainType: 'ethereum',
    verifiedAt: 0,
    firstVerifiedAt: null,
    latestVerifiedAt: null,
  },
  linkedAccounts: [],
  mfaMethods: [],
  hasAcceptedTerms: false,
}

export const pictures: Pictures = {
  around: (_entries, account) => [
    {
      caption: 'Signed in, standalone',
      screen: (onEvent) =>
        pictured(signedInScreen, {
          status: 'ready',
          user,
          entries: account.map(({ entry }) => entry(onEvent)),
        })(onEvent),
      standalone: true,
    },
  ],
  screens: [
    {
      caption: 'Signed in, logging out',
      screen: pictured(signedInScreen, { status: 'logging-out', user, entries: [] }),
      standalone: true,
    },
  ],
}
