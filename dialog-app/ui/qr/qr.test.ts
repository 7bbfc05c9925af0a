import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Qr } from './qr.tsx'

const drawn = (more: { sizePx?: number; value?: string; children?: ReactNode } = {}) =>
  renderToStaticMarkup(createElement(Qr, { value: 'https://a.example', label: 'A code', ...more }))

// spec L9.16
test('is 160 px wide and high by default', () => {
  expect(drawn()).toMatch(/^<svg [^>]*width="160" height="160"/)
  expect(drawn({ sizePx: 208 })).toMatch(/^<svg [^>]*width="208" height="208"/)
})

// 23 bytes: version 2 with 25 modules at level M, version 3 with 29 modules at level Q. The quiet zone has four
// modules on each side.
test('uses error correction level Q with a mark in the middle, and M without', () => {
  const value = 'https://a.example/12345'
  expect(drawn({ value })).toContain('viewBox="-4 -4 33 33"')
  expect(drawn({ value, children: 'F' })).toContain('viewBox="-4 -4 37 37"')
})

test('draws no module under the mark, which hides less than a fifteenth of the code', () => {
  const dotsOf = (markup: string) =>
    [...markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [x, y].map(Number))
  const inMiddle = ([x = 0, y = 0]: readonly number[]) =>
    Math.abs(x + 0.5 - 14.5) < 3.5 && Math.abs(y + 0.5 - 14.5) < 3.5
  const value = 'https://a.example/12345'
  const dots = dotsOf(drawn({ value, children: 'F' }))
  expect(dots.length).toBeGreaterThan(200)
  expect(dots.filter(inMiddle)).toEqual([])
  expect((7 * 7) / (29 * 29)).toBeLessThan(1 / 15)
})
