import type { Gate } from '../../core/gate.ts'
import { type Picture, type Pictures, pictured } from '../../core/picture.ts'
import type { ActionState, ShownAction } from './action/action-screen.tsx'
import type { PageState } from './page/page-screen.tsx'
import { actionScreen, confirmScreen, pageScreen } from './screens.ts'

const page = (caption: string, state: PageState): Picture => ({
  caption: `Confirmation page, ${caption}`,
  screen: pictured(pageScreen, state),
  standalone: true,
})
const asked = {
  appName: 'Fieldnotes',
  origin: 'https://fieldnotes.example',
  account: 'mira@fieldnotes.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
}
const shown = (action: ShownAction, state: Gate['state'] = 'armed'): ActionState => ({
  ...asked,
  action,
  status: 'review',
  approval: { by: 'press', gate: { state, sinceMs: 0, asks: false }, isOwnPage: true },
})
const action = (caption: string, state: ActionState): Picture => ({
  caption: `Confirmation page, ${caption}`,
  screen: pictured(actionScreen, state),
  standalone: true,
})

const href = '/apps/lkdemo0000000000000000001/confirm/handle'

export const pictures: Pictures = {
  screens: [
    {
      caption: 'Confirm on the page',
      screen: pictured(confirmScreen, { status: 'waiting', href, mayBeBlocked: false }),
    },
    {
      caption: 'Confirm on the page, perhaps blocked',
      screen: pictured(confirmScreen, { status: 'waiting', href, mayBeBlocked: true }),
    },
    { caption: 'Confirm, inside of an app', screen: pictured(confirmScreen, { status: 'in-app' }) },
    action('show the key', shown('export')),
    action('show the key, not yet', shown('export', 'arming')),
    action('show the key, confirming', { ...asked, action: 'export', status: 'deciding' }),
    action('delete the account', shown('delete-account')),
    action('delete an account without a wallet', {
      ...shown('delete-account'),
      account: null,
      address: null,
    }),
    action('remove an app', shown('remove-totp')),
    action('remove SMS', shown('remove-sms')),
    action('remove passkeys', shown('remove-passkey')),
    page('reading', { status: 'reading' }),
    page('confirmed', { status: 'approved' }),
    page('refused', { status: 'refused' }),
    page('unreachable', { status: 'unreachable' }),
    ...(['expired', 'decided', 'unknown', 'changed', 'unreadable'] as const).map((problem) =>
      page(problem, { status: 'problem', problem }),
    ),
  ],
}
