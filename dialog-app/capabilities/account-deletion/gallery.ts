import type { Gate } from '@latchkey/protocol/browser'
import type { ShownApproval } from '../../approval/confirmed.ts'
import { type Picture, type Pictures, picturedView, pictureHandlers } from '../../contract/picture.ts'
import { noWay } from '../../flow/screen.ts'
import { AccountDeletionView, type AccountDeletionViewProps } from './account-deletion-screen.tsx'
import { Row } from './account-entry.tsx'
import { accountDeletionScreen } from './screens.ts'

const press = (state: Gate['state'], asks = false): ShownApproval => ({
  by: 'press',
  gate: { state, sinceMs: 0, asks },
})

function picture(caption: string, change: Partial<AccountDeletionViewProps>): Picture {
  const isFinal = change.status === 'deleting' || change.status === 'deleted'
  return {
    caption: `Delete account, ${caption}`,
    screen: picturedView(
      accountDeletionScreen,
      AccountDeletionView,
      (onPress, send): AccountDeletionViewProps => ({
        email: 'mira@fieldnotes.example',
        hasWallet: true,
        status: 'review',
        problem: undefined,
        approval: press('armed'),
        handlers: pictureHandlers(onPress, send),
        onContinue: onPress('continue'),
        onKeep: onPress('keep'),
        onLeave: onPress('leave'),
        ...change,
      }),
      isFinal ? noWay : undefined,
    ),
    standalone: true,
    canGoBack: !isFinal,
  }
}

export const pictures: Pictures = {
  account: [Row],
  screens: [
    picture('what is lost', { status: 'reading' }),
    picture('without a wallet or an e-mail', { email: undefined, hasWallet: false, status: 'reading' }),
    picture('to be approved', {}),
    picture('covered', { approval: press('hidden') }),
    picture('to be pressed again', { approval: press('armed', true) }),
    picture('without a wallet', { hasWallet: false }),
    picture('not verified', { problem: 'canceled' }),
    picture('failed', { problem: 'other' }),
    picture('under way', { status: 'deleting' }),
    picture('on a page of its own', { approval: { by: 'page', reason: 'browser', way: { at: 'nowhere' } } }),
    picture('not confirmed', { status: 'stopped', problem: 'other' }),
    picture('done', { status: 'deleted' }),
  ],
}
