/** What happens to six single-digit fields that behave as one: pure, so that every key can be tried in Node. */

export type Entry = {
  /** One of '' and '0' to '9' for each field. */
  digits: readonly string[]
  /** Which field has the focus. */
  at: number
}

export const emptyEntry = (length: number): Entry => ({ digits: Array<string>(length).fill(''), at: 0 })

/** Where the digits of the writing systems begin that the dialog's languages use beside our own. */
const otherZeros = [0x660, 0x6f0]
const plainDigit = (character: string) => {
  const code = character.codePointAt(0) ?? 0
  const zero = otherZeros.find((from) => code >= from && code < from + 10)
  return zero === undefined ? character : String(code - zero)
}
/** Full-width digits and those of a keypad, which combine a digit with a frame, are the same digits. */
export const plainDigits = (text: string) =>
  Array.from(text.normalize('NFKC').replace(/\p{M}/gu, ''), plainDigit).join('')

/** What people's mail and clipboards put between digits. */
const separators = /[\s\u00a0\u2009\u202f\u200b-\u200f\u2066-\u2069-]/gu

/** The digits in a text, or undefined when there is anything but digits and what separates them. */
export function digitsIn(text: string): string | undefined {
  const digits = plainDigits(text).replace(separators, '')
  return /^[0-9]*$/.test(digits) ? digits : undefined
}

/** A pasted text may say more than the code, as 'Your code is 123456.' */
export function codeIn(text: string, length: number): string | undefined {
  const plain = digitsIn(text)
  if (plain !== undefined) return plain
  const runs = plainDigits(text).match(/[0-9]+/g) ?? []
  const fitting = runs.filter((run) => run.length === length)
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Writes digits from a field on; a whole code fills all fields wherever it arrives. */
export function spread({ digits, at }: Entry, written: string): Entry {
  const from = written.length >= digits.length ? 0 : at
  const next = digits.map((digit, position) => written[position - from] ?? digit)
  return { digits: next, at: Math.min(from + written.length, digits.length - 1) }
}

/** What a field's new value adds to the digit that it had: typing beside a digit replaces it. */
export function addedBy(value: string, before: string): string {
  const plain = plainDigits(value)
  return before !== '' && plain.length === 2 && plain.includes(before) ? plain.replace(before, '') : plain
}

const without = ({ digits }: Entry, position: number): Entry => ({
  digits: digits.map((digit, index) => (index === position ? '' : digit)),
  at: position,
})

/** The entry after a key; undefined when the key is none of ours. */
export function afterKey(entry: Entry, key: string): Entry | undefined {
  const last = entry.digits.length - 1
  const goTo = (at: number): Entry => ({ ...entry, at: Math.min(Math.max(at, 0), last) })
  switch (key) {
    case 'Backspace':
      return entry.digits[entry.at] === ''
        ? without(entry, Math.max(entry.at - 1, 0))
        : without(entry, entry.at)
    case 'Delete':
      return without(entry, entry.at)
    case 'ArrowLeft':
      return goTo(entry.at - 1)
    case 'ArrowRight':
      return goTo(entry.at + 1)
    case 'Home':
      return goTo(0)
    case 'End':
      return goTo(last)
    default:
      return undefined
  }
}

export const isFilled = ({ digits }: Entry) => digits.every((digit) => digit !== '')
