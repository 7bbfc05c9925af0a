import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Qr } from './qr.tsx'

const drawn = (more: { readonly sizePx?: number } = {}) =>
  renderToStaticMarkup(createElement(Qr, { value: 'https://a.example', label: 'A code', ...more }))

// spec L9.16
test('a code is 160 px wide and high where nobody says otherwise', () => {
  expect(drawn()).toMatch(/^<svg [^>]*width="160" height="160"/)
  expect(drawn({ sizePx: 208 })).toMatch(/^<svg [^>]*width="208" height="208"/)
})
