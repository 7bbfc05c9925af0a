import { describe, expect, test } from 'vitest'
import { inlineConfig } from '../testing/fixtures.ts'
import { readInlineConfig } from './inline-config.ts'

const page = (textContent: string | null) => ({
  getElementById: (id: string) =>
    id === 'latchkey-config' && textContent !== null ? ({ textContent } as HTMLElement) : null,
})

describe('inline configuration', () => {
  test('is parsed', () => {
    expect(readInlineConfig(page(JSON.stringify(inlineConfig)))).toEqual(inlineConfig)
  })

  test.each(['', 'lkdemo000000000000000001', 'lkdemo00000000000000000011', 7])(
    'is rejected for the app id %j',
    (id) => {
      const json = JSON.stringify({ ...inlineConfig, app: { ...inlineConfig.app, id } })
      expect(() => readInlineConfig(page(json))).toThrow(
        expect.objectContaining({
          code: 'invalid_data',
          details: expect.objectContaining({ path: 'app.id' }),
        }),
      )
    },
  )

  test.each([null, '', '{', '{}'])('is rejected if it is %j', (json) => {
    expect(() => readInlineConfig(page(json))).toThrow(expect.objectContaining({ code: 'invalid_data' }))
  })
})
