import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMessageParts } from './shown-message.ts'

const drawn = (message: string) =>
  toMessageParts(message)
    .map((part) => (part.kind === 'text' ? part.text : `[${part.name}]`))
    .join('')

describe('a message to sign', () => {
  it('is unchanged if all of it is visible', () => {
    for (const message of ['Hello', ' two  spaces\n\tand a tab', 'سلام', 'हिन्दी', '👩‍🚀 👍🏽 ❤️ 1️⃣ 👨‍👩‍👧'])
      expect(toMessageParts(message)).toEqual([{ kind: 'text', text: message }])
  })

  it('names control characters by their pictures', () => {
    expect(drawn('a\0b\rc\x7f')).toBe('a[␀]b[␍]c[␡]')
    expect(drawn('\u0085')).toBe('[U+0085]')
  })

  it('names direction marks, zero-width characters and unusual spaces', () => {
    expect(drawn('pay \u202e001 to')).toBe('pay [U+202E]001 to')
    expect(drawn('a\u200bb\u200dc\u2060d')).toBe('a[U+200B]b[U+200D]c[U+2060]d')
    expect(drawn('a\u00a0b\u3000c\u2800d\u3164e')).toBe('a[U+00A0]b[U+3000]c[U+2800]d[U+3164]e')
    expect(drawn('a\ufe0fb')).toBe('a[U+FE0F]b')
    expect(drawn('\u{e0041}')).toBe('[U+E0041]')
    expect(drawn('\u2028\u2029')).toBe('[U+2028][U+2029]')
  })

  it('names a lone surrogate', () => {
    expect(drawn('\ud83d!')).toBe('[U+D83D]!')
  })

  it('keeps the whole message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (message) => {
        const length = toMessageParts(message)
          .map((part) => {
            if (part.kind === 'text') return part.text
            const code = Number.parseInt(part.name.replace('U+', ''), 16)
            if (part.name.startsWith('U+')) return String.fromCodePoint(code)
            return part.name === '␡' ? '\x7f' : String.fromCodePoint((part.name.codePointAt(0) ?? 0) - 0x2400)
          })
          .join('')
        expect(length).toBe(message)
      }),
    )
    // Parsing the shown message back is slow, especially on a busy machine.
  }, 60_000)

  it.each([
    ['a blank of Egyptian hieroglyphs', '\u{13441}', 'U+13441'],
    ['half a blank of Egyptian hieroglyphs', '\u{13442}', 'U+13442'],
    ['a note without a head', '\u{1D159}', 'U+1D159'],
    ['the filler of Khitan script', '\u{16FE4}', 'U+16FE4'],
  ])('names %s', (_name, character, name) => {
    expect(toMessageParts(`Pay${character}me`)).toEqual([
      { kind: 'text', text: 'Pay' },
      { kind: 'invisible', name },
      { kind: 'text', text: 'me' },
    ])
  })

  it('names marks stacked on three others and keeps those that languages use', () => {
    // The first three are a circumflex, a dot below and a tilde.
    const written = 'e\u0302\u0323\u0303'
    expect(toMessageParts(written)).toEqual([{ kind: 'text', text: written }])
    expect(toMessageParts(`${written}\u0301\u0300!`)).toEqual([
      { kind: 'text', text: written },
      { kind: 'invisible', name: 'U+0301' },
      { kind: 'invisible', name: 'U+0300' },
      { kind: 'text', text: '!' },
    ])
  })
})
