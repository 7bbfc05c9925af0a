import type { OwnSession } from '@latchkey/protocol/api'
import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { Row } from './account-entry.tsx'
import { OwnSessionsView, type OwnSessionsViewProps } from './own-sessions-screen.tsx'
import { ownSessionsScreen } from './screens.ts'

const session = (id: string, change: Partial<OwnSession> = {}): OwnSession => ({
  id,
  browser: 'Safari',
  system: 'iPhone',
  createdAt: Date.UTC(2026, 3, 2, 9, 30) / 1_000,
  lastUsedAt: Date.UTC(2026, 4, 11, 18) / 1_000,
  isCurrent: false,
  opensWallets: true,
  ...change,
})
const current = session('current', { browser: 'Firefox', system: 'Linux', isCurrent: true })
const phone = session('phone')
const sessions = [
  current,
  phone,
  session('tablet', { browser: 'Samsung Internet', system: 'Android', opensWallets: false }),
  session('old', { browser: null, system: null }),
]

const ownSessions = (caption: string, change: Partial<OwnSessionsViewProps> = {}): Picture => ({
  caption: `Own sessions, ${caption}`,
  screen: picturedView(
    ownSessionsScreen,
    OwnSessionsView,
    (press): OwnSessionsViewProps => ({
      status: 'success',
      sessions,
      end: { status: 'idle', sessions: undefined },
      onRetry: press('retry'),
      onEnd: press('end'),
      ...change,
    }),
  ),
  standalone: true,
  canGoBack: true,
})

export const pictures: Pictures = {
  screens: [
    ownSessions('read'),
    ownSessions('only this one', { sessions: [current] }),
    ownSessions('ending one', { end: { status: 'pending', sessions: phone } }),
    ownSessions('one ended', { sessions: [current], end: { status: 'success', sessions: phone } }),
    ownSessions('ending the others', { end: { status: 'pending', sessions: 'others' } }),
    ownSessions('the others ended', {
      sessions: [current],
      end: { status: 'success', sessions: 'others' },
    }),
    ownSessions('end failed', { end: { status: 'error', sessions: phone } }),
    ownSessions('reading', { status: 'pending', sessions: [] }),
    ownSessions('failed', { status: 'error', sessions: [] }),
  ],
  account: [Row],
}
