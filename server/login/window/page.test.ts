import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { windowCookie, windowFile, windowHtml, windowPolicy, windowRefusals } from './page.ts'

test('a page says its title and its text as text, and has one script at most', () => {
  const plain = windowHtml('A <b>title</b>', 'One & more.')
  expect(plain).toContain('<title>A &lt;b&gt;title&lt;/b&gt;</title>')
  expect(plain).toContain('<p>One &amp; more.</p>')
  expect(plain).toContain('<link rel="stylesheet" href="/login/window.css">')
  expect(plain).not.toContain('<script')
  const scripted = windowHtml('A title', 'A text', {
    src: '/js/a.js',
    data: { 'data-a': '"x"', 'data-b': 'y' },
  })
  expect(scripted).toContain('<script src="/js/a.js" data-a="&quot;x&quot;" data-b="y"></script>')
})

test('nothing is posted from a page unless its policy says so', () => {
  expect(windowPolicy()).toContain("; form-action 'none'; ")
  expect(windowPolicy("'self'")).toContain("; form-action 'self'; ")
})

test('each refusal has its status', () => {
  const statuses = Object.entries(windowRefusals).map(([name, { status }]) => [name, status])
  expect(Object.fromEntries(statuses)).toEqual({
    notStarted: 404,
    over: 400,
    foreign: 400,
    otherBrowser: 403,
  })
  expect(windowRefusals.otherBrowser.html).toContain('This login began in another browser')
})

test('a cookie is of one login, for our own https pages alone, and goes when it is dropped', async () => {
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

test('a file of a window is a script or styles, by its name, and opened by anybody', () => {
  const folder = new URL('./page/', import.meta.url)
  expect(windowFile('/login/window.css', folder, 'window.css')).toMatchObject({
    site: 'dialog',
    method: 'GET',
    path: '/login/window.css',
    openedBy: 'anybody',
  })
})
