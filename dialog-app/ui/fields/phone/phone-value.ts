/** The pure value of a phone field. */
import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  isValidPhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { toPlainDigits } from '../code-entry.ts'

export type PhoneValue = {
  /** The formatted text of the field. */
  rawPhoneNumber: string
  /** '+', the calling code, a space, then the number. */
  qualifiedPhoneNumber: string
  countryCode: CountryCode
  isValid: boolean
}

export type Country = { code: CountryCode; callingCode: string; name: string }

const fallback: CountryCode = 'US'
/** The maximum length of a number: https://www.itu.int/rec/T-REC-E.164 */
const maxDigits = 15

export const defaultCountry = (wanted: string | undefined): CountryCode =>
  wanted !== undefined && isSupportedCountry(wanted) ? wanted : fallback

export const emptyPhone = (countryCode: CountryCode): PhoneValue => ({
  rawPhoneNumber: '',
  qualifiedPhoneNumber: toQualifiedNumber(countryCode, ''),
  countryCode,
  isValid: false,
})

/** Returns every country with a calling code, sorted by its name in this language. */
export function countries(language: string): readonly Country[] {
  const toCountry = countryNames(language)
  const { compare } = new Intl.Collator(language)
  return getCountries()
    .map(toCountry)
    .sort((one, other) => compare(one.name, other.name))
}

export const getCountry = (code: CountryCode, language: string): Country => countryNames(language)(code)

function countryNames(language: string) {
  const names = new Intl.DisplayNames([language, 'en'], { type: 'region' })
  return (code: CountryCode): Country => ({
    code,
    callingCode: getCountryCallingCode(code),
    name: names.of(code) ?? code,
  })
}

/** Clears the number, which is meaningless in another country. */
export const withCountry = ({ countryCode }: PhoneValue, chosen: CountryCode): PhoneValue | undefined =>
  chosen === countryCode ? undefined : emptyPhone(chosen)

/**
 * Returns the value after the field's text changed. A pasted or autofilled number with a calling code also sets the
 * country.
 */
export function parseInput(value: PhoneValue, text: string): PhoneValue {
  const plain = toPlainDigits(text)
  const international = parsePhoneNumberFromString(plain)
  if (plain.trim().startsWith('+') && international?.country) {
    return toPhoneValue(international.country, getDigits(international.formatNational()))
  }
  return toPhoneValue(value.countryCode, getDigits(text), hasErasedFormatting(value.rawPhoneNumber, text))
}

function toPhoneValue(countryCode: CountryCode, digits: string, erased = false): PhoneValue {
  const numberDigits = (erased ? digits.slice(0, -1) : digits).slice(0, maxDigits)
  return {
    rawPhoneNumber: formatNumber(countryCode, numberDigits),
    qualifiedPhoneNumber: toQualifiedNumber(countryCode, getNationalNumber(countryCode, numberDigits)),
    countryCode,
    isValid: isValidPhoneNumber(numberDigits, countryCode),
  }
}

/** Formats the number as dialled inside the country, or as dialled from abroad if the country needs a prefix. */
function formatNumber(countryCode: CountryCode, digits: string): string {
  const inside = new AsYouType(countryCode).input(digits)
  if (inside !== digits) return inside
  const code = `+${getCountryCallingCode(countryCode)}`
  return new AsYouType()
    .input(code + digits)
    .slice(code.length)
    .trimStart()
}

/** Deleting a formatting character also deletes the digit before it, because reformatting would restore it. */
function hasErasedFormatting(before: string, after: string): boolean {
  return (
    after.length === before.length - 1 && before.startsWith(after) && getDigits(before) === getDigits(after)
  )
}

/** Returns the number without the national trunk prefix. */
const getNationalNumber = (countryCode: CountryCode, digits: string) =>
  parsePhoneNumberFromString(digits, countryCode)?.nationalNumber ?? digits

const toQualifiedNumber = (countryCode: CountryCode, number: string) =>
  `+${getCountryCallingCode(countryCode)} ${number}`

const getDigits = (text: string) => toPlainDigits(text).replace(/\D/g, '')
