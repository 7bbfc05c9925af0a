import type { ShownApproval } from '../../approval/confirmed.ts'
import type { Gate } from '../../approval/gate.ts'
import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { AccountDeletionState } from './account-deletion-screen.tsx'
import { Row } from './account-entry.tsx'
import { accountDeletionScreen } from './screens.ts'

const press = (state: Gate['state'], asks = false): ShownApproval => ({
  by: 'press',
  gate: { state, sinceMs: 0, asks },
})
const user = { email: 'mira@fieldnotes.example', hasWallet: true }
const picture = (caption: string, state: AccountDeletionState): Picture => ({
  caption: `Delete account, ${caption}`,
  screen: pictured(accountDeletionScreen, state),
  standalone: true,
  canGoBack: state.status !== 'deleting' && state.status !== 'deleted',
})
const review = (caption: string, over: Partial<Extract<AccountDeletionState, { status: 'review' }>>) =>
  picture(caption, { ...user, status: 'review', approval: press('armed'), problem: undefined, ...over })

export const pictures: Pictures = {
  account: [Row],
  screens: [
    picture('what is lost', { ...user, status: 'reading' }),
    picture('without a wallet or an e-mail', { email: undefined, hasWallet: false, status: 'reading' }),
    review('to be approved', {}),
    review('covered', { approval: press('hidden') }),
    review('to be pressed again', { approval: press('armed', true) }),
    review('without a wallet', { hasWallet: false }),
    review('not verified', { problem: 'canceled' }),
    review('failed', { problem: 'other' }),
    picture('under way', { ...user, status: 'deleting' }),
    review('on a page of its own', { approval: { by: 'page', reason: 'browser', way: { at: 'nowhere' } } }),
    picture('not confirmed', { ...user, status: 'stopped', problem: 'other' }),
    picture('done', { ...user, status: 'deleted' }),
  ],
}
