/** The mail about a verification method that came or went: what happened, and what to do if it was somebody else. */
import type { MfaMethodType } from '@latchkey/protocol'
import type { Notice } from '../mail/mail.ts'
import type { Changed } from './enrolment.ts'

const names = {
  totp: 'An authenticator app',
  sms: 'Verification by SMS',
  passkey: 'Verification with a passkey',
} as const satisfies Record<MfaMethodType, string>

const changes = {
  added: { verb: 'added', where: 'to', meaning: 'From now on it is asked for when your wallet is used.' },
  removed: { verb: 'removed', where: 'from', meaning: 'It is no longer asked for when your wallet is used.' },
  replaced: {
    verb: 'changed',
    where: 'on',
    meaning: 'The passkeys that are asked for when your wallet is used are others now.',
  },
} as const

export function changeNotice(method: MfaMethodType, change: Changed['change']): Notice {
  const { verb, where, meaning } = changes[change]
  return {
    happened: [`${names[method]} was ${verb} ${where} your `, ' account'],
    meaning,
    ifNotYou: (name) =>
      `If this was not you, somebody else is using your account: log out everywhere, check your verification methods, and write to ${name}.`,
  }
}
