import { approvalEnglish } from '../../approval/texts.en.ts'
import { verificationProblemsEnglish } from '../../approval/verification-texts.en.ts'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  entry: 'Delete account',
  keep: 'Keep my account',
  reading: {
    title: 'Delete your account?',
    detail: 'You are logged out everywhere, and what you log in with is no longer connected to this account.',
    wallet: 'Your wallet is lost for ever, with what is in it. Nobody can recover it, and neither can we.',
    first: 'Move what is in it, or save its key, before you go on.',
    word: 'DELETE',
    label: (wanted: string) => `Type ${wanted} to go on`,
    wrong: 'This is something else.',
    go: 'Go on',
  },
  review: {
    title: 'Delete it for ever?',
    detail: 'This can not be undone.',
    wallet: 'This can not be undone. Your wallet can not be recovered by anyone.',
    go: 'Delete my account',
    deleting: 'Deleting',
    again: 'Try again',
  },
  deleted: {
    title: 'Your account is deleted',
    detail: 'You can sign up anew whenever you want, with another wallet.',
    done: 'Done',
  },
  problems: {
    ...verificationProblemsEnglish,
    other: 'Your account could not be deleted. Please try again.',
  },
  approve: approvalEnglish,
} as const
export type AccountDeletionTexts = Widen<typeof english>
