import { toUser, type UserRecord } from '@latchkey/protocol'
import { createElement } from 'react'
import { type AccountPicture, type Pictures, picturedView } from '../../contract/picture.ts'
import { signedInScreen } from './screens.ts'
import { SignedInView } from './signed-in-screen.tsx'

const times = { verifiedAt: 0, firstVerifiedAt: null, latestVerifiedAt: null }
const user: UserRecord = {
  id: 'user-1',
  createdAt: 0,
  linkedAccounts: [
    { type: 'email', address: 'mira@fieldnotes.example', ...times },
    {
      type: 'wallet',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      chainType: 'ethereum',
      ...times,
    },
  ],
  mfaMethods: [],
  hasAcceptedTerms: false,
}

const signedIn = (caption: string, isLoggingOut: boolean, rows: readonly AccountPicture[]) => ({
  caption: `Signed in, ${caption}`,
  screen: picturedView(signedInScreen, SignedInView, (press) => ({
    user: toUser(user),
    isLoggingOut,
    onLogOut: press('logOut'),
    children: rows.map((Row, key) => createElement(Row, { key, user, onOpen: press('open') })),
  })),
  standalone: true,
})

export const pictures: Pictures = {
  around: (_entries, rows) => [signedIn('standalone', false, rows)],
  screens: [signedIn('logging out', true, [])],
}
