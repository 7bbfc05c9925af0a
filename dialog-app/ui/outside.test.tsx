/** External URLs as the dialog renders them. */
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
  test.each(origins)('renders no link to %s', (origin) => {
    const own = html(draw(`${origin}/oauth/start/a`))
    expect(own).not.toContain(origin)
    expect(own).not.toContain('/oauth/start/')
  })

  test('renders a link to an external page', () => {
    expect(html(draw(others))).toContain(others)
  })
})

test('sends neither opener nor referrer to an external page', () => {
  for (const name of ['a button', 'a row'] as const) {
    expect(html(drawn[name](others))).toMatch(/<a [^>]*target="_blank" rel="noopener noreferrer"/)
  }
})

test('renders links to our own pages with a separate component', () => {
  expect(html(<OwnButtonLink href="/apps/a/confirm/b">Open</OwnButtonLink>)).toContain('/apps/a/confirm/b')
})
