/** Addresses that somebody else named, as they are drawn. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { ButtonLink, OwnButtonLink } from './button.tsx'
import { Logo } from './logo.tsx'
import { OwnOriginsContext } from './outside.ts'
import { OptionLink } from './rows/option-link.tsx'

const origins = ['https://dialog.example', 'https://wallet.example', 'https://api.example']
const others = 'https://app.example/terms'
const drawn = {
  'a button': (address: string) => <ButtonLink href={address}>Terms</ButtonLink>,
  'a row': (address: string) => <OptionLink href={address} label="Terms" title="Opens a tab" />,
  'a logo': (address: string) => <Logo name="Fieldnotes" url={address} />,
}
const html = (element: React.ReactElement) =>
  renderToStaticMarkup(<OwnOriginsContext value={origins}>{element}</OwnOriginsContext>)

describe.each(Object.entries(drawn))('%s', (_name, draw) => {
  test.each(origins)('leads nowhere on %s', (origin) => {
    const own = html(draw(`${origin}/oauth/start/a`))
    expect(own).not.toContain(origin)
    expect(own).not.toContain('/oauth/start/')
  })

  test('leads to somebody else', () => {
    expect(html(draw(others))).toContain(others)
  })
})

test('a link that somebody else named tells its page neither who opened it nor from where', () => {
  for (const name of ['a button', 'a row'] as const) {
    expect(html(drawn[name](others))).toMatch(/<a [^>]*target="_blank" rel="noopener noreferrer"/)
  }
})

test('a page of our own is led to by a link of its own kind', () => {
  expect(html(<OwnButtonLink href="/apps/a/confirm/b">Open</OwnButtonLink>)).toContain('/apps/a/confirm/b')
})

const root = join(import.meta.dirname, '..', '..')
const sheets = ['dialog-app', 'wallet-frame'].flatMap((folder) =>
  globSync(`${folder}/**/*.css`, { cwd: root, exclude: (path) => path.includes('node_modules') }),
)

/** Each property that takes time to change, by the sheet that says so. */
const slow = sheets.flatMap((sheet) =>
  [...readFileSync(join(root, sheet), 'utf8').matchAll(/transition(?:-property)?:([^;}]*)/g)].flatMap(
    ([, value = '']) =>
      value.split(',').flatMap((each) => {
        const [property, duration] = each.trim().split(/\s+/)
        return property === 'none' || duration === '0s' ? [] : `${sheet}: ${property}`
      }),
  ),
)

/**
 * A ground that is on its way to its colour while its label has its own already, or the other way round, can not be
 * read; where both are on their way they meet in the middle.
 */
test('no ground and no label takes time to change its colour', () => {
  expect(slow.length).toBeGreaterThan(0)
  expect(slow.filter((each) => !/: (?:opacity|transform|box-shadow)$/.test(each))).toEqual([])
})
