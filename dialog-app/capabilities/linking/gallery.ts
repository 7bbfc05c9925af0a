import { isCrossAppProvider, type LoginMethod } from '@latchkey/protocol'
import {
  type EntryPicture,
  type Picture,
  type Pictures,
  picturedView,
  withTexts,
} from '../../contract/picture.ts'
import { LinkScreen, UnlinkView, type UnlinkViewProps } from './linking-screens.tsx'
import { linkScreenOf, unlinkScreen, updateEmailScreen } from './screens.ts'

const id = 'mira@fieldnotes.example'
const unlink = (caption: string, change: Partial<UnlinkViewProps> = {}): Picture => ({
  caption,
  screen: picturedView(
    unlinkScreen,
    UnlinkView,
    (press): UnlinkViewProps => ({
      method: 'email',
      provider: undefined,
      name: id,
      isUnlinking: false,
      problem: undefined,
      onUnlink: press('unlink'),
      onKeep: press('keep'),
      ...change,
    }),
  ),
})

export const pictures: Pictures = {
  around(entries) {
    const link = (
      caption: string,
      method: LoginMethod,
      shown: readonly EntryPicture[],
      { replaced, isAgain = false }: { replaced?: string; isAgain?: boolean } = {},
    ): Picture => ({
      caption,
      screen(onEvent, language) {
        const screen = replaced === undefined ? linkScreenOf(method) : updateEmailScreen
        const entries = shown.map(({ entry }) => entry(onEvent, language))
        const props = {
          method,
          provider: isCrossAppProvider(method) ? 'Ledgerline' : undefined,
          replaced,
          isAgain,
          methods: { subscribe: () => () => {}, version: () => 0, entries: () => entries },
        }
        return withTexts(picturedView(screen, LinkScreen, () => props)(onEvent, language), entries)
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
    unlink('Unlink'),
    unlink('Unlinking', { isUnlinking: true }),
    unlink('Unlink, the last account', { problem: 'cannot_unlink_sole_account' }),
    unlink('Unlink, a second factor', {
      method: 'passkey',
      name: undefined,
      problem: 'missing_or_invalid_mfa',
    }),
  ],
}
