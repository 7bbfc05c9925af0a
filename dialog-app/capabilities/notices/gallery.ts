import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { NoticeState } from './notice-screen.tsx'
import { noticeScreen } from './screens.ts'

const notice = (caption: string, change: Partial<NoticeState> = {}): Picture => ({
  caption: `Notice, ${caption}`,
  screen: pictured(noticeScreen, {
    kind: 'recovered',
    name: null,
    atMs: Date.UTC(2026, 3, 2, 9, 30),
    step: { at: 'asking' },
    ...change,
  }),
})
const wallet = { kind: 'account', name: 'The wallet 0x71C7656EC7ab88b098defB751B7401B5f6d8976F' } as const

export const pictures: Pictures = {
  screens: [
    notice('recovered'),
    notice('a new login method', wallet),
    notice('a new factor', { kind: 'factor', name: 'An authenticator app' }),
    notice('answering', { step: { at: 'answering', isMine: false } }),
    notice('failed', { step: { at: 'asking', hasFailed: true } }),
    notice('logged out', { step: { at: 'ended', outcome: 'logged_out' } }),
    notice('taken back', { ...wallet, step: { at: 'ended', outcome: 'taken_back' } }),
    notice('last way in', { ...wallet, step: { at: 'ended', outcome: 'last_way_in' } }),
    notice('in use', { ...wallet, step: { at: 'ended', outcome: 'address_of_another' } }),
  ],
}
