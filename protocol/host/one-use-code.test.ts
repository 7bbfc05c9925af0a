import { describe, expect, test } from 'vitest'
import { takeOneUseCode } from './one-use-code.ts'

describe('a one-use code in the address', () => {
  const open = (href: string) => {
    const replaced: string[] = []
    const history = {
      state: { kept: true },
      replaceState: (state: unknown, _title: string, url?: string | URL | null) => {
        expect(state).toEqual({ kept: true })
        replaced.push(String(url))
      },
    }
    return { code: takeOneUseCode({ location: { href }, history }), replaced }
  }

  // spec L2.9
  test('is taken out of it, and the rest stays', () => {
    expect(open('https://d.example/apps/a/dialog?x=1&latchkey_token=abc&y=2#z')).toEqual({
      code: 'abc',
      replaced: ['https://d.example/apps/a/dialog?x=1&y=2#z'],
    })
  })

  test('is taken out even when it is empty', () => {
    expect(open('https://d.example/?latchkey_token=')).toEqual({
      code: undefined,
      replaced: ['https://d.example/'],
    })
  })

  test('that is not there leaves the address alone', () => {
    expect(open('https://d.example/?token=abc')).toEqual({ code: undefined, replaced: [] })
  })
})
