import { afterEach, describe, expect, test, vi } from 'vitest'
import { takeUrlParameters } from './parameters.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('what begins with our name in the address', () => {
  const open = (href: string) => {
    const replaced: string[] = []
    const history = {
      state: { kept: true },
      replaceState: (state: unknown, _title: string, url?: string | URL | null) => {
        expect(state).toEqual({ kept: true })
        replaced.push(String(url))
      },
    }
    vi.stubGlobal('location', { href })
    vi.stubGlobal('history', history)
    return { taken: takeUrlParameters(), replaced }
  }

  // spec L2.9
  test('is taken out of it, and the rest stays', () => {
    expect(open('https://d.example/apps/a/dialog?x=1&latchkey_token=abc&y=2#z')).toEqual({
      taken: 'latchkey_token=abc',
      replaced: ['https://d.example/apps/a/dialog?x=1&y=2#z'],
    })
  })

  // spec L2.8
  test('is taken out whole, as after a login that took the page away', () => {
    const { taken, replaced } = open(
      'https://d.example/notes?latchkey_oauth_code=c%26d&latchkey_oauth_state=s&latchkey_oauth_provider=google&id=7',
    )
    expect(Object.fromEntries(new URLSearchParams(taken))).toEqual({
      latchkey_oauth_code: 'c&d',
      latchkey_oauth_state: 's',
      latchkey_oauth_provider: 'google',
    })
    expect(replaced).toEqual(['https://d.example/notes?id=7'])
  })

  // spec L2.11
  test('is taken out also as a wallet writes it that opens the page in its own browser', () => {
    const { taken, replaced } = open(
      'https://d.example/in?a=1&latchkey_connector=injected&latchkey_wallet_client=metamask#b',
    )
    expect(taken).toBe('latchkey_connector=injected&latchkey_wallet_client=metamask')
    expect(replaced).toEqual(['https://d.example/in?a=1#b'])
  })

  test('is taken out even when it is empty', () => {
    expect(open('https://d.example/?latchkey_token=')).toEqual({
      taken: 'latchkey_token=',
      replaced: ['https://d.example/'],
    })
  })

  test('that is not there leaves the address alone', () => {
    expect(open('https://d.example/?token=abc')).toEqual({ taken: '', replaced: [] })
  })
})
