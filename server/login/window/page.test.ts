import { formatText } from '@latchkey/protocol/texts'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type WindowText, windowCookie, windowFile, windowPage, windowPolicy } from './page.ts'
import type { Texts } from './texts.arb'

/** Renders a page for a browser with these languages. */
async function inWindow(says: WindowText, said: Parameters<typeof windowPage>[2] = {}, languages?: string) {
  const hono = new Hono()
  hono.get('/', (c) => c.json(windowPage(c, says, said)))
  const answer = await hono.request('/', { headers: languages ? { 'accept-language': languages } : {} })
  return (await answer.json()) as ReturnType<typeof windowPage>
}

test('a page escapes its texts, and has at most one script', async () => {
  const { html: plain } = await inWindow('answered', { name: 'A <b>name</b>' })
  expect(plain).toContain('<title>A &lt;b&gt;name&lt;/b&gt; has answered</title>')
  expect(plain).toContain('<p>You can close this window.</p>')
  expect(plain).toContain('<link rel="stylesheet" href="/login/window.css">')
  expect(plain).not.toContain('<script')
  const { html: scripted } = await inWindow('going', {
    script: { src: '/js/a.js', data: { 'data-a': '"x"', 'data-b': 'y' } },
  })
  expect(scripted).toContain('<script src="/js/a.js" data-a="&quot;x&quot;" data-b="y"></script>')
})

test('a page uses the first supported language of the browser, with its direction, or English', async () => {
  for (const [languages, tag, title] of [
    [undefined, 'lang="en" dir="ltr"', 'Going to Telegram'],
    ['tlh,tlh;q=0.9', 'lang="en" dir="ltr"', 'Going to Telegram'],
    ['tlh, en-GB;q=0.8, ar;q=0.5', 'lang="en" dir="ltr"', 'Going to Telegram'],
    ['AR-eg,en;q=0.5', 'lang="ar" dir="rtl"', 'الانتقال إلى Telegram'],
    ['constructor, ar', 'lang="ar" dir="rtl"', 'الانتقال إلى Telegram'],
  ] as const) {
    const { html } = await inWindow('going', { name: 'Telegram' }, languages)
    expect(html).toContain(`<html ${tag}>`)
    expect(html).toContain(`<title>${title}</title>`)
  }
})

test('no Arabic text is English', () => {
  for (const { title, text } of Object.values(readTexts<Texts>(import.meta.dirname)('ar'))) {
    expect(`${formatText(title, { name: '' })} ${text}`).not.toMatch(/[a-z]/i)
  }
})

test('a page may post only if its policy allows it', () => {
  expect(windowPolicy()).toContain("; form-action 'none'; ")
  expect(windowPolicy("'self'")).toContain("; form-action 'self'; ")
})

test('each refusal has its status', async () => {
  const refusals = ['notStarted', 'over', 'foreign', 'otherBrowser', 'answered'] as const
  const statuses = refusals.map(async (says) => (await inWindow(says)).status)
  expect(await Promise.all(statuses)).toEqual([404, 400, 400, 403, undefined])
  expect((await inWindow('otherBrowser')).html).toContain('This login was started in another browser')
})

test('a cookie belongs to one login, is sent to our own https pages only, and can be removed', async () => {
  const cookie = windowCookie('oauth', 'None')
  const hono = new Hono()
  hono.get('/set', (c) => {
    cookie.set(c, 'a-handle', 'a secret', 600)
    return c.text(String(cookie.read(c, 'a-handle')))
  })
  hono.get('/other', (c) => c.text(String(cookie.read(c, 'another'))))
  hono.get('/drop', (c) => {
    cookie.drop(c, 'a-handle')
    return c.text('')
  })
  const set = await hono.request('/set')
  const [header = ''] = set.headers.getSetCookie()
  expect(header).toMatch(
    /^__Host-latchkey-oauth-[\w-]{16}=a%20secret; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/,
  )
  const [sent = ''] = header.split(';')
  const read = async (path: string) => (await hono.request(path, { headers: { cookie: sent } })).text()
  expect(await read('/set')).toBe('a secret')
  expect(await read('/other')).toBe('undefined')
  const dropped = (await hono.request('/drop')).headers.getSetCookie()
  expect(dropped).toEqual([expect.stringMatching(/^__Host-latchkey-oauth-[\w-]{16}=; Max-Age=0; Path=\//)])
})

test('a window file is a script or style sheet by its name, and opened by any page', () => {
  const folder = new URL('./page/', import.meta.url)
  expect(windowFile('/login/window.css', folder, 'window.css')).toMatchObject({
    site: 'dialog',
    method: 'GET',
    path: '/login/window.css',
    openedBy: 'anybody',
  })
})
