/** Tests that each failure to open the dialog has its own code and deadline, on the clock of the host page. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  apps,
  closePage,
  dialogOrigin,
  loaded,
  policy,
  ports,
  renderPage,
  runCall,
  runTo,
  stopClock,
  tag,
  visit,
} from './stage.ts'

type Failure = {
  name: string
  app?: string
  headers?: Record<string, string>
  more?: string
  code: RegExp
  /**
   * The timeouts that must pass, in ms after the call. The last one ends the call; without any it ends
   * immediately.
   */
  timeoutsMs: number[]
}

const failures: Failure[] = [
  {
    name: 'a policy that blocks the frame',
    headers: policy(`frame-src 'none'`),
    code: /host_blocks_frame/,
    timeoutsMs: [],
  },
  {
    name: 'a default policy that blocks the frame',
    headers: policy(`default-src 'self' 'unsafe-inline'; script-src 'self' ${dialogOrigin}`),
    code: /host_blocks_frame/,
    timeoutsMs: [],
  },
  {
    name: 'an unknown app',
    app: apps.unknown,
    code: /missing_or_invalid_latchkey_app_id/,
    timeoutsMs: [1_000],
  },
  {
    name: 'an origin that the app does not list',
    app: apps.unlisted,
    code: /origin_not_allowed/,
    timeoutsMs: [1_000],
  },
  {
    name: 'a dead server',
    more: `data-dialog-url="http://dialog.localhost:${ports.dead}"`,
    code: /server_unreachable/,
    timeoutsMs: [1_000, 1_050],
  },
  {
    name: 'a server that accepts connections and never answers',
    more: `data-dialog-url="http://dialog.localhost:${ports.hanging}"`,
    code: /server_unreachable/,
    timeoutsMs: [5_000, 25_000, 25_050],
  },
  {
    name: 'a policy that blocks the status request',
    app: apps.unlisted,
    headers: policy("connect-src 'none'"),
    code: /frame_unresponsive.*connect-src/,
    timeoutsMs: [1_000, 1_050, 10_000, 10_050],
  },
  {
    name: 'a page with an embedder policy that is not isolated',
    headers: { 'cross-origin-embedder-policy': 'require-corp' },
    code: /host_blocks_frame.*Cross-Origin-Embedder-Policy: require-corp,.*Cross-Origin-Opener-Policy: same-origin/,
    timeoutsMs: [1_000],
  },
  {
    name: 'a dialog that never makes the handshake',
    app: apps.silent,
    code: /frame_unresponsive/,
    timeoutsMs: [1_000, 10_000],
  },
  {
    name: 'an app id of 24 characters',
    app: 'a'.repeat(24),
    code: /missing_or_invalid_latchkey_app_id:Invalid app id/,
    timeoutsMs: [],
  },
]

for (const [
  index,
  { name, app = apps.demo, headers = {}, more = '', code, timeoutsMs },
] of failures.entries()) {
  const endMs = timeoutsMs.at(-1) ?? 0
  test(`${name} has its own code after ${endMs} ms`, async () => {
    const { page: host } = await visit(
      `/failure-${index}`,
      { headers, html: renderPage(tag(app, `data-preload="never" ${more}`)) },
      (page) => page.clock.install(),
    )
    await loaded(host)
    await stopClock(host)
    const call = runCall(host, 'login()')
    await runTo(host, timeoutsMs, call)
    const { end, ms } = await call
    assert.match(String(end), code)
    assert.equal(ms, endMs)
    assert.equal(await host.locator('iframe').count(), 0)
    await closePage(host)
  })
}
