import { invalidVerificationCode } from '@latchkey/protocol'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  code: {
    title: 'Enter confirmation code',
    sentTo: 'Sent to',
    validity: 'It is valid for 10 minutes.',
    group: 'Six-digit code',
    digit: (position: number) => `Digit ${position} of 6`,
    notNumeric: 'Code should be numeric',
    noCode: { mail: 'Didn’t get an e-mail?', message: 'Didn’t get a message?' },
    resend: 'Resend code',
    resending: 'Sending a new code',
    sent: 'Code sent',
    /** Beside `sent`, while it cannot be sent again. */
    againIn: (seconds: number) => `Again in ${seconds} s`,
    checking: 'Checking the code',
    accepted: 'Code accepted',
  },
  /** What was wrong with a code, where it is ours to say. */
  problems: { invalid: invalidVerificationCode, other: 'Issue verifying code' },
  serverSaid: (sentence: string) => sentence,
  /** Beside `problems.other`, where a code was guessed too often. */
  tooManyGuesses: (minutes: number) =>
    `Too many wrong codes. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, then ask for a new one.`,
  leave: {
    title: 'Stop entering the code?',
    detail: 'You would have to ask for a new code.',
    stay: 'Keep going',
    leave: 'Leave',
  },
} as const
export type CodeTexts = Widen<typeof english>
