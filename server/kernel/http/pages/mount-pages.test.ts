/** Pages, as a browser receives them. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { testContext } from '../../../testing/context.ts'
import { forDefaultEngine } from '../../db/test-engines.ts'
import { siteForHost } from '../addresses/sites.ts'
import { errorResponse, toLatchkeyError } from '../failures.ts'
import type { HttpEnv } from '../mount.ts'
import { createRateLimit } from '../rate-limit.ts'
import { createWaits } from '../waits.ts'
import { mountCapabilityPages } from './mount-pages.ts'
import { page } from './page.ts'

const dialog = 'http://dialog.localhost:4000'
const wallet = 'http://wallet.localhost:4000'
const anybody = { site: 'any', method: 'GET', openedBy: 'anybody' } as const

const pages = [
  page({
    ...anybody,
    path: '/hello/{name}',
    policy: "default-src 'none'",
    headers: { 'referrer-policy': 'no-referrer' },
    query: v.object({ from: v.picklist(['ada', 'ben']) }),
    answer: ({ params, query }) => ({ type: 'html', html: `<p>${params.name} of ${query.from}` }),
  }),
  page({ ...anybody, path: '/gone', answer: () => ({ type: 'html', html: 'gone', status: 404 }) }),
  page({ ...anybody, path: '/away', answer: () => ({ type: 'redirect', to: 'https://example.com/' }) }),
  page({
    ...anybody,
    path: '/js',
    answer: () => ({ type: 'file', mediaType: 'text/javascript', text: 'x()' }),
  }),
  page({ ...anybody, path: '/json', answer: ({ address }) => ({ type: 'json', value: { address } }) }),
  page({ ...anybody, site: 'wallet', path: '/keys', answer: () => ({ type: 'json', value: 'keys' }) }),
  page({ ...anybody, openedBy: 'same origin', path: '/own', answer: () => ({ type: 'json', value: 'own' }) }),
  page({
    ...anybody,
    method: 'POST',
    path: '/form',
    form: v.object({ code: v.string() }),
    answer: ({ form }) => ({ type: 'json', value: form }),
  }),
]

forDefaultEngine((database) => {
  const open = async () => {
    const context = await testContext(database())
    const hono = new Hono<HttpEnv>()
    const patterns: string[] = []
    hono.use(async (c, next) => {
      c.set('site', siteForHost(c.req.header('host'), context.config))
      await next()
      patterns.push(c.get('pattern'))
    })
    hono.onError((error, c) => errorResponse(c, toLatchkeyError(error)))
    mountCapabilityPages(
      hono,
      context,
      createRateLimit(context),
      createWaits(async () => {}),
      pages,
    )
    const get = async (path: string, init: RequestInit = {}, origin = dialog) => {
      const headers = { host: new URL(origin).host, ...init.headers }
      const incoming = { socket: { remoteAddress: '203.0.113.7' } }
      const answer = await hono.request(origin + path, { ...init, headers }, { incoming })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }
    const post = (body: string, headers = { 'content-type': 'application/x-www-form-urlencoded' }) =>
      get('/form', { method: 'POST', headers, body })
    return { context, get, post, patterns }
  }

  test('a page renders its parameters and has the headers of its row', async () => {
    const { get, patterns } = await open()
    const { status, text, headers } = await get('/hello/Ada?from=ben')
    expect([status, text]).toEqual([200, '<p>Ada of ben'])
    // The log contains the pattern, which has no visitor data.
    expect(patterns).toEqual(['/hello/:name'])
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('an error names the invalid field and has none of the page headers', async () => {
    const { get } = await open()
    const { status, text, headers } = await get('/hello/Ada?from=eve')
    expect([status, JSON.parse(text)]).toMatchObject([
      422,
      { code: 'invalid_data', details: { path: 'from' } },
    ])
    expect(headers.get('content-security-policy')).toBeNull()
    expect(headers.get('referrer-policy')).toBeNull()
  })

  test('a page may return a status, a redirect, a script or JSON', async () => {
    const { get } = await open()
    expect(await get('/gone')).toMatchObject({ status: 404, text: 'gone' })
    const away = await get('/away')
    expect([away.status, away.headers.get('location')]).toEqual([303, 'https://example.com/'])
    const script = await get('/js')
    expect([script.status, script.text]).toEqual([200, 'x()'])
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(JSON.parse((await get('/json')).text)).toEqual({ address: '203.0.113.7' })
  })

  test('a page exists on its own hostname only', async () => {
    const { get } = await open()
    expect((await get('/keys', {}, wallet)).text).toBe('"keys"')
    expect((await get('/keys')).status).toBe(404)
    expect((await get('/json', {}, wallet)).status).toBe(200)
  })

  test('a same-origin page rejects other initiators and direct navigation', async () => {
    const { get } = await open()
    const ours = {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const requestWith = (change: object) => get('/own', { headers: { ...ours, ...change } })
    expect((await requestWith({})).text).toBe('"own"')
    for (const change of [
      ...['same-site', 'cross-site', 'none', ''].map((site) => ({ 'sec-fetch-site': site })),
      ...['cors', 'no-cors', 'same-origin', ''].map((mode) => ({ 'sec-fetch-mode': mode })),
      ...['image', 'iframe', 'empty', ''].map((dest) => ({ 'sec-fetch-dest': dest })),
    ]) {
      const { status, text } = await requestWith(change)
      expect([status, JSON.parse(text).code], JSON.stringify(change)).toEqual([403, 'invalid_origin'])
    }
  })

  test('parses a form post and rejects other media types', async () => {
    const { post } = await open()
    expect(JSON.parse((await post('code=a%20b&more=1')).text)).toEqual({ code: 'a b' })
    const { status, text } = await post('state=a')
    expect([status, JSON.parse(text)]).toMatchObject([
      422,
      { code: 'invalid_data', details: { path: 'code' } },
    ])
    expect((await post('code=a', { 'content-type': 'application/json' })).status).toBe(415)
  })

  test('opening a page counts as a read, posting a form as a change', async () => {
    const { context, get, post } = await open()
    const counted = async () =>
      (await context.db.selectFrom('attempts').select('key').orderBy('key').execute()).map(({ key }) => key)
    await get('/json')
    expect(await counted()).toEqual(['address-reads|203.0.113.7|600'])
    await post('code=a')
    expect(await counted()).toEqual(['address-changes|203.0.113.7|600', 'address-reads|203.0.113.7|600'])
  })
})
