import { afterEach, describe, expect, test, vi } from 'vitest'
import { takeUrlParameters } from './parameters.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('takeUrlParameters', () => {
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
  test("removes the product's parameters and keeps the rest", () => {
    expect(open('https://d.example/apps/a/dialog?x=1&latchkey_token=abc&y=2#z')).toEqual({
      taken: 'latchkey_token=abc',
      replaced: ['https://d.example/apps/a/dialog?x=1&y=2#z'],
    })
  })

  // spec L2.8
  test('removes all parameters of a redirect login', () => {
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
  test("removes parameters as encoded by a wallet's in-app browser", () => {
    const { taken, replaced } = open(
      'https://d.example/in?a=1&latchkey_connector=injected&latchkey_wallet_client=metamask#b',
    )
    expect(taken).toBe('latchkey_connector=injected&latchkey_wallet_client=metamask')
    expect(replaced).toEqual(['https://d.example/in?a=1#b'])
  })

  test('removes empty parameters', () => {
    expect(open('https://d.example/?latchkey_token=')).toEqual({
      taken: 'latchkey_token=',
      replaced: ['https://d.example/'],
    })
  })

  test('leaves a URL without such parameters unchanged', () => {
    expect(open('https://d.example/?token=abc')).toEqual({ taken: '', replaced: [] })
  })
})
