/** Display names of login methods and second factors in notices. */
import { findLoginMethodByAccount, type MfaMethodType } from '@latchkey/protocol'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import * as v from 'valibot'
import type { Language } from '../../kernel/languages.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)

/**
 * The identifying fields of an account. Names that third parties choose are excluded, because they may contain
 * anything.
 */
const identifyingFields = v.object({
  address: v.exactOptional(v.string()),
  phoneNumber: v.exactOptional(v.string()),
  issuer: v.exactOptional(v.string()),
})

export function accountName(
  language: Language,
  { type, profile }: { type: string; profile: string },
): string {
  const says = texts(language)
  const { address = '', phoneNumber = '', issuer = '' } = v.parse(identifyingFields, JSON.parse(profile))
  switch (type) {
    case 'email':
      return says.email({ address })
    case 'phone':
      return says.phone({ number: phoneNumber })
    case 'wallet':
      return says.wallet({ address })
    case 'passkey':
      return says.passkey
    case 'cross_app':
      return says.otherApp
    case 'oidc':
      return says.account({ provider: URL.parse(issuer)?.host ?? type })
    default:
      return says.account({ provider: findLoginMethodByAccount(type)?.title ?? type })
  }
}

export const factorName = (language: Language, method: MfaMethodType): string =>
  texts(language).factors[method]

/** Formats a time in UTC, because the reader's time zone is unknown, and in ASCII digits. */
export const formatTime = (language: Language, atSeconds: number): string =>
  new Intl.DateTimeFormat(`${language}-u-nu-latn`, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
    .format(atSeconds * 1_000)
    .concat(' UTC')
