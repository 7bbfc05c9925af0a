/** The look of the dialog on a wallet page. */
import { describe, expect, it } from 'vitest'
import { applyTopLevelLook } from './look.ts'

const dark = {
  scheme: 'dark',
  surface: '#1d1d21',
  raised: '#29292f',
  pressed: '#34343b',
  text: '#f2f2f5',
  muted: '#a5a5b0',
  danger: '#ff9c94',
  accent: '#3d8bea',
  'on-accent': '#08121f',
}

function apply(query: Readonly<Record<string, string>>) {
  const styles = new Map<string, string>()
  const dataset: DOMStringMap = {}
  const style = { setProperty: (name: string, value: string) => styles.set(name, value) }
  applyTopLevelLook({ style, dataset } as unknown as HTMLElement, new URLSearchParams(query).toString())
  return { styles, look: dataset.look }
}

describe('a top-level wallet page', () => {
  it('takes the theme colours of its URL, but no width (spec W2.26)', () => {
    const { styles, look } = apply({ ...dark, width: '320' })
    expect(look).toBe('dark')
    expect(styles.get('--lk-surface')).toBe('#1d1d21')
    expect(styles.get('--lk-accent')).toBe('#3d8bea')
    expect(styles.has('max-inline-size')).toBe(false)
  })

  it.each([
    ['text hides in the surface', { text: dark.surface }],
    ['a text on the button is too faint', { 'on-accent': '#3a86e2' }],
    ['a colour is missing', { muted: '' }],
    ['a colour is a URL', { surface: 'url(https://evil.example)' }],
  ])('keeps its own look if %s', (_why, change) => {
    const { styles, look } = apply({ ...dark, ...change })
    expect([styles.size, look]).toEqual([0, undefined])
  })
})
