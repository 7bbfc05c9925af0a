import { type Picture, type Pictures, pictured, picturedPart } from '../../contract/picture.ts'
import type { ActivityRow, ActivityState } from './activity-screen.tsx'
import { accountEntry, activityScreen } from './screens.ts'

const row = (kind: ActivityRow['kind'], change: Partial<ActivityRow> = {}): ActivityRow => ({
  id: `${kind}-${change.amount}`,
  kind,
  atMs: Date.UTC(2026, 3, 2, 9, 30),
  isSilent: false,
  app: undefined,
  to: undefined,
  network: undefined,
  amount: undefined,
  ...change,
})
const to = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const activity = (caption: string, state: ActivityState): Picture => ({
  caption: `Activity, ${caption}`,
  screen: pictured(activityScreen, state),
  standalone: true,
  canGoBack: true,
})

export const pictures: Pictures = {
  screens: [
    activity('read', {
      status: 'read',
      rows: [
        row('transaction', { to, network: 'Ethereum', amount: '0.25 ETH' }),
        row('transaction', { to, network: 'Base', amount: '<0.001 ETH', isSilent: true }),
        row('typed_data', { network: 'Ethereum' }),
        row('message'),
        row('recovered'),
        row('created'),
        row('imported'),
        row('recovery_set'),
        row('exported'),
        row('farcaster_message'),
        row('app_connected', { app: 'Harbor' }),
        row('app_request', { app: 'Harbor' }),
        row('app_ended', { app: 'Harbor' }),
      ],
      older: 'none',
    }),
    activity('more', { status: 'read', rows: [row('message')], older: 'there' }),
    activity('reading more', { status: 'read', rows: [row('message')], older: 'reading' }),
    activity('more failed', { status: 'read', rows: [row('message')], older: 'failed' }),
    activity('none', { status: 'read', rows: [], older: 'none' }),
    activity('reading', { status: 'reading' }),
    activity('failed', { status: 'failed' }),
  ],
  account: [{ entry: picturedPart(accountEntry, {}) }],
}
