import { describe, expect, it } from 'vitest'
import {
  addedBy,
  afterKey,
  codeIn,
  digitsIn,
  type Entry,
  emptyEntry,
  isFilled,
  spread,
} from './code-entry.ts'

const entry = (text: string, at: number): Entry => ({
  digits: Array.from(text, (character) => (character === '_' ? '' : character)),
  at,
})

describe('six fields that behave as one', () => {
  // spec L5.9
  it('spread a whole code over all fields wherever it was pasted', () => {
    expect(spread(entry('12____', 2), '482913')).toEqual(entry('482913', 5))
  })

  it('write one digit and move on', () => {
    expect(spread(emptyEntry(6), '4')).toEqual(entry('4_____', 1))
    expect(spread(entry('12345_', 5), '6')).toEqual(entry('123456', 5))
  })

  it('write part of a code from the field on that has the focus', () => {
    expect(spread(entry('1_____', 1), '234')).toEqual(entry('1234__', 4))
  })

  it('take the new digit when one is typed beside another', () => {
    expect(addedBy('47', '4')).toBe('7')
    expect(addedBy('74', '4')).toBe('7')
    expect(addedBy('44', '4')).toBe('4')
    expect(addedBy('4７', '4')).toBe('7')
    expect(addedBy('7️⃣4', '4')).toBe('7')
    expect(addedBy('482913', '4')).toBe('482913')
  })

  it('are filled only with six digits', () => {
    expect(isFilled(entry('12345_', 5))).toBe(false)
    expect(isFilled(entry('123456', 5))).toBe(true)
  })
})

describe('keys', () => {
  it('Backspace clears the digit, then the one before it', () => {
    expect(afterKey(entry('123___', 2), 'Backspace')).toEqual(entry('12____', 2))
    expect(afterKey(entry('12____', 2), 'Backspace')).toEqual(entry('1_____', 1))
    expect(afterKey(entry('______', 0), 'Backspace')).toEqual(entry('______', 0))
  })

  it('arrows, Home and End move and stay inside', () => {
    expect(afterKey(entry('123456', 5), 'ArrowRight')?.at).toBe(5)
    expect(afterKey(entry('123456', 3), 'ArrowLeft')?.at).toBe(2)
    expect(afterKey(entry('123456', 3), 'Home')?.at).toBe(0)
    expect(afterKey(entry('123456', 3), 'End')?.at).toBe(5)
    expect(afterKey(entry('123456', 3), 'a')).toBeUndefined()
  })
})

describe('what is a code', () => {
  it('has digits of any writing system that we speak, and what mail puts between them', () => {
    expect(digitsIn('482 913')).toBe('482913')
    expect(digitsIn('482-913\u200b')).toBe('482913')
    expect(digitsIn('٤٨٢٩١٣')).toBe('482913')
    expect(digitsIn('۴۸۲۹۱۳')).toBe('482913')
    expect(digitsIn('４８２９１３')).toBe('482913')
    expect(digitsIn('4️⃣8️⃣2️⃣913')).toBe('482913')
    expect(digitsIn('48291a')).toBeUndefined()
  })

  it('is found in a sentence when there is exactly one', () => {
    expect(codeIn('Your code is 482913. It is valid for 10 minutes.', 6)).toBe('482913')
    expect(codeIn('482913 or 123456?', 6)).toBeUndefined()
    expect(codeIn('hello', 6)).toBeUndefined()
  })
})
