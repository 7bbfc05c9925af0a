import type { ActivityEntry } from '@latchkey/protocol/api'
import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { Row } from './account-entry.tsx'
import { ActivityView, type ActivityViewProps } from './activity-screen.tsx'
import { activityScreen } from './screens.ts'

const entry = (kind: ActivityEntry['kind'], change: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: `${kind}-${change.value}`,
  kind,
  at: Date.UTC(2026, 3, 2, 9, 30) / 1_000,
  ...change,
})
const to = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const quarterEther = '250000000000000000'

const activity = (caption: string, change: Partial<ActivityViewProps>): Picture => ({
  caption: `Activity, ${caption}`,
  screen: picturedView(
    activityScreen,
    ActivityView,
    (press): ActivityViewProps => ({
      status: 'success',
      entries: [entry('message')],
      hasMore: false,
      isLoadingMore: false,
      hasMoreFailed: false,
      app: { chains: [] },
      onRetry: press('retry'),
      onMore: press('more'),
      ...change,
    }),
  ),
  standalone: true,
  canGoBack: true,
})

export const pictures: Pictures = {
  screens: [
    activity('read', {
      entries: [
        entry('transaction', { to, chainId: '1', value: quarterEther }),
        entry('transaction', { to, chainId: '8453', value: '1000', place: 'silent' }),
        entry('typed_data', { chainId: '1' }),
        entry('message'),
        entry('recovered'),
        entry('created'),
        entry('imported'),
        entry('recovery_set'),
        entry('exported'),
        entry('farcaster_message'),
        entry('app_connected', { app: 'Harbor' }),
        entry('app_request', { app: 'Harbor' }),
        entry('app_ended', { app: 'Harbor' }),
      ],
    }),
    activity('more', { hasMore: true }),
    activity('reading more', { hasMore: true, isLoadingMore: true }),
    activity('more failed', { hasMore: true, hasMoreFailed: true }),
    activity('none', { entries: [] }),
    activity('reading', { status: 'pending' }),
    activity('failed', { status: 'error' }),
  ],
  account: [Row],
}
