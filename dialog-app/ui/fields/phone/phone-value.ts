/** What stands in a phone field: pure, each change makes a new value. */
import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  isValidPhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { plainDigits } from '../code-entry.ts'

export type PhoneValue = {
  /** As it stands in the field, formatted as it is typed. */
  rawPhoneNumber: string
  /** '+', the calling code, a space, then the number. */
  qualifiedPhoneNumber: string
  countryCode: CountryCode
  isValid: boolean
}

export type Country = { code: CountryCode; callingCode: string; name: string }

const fallback: CountryCode = 'US'
/** No number is longer: https://www.itu.int/rec/T-REC-E.164 */
const maxDigits = 15

export const defaultCountry = (wanted: string | undefined): CountryCode =>
  wanted !== undefined && isSupportedCountry(wanted) ? wanted : fallback

export const emptyPhone = (countryCode: CountryCode): PhoneValue => ({
  rawPhoneNumber: '',
  qualifiedPhoneNumber: qualified(countryCode, ''),
  countryCode,
  isValid: false,
})

/** Every country that has a calling code, by its name in this language. */
export function countries(language: string): readonly Country[] {
  const named = countryNames(language)
  const { compare } = new Intl.Collator(language)
  return getCountries()
    .map(named)
    .sort((one, other) => compare(one.name, other.name))
}

export const countryOf = (code: CountryCode, language: string): Country => countryNames(language)(code)

function countryNames(language: string) {
  const names = new Intl.DisplayNames([language, 'en'], { type: 'region' })
  return (code: CountryCode): Country => ({
    code,
    callingCode: getCountryCallingCode(code),
    name: names.of(code) ?? code,
  })
}

/** The number of one country means nothing in another. */
export const withCountry = ({ countryCode }: PhoneValue, chosen: CountryCode): PhoneValue | undefined =>
  chosen === countryCode ? undefined : emptyPhone(chosen)

/**
 * The value after the field was changed to this text. A number with a calling code of its own, as it is pasted or
 * filled in by the browser, brings its country.
 */
export function typed(value: PhoneValue, text: string): PhoneValue {
  const plain = plainDigits(text)
  const international = parsePhoneNumberFromString(plain)
  if (plain.trim().startsWith('+') && international?.country) {
    return national(international.country, digitsOf(international.formatNational()))
  }
  return national(value.countryCode, digitsOf(text), erasedFormatting(value.rawPhoneNumber, text))
}

function national(countryCode: CountryCode, digits: string, erased = false): PhoneValue {
  const kept = (erased ? digits.slice(0, -1) : digits).slice(0, maxDigits)
  return {
    rawPhoneNumber: formatted(countryCode, kept),
    qualifiedPhoneNumber: qualified(countryCode, nationalNumber(countryCode, kept)),
    countryCode,
    isValid: isValidPhoneNumber(kept, countryCode),
  }
}

/** As it is dialled inside the country, or, without the prefix that this needs there, as it is dialled from abroad. */
function formatted(countryCode: CountryCode, digits: string): string {
  const inside = new AsYouType(countryCode).input(digits)
  if (inside !== digits) return inside
  const code = `+${getCountryCallingCode(countryCode)}`
  return new AsYouType()
    .input(code + digits)
    .slice(code.length)
    .trimStart()
}

/** Backspace over a bracket or a space takes the digit before it, else it would come back at once. */
function erasedFormatting(before: string, after: string): boolean {
  return (
    after.length === before.length - 1 && before.startsWith(after) && digitsOf(before) === digitsOf(after)
  )
}

/** The number without the prefix that is dialled inside the country only. */
const nationalNumber = (countryCode: CountryCode, digits: string) =>
  parsePhoneNumberFromString(digits, countryCode)?.nationalNumber ?? digits

const qualified = (countryCode: CountryCode, number: string) =>
  `+${getCountryCallingCode(countryCode)} ${number}`

const digitsOf = (text: string) => plainDigits(text).replace(/\D/g, '')
