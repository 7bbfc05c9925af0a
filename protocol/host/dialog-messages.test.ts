import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { dialogMessages } from './dialog-messages.ts'

const { calls, answers } = dialogMessages

describe('a page with an overlong URL', () => {
  const viewport = {
    heightPx: 800,
    offsetTopPx: 0,
    insets: { top: 0, right: 0, bottom: 0, left: 0 },
  }
  const address = `https://shop.example/?state=${'a'.repeat(5_000)}`

  test('can show the dialog, which ignores the URL', () => {
    const shown = v.parse(answers.show, { viewport: { ...viewport, address } })
    expect(shown).toEqual({ viewport })
    expect(v.parse(calls.viewport, { ...viewport, address })).toEqual(viewport)
  })

  test('completes the hello without the parameters of the URL', () => {
    const hello = { protocol: 1, loader: '1.0.0', capabilities: [], config: {}, colorScheme: 'light' }
    const parameters = `latchkey_x=${'a'.repeat(5_000)}`
    expect(v.parse(calls.hello, { ...hello, parameters })).toEqual(hello)
  })

  test('counts as a page without a URL, while a short URL is kept', () => {
    expect(v.parse(calls.viewport, viewport)).toEqual(viewport)
    const short = { ...viewport, address: 'https://shop.example/' }
    expect(v.parse(calls.viewport, short)).toEqual(short)
  })
})
