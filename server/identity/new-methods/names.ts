/** What a method is called where its user is told of it. */
import { findLoginMethodByAccount, type MfaMethodType } from '@latchkey/protocol'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import * as v from 'valibot'
import type { Language } from '../../kernel/languages.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)

/** What a person knows such an account by. Names that others choose are left out: they could say anything. */
const known = v.object({
  address: v.exactOptional(v.string()),
  phoneNumber: v.exactOptional(v.string()),
})

export function accountName(
  language: Language,
  { type, profile }: { type: string; profile: string },
): string {
  const says = texts(language)
  const { address = '', phoneNumber = '' } = v.parse(known, JSON.parse(profile))
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
    default:
      return says.account({ provider: findLoginMethodByAccount(type)?.title ?? type })
  }
}

export const factorName = (language: Language, method: MfaMethodType): string =>
  texts(language).factors[method]

/** The day is in UTC, because it is not known where the reader lives, and in the digits that codes are written in. */
export const onDay = (language: Language, atSeconds: number): string =>
  new Intl.DateTimeFormat(`${language}-u-nu-latn`, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
    .format(atSeconds * 1_000)
    .concat(' UTC')
