import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { noWay, onlyClose } from '../../flow/screen.ts'
import { type NoticeProps, NoticeScreen, type Step } from './notice-screen.tsx'
import { noticeScreen } from './screens.ts'

const notice = (
  caption: string,
  change: Partial<NoticeProps['notice']> = {},
  step: Step = { at: 'asking', hasFailed: false },
): Picture => ({
  caption: `Notice, ${caption}`,
  screen: picturedView(
    noticeScreen,
    NoticeScreen,
    (press): NoticeProps => ({
      notice: { kind: 'recovered', name: null, at: Date.UTC(2026, 3, 2, 9, 30) / 1_000, ...change },
      step,
      screen: { resolve: press('answer'), reject: press('reject'), leave: press('close') },
    }),
    step.at === 'answering' ? noWay : onlyClose,
  ),
})
const wallet = { kind: 'account', name: 'The wallet 0x71C7656EC7ab88b098defB751B7401B5f6d8976F' } as const

export const pictures: Pictures = {
  screens: [
    notice('recovered'),
    notice('a new login method', wallet),
    notice('a new factor', { kind: 'factor', name: 'An authenticator app' }),
    notice('answering', {}, { at: 'answering', isMine: false }),
    notice('failed', {}, { at: 'asking', hasFailed: true }),
    notice('logged out', {}, { at: 'ended', outcome: 'logged_out' }),
    notice('taken back', wallet, { at: 'ended', outcome: 'taken_back' }),
    notice('last way in', wallet, { at: 'ended', outcome: 'last_way_in' }),
    notice('in use', wallet, { at: 'ended', outcome: 'address_of_another' }),
  ],
}
