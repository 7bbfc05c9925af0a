import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loginCodeMail } from './login-code.ts'

const app = { name: 'Fieldnotes', logoUrl: null }
const mail = (changes: Partial<Parameters<typeof loginCodeMail>[0]> = {}) =>
  loginCodeMail({
    to: 'ada@example.com',
    code: '482913',
    language: 'en',
    app,
    dialogOrigin: 'https://dialog.example:8443',
    ...changes,
  })

test('the subject contains code and app', () => {
  expect(mail().subject).toBe('482913 is your Fieldnotes code')
})

test('the text contains the code, its lifetime, advice, and the bound code in its last line', () => {
  const lines = mail().text.trimEnd().split('\n')
  expect(lines).toContain('482913')
  expect(mail().text).toContain('valid for 10 minutes')
  expect(mail().text).toContain('If you did not ask for it')
  expect(lines.at(-1)).toBe('@dialog.example #482913')
})

test('the HTML part has the same content, in light and dark mode, and loads nothing', () => {
  const { html } = mail()
  expect(html).toContain('>482913</p>')
  expect(html).toContain('valid for 10 minutes')
  expect(html).toContain('@dialog.example #482913')
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).not.toMatch(/<img|<script|<link|url\(|href=/)
})

describe('the app name', () => {
  test('the app name is never markup', () => {
    const { html } = mail({ app: { name: `<img src=x onerror="a('b')">&amp;`, logoUrl: null } })
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;amp;')
  })

  test('the app name can not end its attribute or the title', () => {
    const name = `"><script>alert(1)</script>' onload='</title>`
    const made = mail({ app: { name, logoUrl: 'https://a.example/logo.png' } })
    expect(made.html).toBeTypeOf('string')
    expect(made.html).toContain(
      'alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; onload=&#39;&lt;/title&gt;"',
    )
    expect(made.html.match(/<script|<\/title>|"'/g)).toEqual(['</title>'])
  })

  test('the app name can not start a header line or reorder the text', () => {
    const name = 'Field\r\nBcc: eve@example.com\u0000\u202Enotes\u2028x'
    expect(mail({ app: { name, logoUrl: null } }).subject).toBe(
      '482913 is your Field Bcc: eve@example.com notes x code',
    )
  })

  test('for any app name, the subject is one line and the body contains only our own tags', () => {
    const tags = (html: string) => html.match(/<[a-z/!][^>]*>/gi)
    const ours = tags(mail().html)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const made = mail({ app: { name, logoUrl: null } })
        expect(made.subject).not.toMatch(/[\r\n\0\u2028\u2029]/)
        expect(tags(made.html)?.length).toBe(ours?.length)
      }),
    )
  })
})

describe('the logo', () => {
  const png = `data:image/png;base64,${Buffer.from('picture').toString('base64')}`

  test('a logo with a URL is linked', () => {
    const made = mail({ app: { name: 'Fieldnotes', logoUrl: 'https://a.example/logo.png?a=1&b="2"' } })
    expect(made.html).toContain('src="https://a.example/logo.png?a=1&amp;b=&quot;2&quot;"')
    expect(made.images).toEqual([])
  })

  test('a logo with a data URL is attached', () => {
    const made = mail({ app: { name: 'Fieldnotes', logoUrl: png } })
    expect(made.html).toContain('src="cid:logo"')
    expect(made.images).toEqual([{ cid: 'logo', contentType: 'image/png', bytes: Buffer.from('picture') }])
  })

  test('a logo that mail clients do not display is omitted', () => {
    const svg = `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`
    for (const logoUrl of [svg, ` ${png}`, `${png}"`, 'http://a.example/logo.png']) {
      const made = mail({ app: { name: 'Fieldnotes', logoUrl } })
      expect(made.html, logoUrl).not.toContain('<img')
      expect(made.images, logoUrl).toEqual([])
    }
    expect(mail().html).toMatch(/sans-serif">\s+<h1/)
  })
})
