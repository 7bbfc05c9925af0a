/** The pure state of six single-digit fields that act as one code field. */

export type Entry = {
  /** The content of each field: '' or a digit. */
  digits: readonly string[]
  /** The index of the focused field. */
  at: number
}

export const emptyEntry = (length: number): Entry => ({ digits: Array<string>(length).fill(''), at: 0 })

/** The code points of zero in the other scripts of the dialog's languages. */
const otherZeros = [0x660, 0x6f0]
const toPlainDigit = (character: string) => {
  const code = character.codePointAt(0) ?? 0
  const zero = otherZeros.find((from) => code >= from && code < from + 10)
  return zero === undefined ? character : String(code - zero)
}
/** Also converts full-width digits and keycap emoji. */
export const toPlainDigits = (text: string) =>
  Array.from(text.normalize('NFKC').replace(/\p{M}/gu, ''), toPlainDigit).join('')

/** Separators that mails and clipboards put between digits. */
const separators = /[\s\u00a0\u2009\u202f\u200b-\u200f\u2066-\u2069-]/gu

/** Returns the digits of a text, or undefined if it contains anything but digits and separators. */
export function parseDigits(text: string): string | undefined {
  const digits = toPlainDigits(text).replace(separators, '')
  return /^[0-9]*$/.test(digits) ? digits : undefined
}

/** Finds the code in a pasted text, such as 'Your code is 123456.' */
export function findCode(text: string, length: number): string | undefined {
  const plain = parseDigits(text)
  if (plain !== undefined) return plain
  const runs = toPlainDigits(text).match(/[0-9]+/g) ?? []
  const fitting = runs.filter((run) => run.length === length)
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Writes digits from the focused field on. A complete code replaces all fields. */
export function insertDigits({ digits, at }: Entry, written: string): Entry {
  const from = written.length >= digits.length ? 0 : at
  const next = digits.map((digit, position) => written[position - from] ?? digit)
  return { digits: next, at: Math.min(from + written.length, digits.length - 1) }
}

/** Returns the digits that an input event added. Typing next to a digit replaces it. */
export function getAddedDigits(value: string, before: string): string {
  const plain = toPlainDigits(value)
  return before !== '' && plain.length === 2 && plain.includes(before) ? plain.replace(before, '') : plain
}

const clearDigit = ({ digits }: Entry, position: number): Entry => ({
  digits: digits.map((digit, index) => (index === position ? '' : digit)),
  at: position,
})

/** Returns the entry after a key, or undefined for other keys. */
export function applyKey(entry: Entry, key: string): Entry | undefined {
  const last = entry.digits.length - 1
  const goTo = (at: number): Entry => ({ ...entry, at: Math.min(Math.max(at, 0), last) })
  switch (key) {
    case 'Backspace':
      return entry.digits[entry.at] === ''
        ? clearDigit(entry, Math.max(entry.at - 1, 0))
        : clearDigit(entry, entry.at)
    case 'Delete':
      return clearDigit(entry, entry.at)
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
