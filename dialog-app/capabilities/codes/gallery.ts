import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { everyWay, onlyClose } from '../../flow/screen.ts'
import { CodeView } from './code-screen.tsx'
import type { CodeState } from './otp.ts'
import { codeScreen } from './screens.ts'
import { texts } from './texts.arb'

const open: CodeState = {
  status: 'awaiting-code-input',
  address: 'mira@fieldnotes.example',
  sentBy: 'mail',
  problem: undefined,
  attempt: 1,
  resend: 'available',
  unlocksAtMs: undefined,
  waitMinutes: undefined,
  offline: false,
}
const inState = (code: CodeState) =>
  picturedView(
    codeScreen,
    CodeView,
    (press, send) => ({
      code,
      edit: press('edit'),
      submit: send('submit'),
      resend: press('resend'),
      cancel: press('cancel'),
    }),
    code.status === 'submitting-code' || code.status === 'done' ? onlyClose : everyWay,
    (language) => ({ leaveWords: code.status === 'done' ? undefined : texts.in(language).leave }),
  )
const code = (caption: string, state: Partial<CodeState>, typed?: string): Picture => ({
  caption,
  screen: inState({ ...open, ...state }),
  canGoBack: true,
  ...(typed !== undefined && { typed: { text: typed, into: inState(open) } }),
})
const problem = 'invalid'

export const pictures: Pictures = {
  screens: [
    code('Code', {}),
    code('Code, half typed', {}, '482'),
    code('Code, not a number', {}, '4x'),
    code('Code, checking', { status: 'submitting-code' }, '482913'),
    code('Code, wrong', { status: 'error', problem }, '482913'),
    code('Code, after a wrong one', { attempt: 2, problem }),
    code('Code, sending anew', { status: 'sending-code', resend: 'sending' }),
    code('Code, sent anew', { resend: 'locked', unlocksAtMs: Date.now() + 27_000 }),
    code('Code, wrong after a new one', {
      attempt: 2,
      problem,
      resend: 'locked',
      unlocksAtMs: Date.now() + 9_000,
    }),
    code('Code, guessed too often', { attempt: 6, problem: 'other', waitMinutes: 10 }),
    code('Code, offline', { status: 'submitting-code', offline: true }, '482913'),
    code('Code, refused by the server', {
      attempt: 2,
      problem: { sentence: 'User already has an account of type email.' },
    }),
    code('Code, by message', { address: '+1 2025550123', sentBy: 'message' }),
    code('Code, accepted', { status: 'done' }, '482913'),
  ],
}
