import { typedDataEnglish } from '@latchkey/protocol/reading'
import { approvalEnglish } from '../../approval/texts.en.ts'
import { verificationProblemsEnglish } from '../../approval/verification-texts.en.ts'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  connecting: {
    title: 'Connecting your wallet',
    recovering: 'This is a new device for your wallet. It is being recovered.',
  },
  /** What the host may say in its own words. */
  request: {
    title: 'Sign message',
    description: 'Signing this message will not cost you any fees.',
    button: 'Sign and continue',
  },
  review: {
    signing: 'Signing',
    message: 'Message',
    wallet: 'Wallet',
    invisible: 'Characters that cannot be seen are shown as their code.',
    noText:
      'This is no text that can be read, so it cannot be said what it means. Sign only if you trust this app.',
  },
  info: {
    title: 'What is a signature?',
    detail:
      'It proves that what you read here comes from the owner of this wallet. Whoever has it can show it to others, so sign only what you would put your name to.',
  },
  approval: approvalEnglish,
  typedData: {
    ...typedDataEnglish,
    empty: 'empty',
    copy: 'Copy all of it',
    copied: 'Copied',
  },
  blocked: {
    title: 'This request was blocked',
    signIn: (domain: string) =>
      `This message logs you in at ${domain}, but another site asks for it. Signing it would let that site act as you there.`,
    chain: (asked: string, current: string) =>
      `It is for the network ${asked}, but your wallet is on the network ${current}.`,
    leave: 'Close',
  },
  success: 'Success',
  failed: { title: 'Unable to sign', retry: 'Try again' },
  problems: {
    unable: 'Unable to recover wallet',
    failed: 'An error has occurred, please try again.',
    expired: 'It was not confirmed in time. Please try again.',
    ...verificationProblemsEnglish,
  },
} as const
export type SignTexts = Widen<typeof english>
