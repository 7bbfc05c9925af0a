import { isCrossAppProvider, type LoginMethod } from '@latchkey/protocol'
import {
  type EntryPicture,
  type Picture,
  type Pictures,
  pictured,
  picturedView,
  withTexts,
} from '../../contract/picture.ts'
import { LinkScreen } from './linking-screens.tsx'
import { linkScreenOf, unlinkScreen, updateEmailScreen } from './screens.ts'

const id = 'mira@fieldnotes.example'
const unlink = {
  method: 'email',
  provider: undefined,
  name: id,
  isUnlinking: false,
  problem: undefined,
} as const

export const pictures: Pictures = {
  around(entries) {
    const link = (
      caption: string,
      method: LoginMethod,
      shown: readonly EntryPicture[],
      { replaced, isAgain = false }: { replaced?: string; isAgain?: boolean } = {},
    ): Picture => ({
      caption,
      screen(onEvent) {
        const screen = replaced === undefined ? linkScreenOf(method) : updateEmailScreen
        const entries = shown.map(({ entry }) => entry(onEvent))
        const props = {
          method,
          provider: isCrossAppProvider(method) ? 'Ledgerline' : undefined,
          replaced,
          isAgain,
          methods: { subscribe: () => () => {}, version: () => 0, entries: () => entries },
        }
        return withTexts(picturedView(screen, LinkScreen, () => props)(onEvent), entries)
      },
    })
    const that = (wanted?: string) => entries.filter(({ caption }) => caption === wanted)
    return [
      link('Link an e-mail address', 'email', that()),
      link('Link a number', 'sms', that('phone')),
      link(
        'Link a wallet',
        'wallet',
        entries.filter(({ caption }) => caption?.endsWith('a wallet')),
      ),
      link('Link another account', 'twitter', that('X, alone')),
      link('Connect an account again', 'twitter', that('X, alone'), { isAgain: true }),
      link('Change the e-mail address', 'email', that(), { replaced: id }),
    ]
  },
  screens: [
    { caption: 'Unlink', screen: pictured(unlinkScreen, unlink) },
    { caption: 'Unlinking', screen: pictured(unlinkScreen, { ...unlink, isUnlinking: true }) },
    {
      caption: 'Unlink, the last account',
      screen: pictured(unlinkScreen, { ...unlink, problem: 'cannot_unlink_sole_account' }),
    },
    {
      caption: 'Unlink, a second factor',
      screen: pictured(unlinkScreen, {
        ...unlink,
        method: 'passkey',
        name: undefined,
        problem: 'missing_or_invalid_mfa',
      }),
    },
  ],
}
