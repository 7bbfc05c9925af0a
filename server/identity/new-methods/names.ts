/** What a method is called where its user is told of it. */
import type { LinkedAccountType, MfaMethodType } from '@latchkey/protocol'
import * as v from 'valibot'
import type { InLanguages, Language } from '../../kernel/languages.ts'

/** Names of others are the same in each language. */
const brands: Partial<Record<LinkedAccountType, string>> = {
  apple_oauth: 'Apple',
  discord_oauth: 'Discord',
  github_oauth: 'GitHub',
  google_oauth: 'Google',
  linkedin_oauth: 'LinkedIn',
  spotify_oauth: 'Spotify',
  instagram_oauth: 'Instagram',
  twitter_oauth: 'X',
  tiktok_oauth: 'TikTok',
  telegram: 'Telegram',
  farcaster: 'Farcaster',
}

type Names = {
  readonly email: string
  readonly phone: string
  readonly wallet: string
  readonly passkey: string
  readonly account: string
  readonly otherApp: string
  readonly factors: { readonly [method in MfaMethodType]: string }
}
const names: InLanguages<Names> = {
  en: {
    email: 'The e-mail address',
    phone: 'The number',
    wallet: 'The wallet',
    passkey: 'A passkey',
    account: 'An account of',
    otherApp: 'An account of another app',
    factors: {
      totp: 'An authenticator app',
      sms: 'Verification by SMS',
      passkey: 'Verification with a passkey',
    },
  },
  ar: {
    email: 'عنوان البريد الإلكتروني',
    phone: 'الرقم',
    wallet: 'المحفظة',
    passkey: 'مفتاح مرور',
    account: 'حساب',
    otherApp: 'حساب في تطبيق آخر',
    factors: { totp: 'التحقق بتطبيق المصادقة', sms: 'التحقق برسالة نصية', passkey: 'التحقق بمفتاح المرور' },
  },
}

/** What a person knows such an account by. Names that others choose are left out: they could say anything. */
const known = v.object({
  address: v.exactOptional(v.string()),
  phoneNumber: v.exactOptional(v.string()),
})

export function accountName(
  language: Language,
  { type, profile }: { readonly type: string; readonly profile: string },
): string {
  const says = names[language]
  const { address = '', phoneNumber = '' } = v.parse(known, JSON.parse(profile))
  switch (type) {
    case 'email':
      return `${says.email} ${address}`
    case 'phone':
      return `${says.phone} ${phoneNumber}`
    case 'wallet':
      return `${says.wallet} ${address}`
    case 'passkey':
      return says.passkey
    case 'cross_app':
      return says.otherApp
    default:
      return `${says.account} ${Reflect.get(brands, type) ?? type}`
  }
}

export const factorName = (language: Language, method: MfaMethodType): string =>
  names[language].factors[method]

/** The day is in UTC, because it is not known where the reader lives. */
export const onDay = (language: Language, atSeconds: number): string =>
  new Intl.DateTimeFormat(language === 'ar' ? 'ar-u-nu-latn' : 'en', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
    .format(atSeconds * 1_000)
    .concat(' UTC')
