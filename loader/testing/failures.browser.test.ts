/** A failure of every kind has a code of its own, in its time. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { apps, dialogOrigin, ending, leave, loaded, pageOf, policy, ports, tag, visit } from './stage.ts'

type Failure = {
  name: string
  app?: string
  headers?: Record<string, string>
  more?: string
  code: RegExp
  withinMs: number
}

const failures: Failure[] = [
  {
    name: 'a policy that blocks the frame',
    headers: policy(`frame-src 'none'`),
    code: /host_blocks_frame/,
    withinMs: 1_000,
  },
  {
    name: 'a default policy that blocks the frame',
    headers: policy(`default-src 'self' 'unsafe-inline'; script-src 'self' ${dialogOrigin}`),
    code: /host_blocks_frame/,
    withinMs: 1_000,
  },
  { name: 'an unknown app', app: apps.unknown, code: /missing_or_invalid_latchkey_app_id/, withinMs: 2_500 },
  {
    name: 'an origin that the app does not list',
    app: apps.unlisted,
    code: /origin_not_allowed/,
    withinMs: 2_500,
  },
  {
    name: 'a dead server',
    more: `data-dialog-url="http://dialog.localhost:${ports.dead}"`,
    code: /server_unreachable/,
    withinMs: 2_500,
  },
  {
    name: 'a server that takes calls and never answers',
    more: `data-dialog-url="http://dialog.localhost:${ports.hanging}"`,
    code: /server_unreachable/,
    withinMs: 27_000,
  },
  {
    name: 'a policy that blocks the question why',
    app: apps.unlisted,
    headers: policy("connect-src 'none'"),
    code: /frame_unresponsive.*connect-src/,
    withinMs: 12_000,
  },
  {
    name: 'a page that lets in only frames with an embedder policy, and is not isolated by it,',
    headers: { 'cross-origin-embedder-policy': 'require-corp' },
    code: /host_blocks_frame.*Cross-Origin-Embedder-Policy: require-corp,.*Cross-Origin-Opener-Policy: same-origin/,
    withinMs: 3_500,
  },
  { name: 'a dialog that never says hello', app: apps.silent, code: /frame_unresponsive/, withinMs: 12_000 },
  {
    name: 'an app id of 24 characters',
    app: 'a'.repeat(24),
    code: /missing_or_invalid_latchkey_app_id:Invalid app id/,
    withinMs: 100,
  },
]

for (const [
  index,
  { name, app = apps.demo, headers = {}, more = '', code, withinMs },
] of failures.entries()) {
  test(`${name} has its own code within ${withinMs} ms`, async () => {
    const { page: host } = await visit(`/failure-${index}`, {
      headers,
      html: pageOf(tag(app, `data-preload="never" ${more}`)),
    })
    await loaded(host)
    const { end, ms } = await ending(host, 'login()')
    assert.match(String(end), code)
    assert.ok(ms < withinMs, `took ${Math.round(ms)} ms`)
    assert.equal(await host.locator('iframe').count(), 0)
    console.log(`    ${Math.round(ms)} ms: ${end}`)
    await leave(host)
  })
}
