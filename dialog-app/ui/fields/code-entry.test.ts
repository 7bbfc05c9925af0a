import { describe, expect, it } from 'vitest'
import {
  applyKey,
  type Entry,
  emptyEntry,
  findCode,
  getAddedDigits,
  insertDigits,
  isFilled,
  parseDigits,
} from './code-entry.ts'

const entry = (text: string, at: number): Entry => ({
  digits: Array.from(text, (character) => (character === '_' ? '' : character)),
  at,
})

describe('code entry', () => {
  // spec L5.9
  it('fills all fields with a complete code, wherever it was pasted', () => {
    expect(insertDigits(entry('12____', 2), '482913')).toEqual(entry('482913', 5))
  })

  it('writes one digit and advances', () => {
    expect(insertDigits(emptyEntry(6), '4')).toEqual(entry('4_____', 1))
    expect(insertDigits(entry('12345_', 5), '6')).toEqual(entry('123456', 5))
  })

  it('writes part of a code from the focused field on', () => {
    expect(insertDigits(entry('1_____', 1), '234')).toEqual(entry('1234__', 4))
  })

  it('replaces the digit if another is typed next to it', () => {
    expect(getAddedDigits('47', '4')).toBe('7')
    expect(getAddedDigits('74', '4')).toBe('7')
    expect(getAddedDigits('44', '4')).toBe('4')
    expect(getAddedDigits('4７', '4')).toBe('7')
    expect(getAddedDigits('7️⃣4', '4')).toBe('7')
    expect(getAddedDigits('482913', '4')).toBe('482913')
  })

  it('is complete only with six digits', () => {
    expect(isFilled(entry('12345_', 5))).toBe(false)
    expect(isFilled(entry('123456', 5))).toBe(true)
  })
})

describe('keys', () => {
  it('clear the digit with Backspace, then the previous one', () => {
    expect(applyKey(entry('123___', 2), 'Backspace')).toEqual(entry('12____', 2))
    expect(applyKey(entry('12____', 2), 'Backspace')).toEqual(entry('1_____', 1))
    expect(applyKey(entry('______', 0), 'Backspace')).toEqual(entry('______', 0))
  })

  it('move with arrows, Home and End, and stay inside', () => {
    expect(applyKey(entry('123456', 5), 'ArrowRight')?.at).toBe(5)
    expect(applyKey(entry('123456', 3), 'ArrowLeft')?.at).toBe(2)
    expect(applyKey(entry('123456', 3), 'Home')?.at).toBe(0)
    expect(applyKey(entry('123456', 3), 'End')?.at).toBe(5)
    expect(applyKey(entry('123456', 3), 'a')).toBeUndefined()
  })
})

describe('code parsing', () => {
  it('accepts digits of the supported scripts and the separators of mails', () => {
    expect(parseDigits('482 913')).toBe('482913')
    expect(parseDigits('482-913\u200b')).toBe('482913')
    expect(parseDigits('٤٨٢٩١٣')).toBe('482913')
    expect(parseDigits('۴۸۲۹۱۳')).toBe('482913')
    expect(parseDigits('４８２９１３')).toBe('482913')
    expect(parseDigits('4️⃣8️⃣2️⃣913')).toBe('482913')
    expect(parseDigits('48291a')).toBeUndefined()
  })

  it('finds a code in a sentence with exactly one', () => {
    expect(findCode('Your code is 482913. It is valid for 10 minutes.', 6)).toBe('482913')
    expect(findCode('482913 or 123456?', 6)).toBeUndefined()
    expect(findCode('hello', 6)).toBeUndefined()
  })
})
