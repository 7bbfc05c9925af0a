/**
 * Browser tests of the second file, which diagnoses a missing frame. An app that does not list the origin shows
 * whether it ran: only the server knows `origin_not_allowed`. Without it, the code is `server_unreachable`.
 */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Host, SecondFile } from './servers.ts'
import {
  apps,
  closePage,
  dialogOrigin,
  hostOrigin,
  loaded,
  policy,
  renderPage,
  runCall,
  runTo,
  servers,
  stopClock,
  strict,
  tag,
  visit,
} from './stage.ts'

/**
 * The timeouts for a frame that loads an error page, in ms after the call. The first one loads the second file.
 */
const diagnosedMs = [1_000]
const fallbackMs = [1_000, 10_000]

/** Starts a login that cannot succeed, on its own page. Asserts the timeouts after which it ended. */
async function failOn(path: string, host: Host, timeoutsMs: readonly number[], served: SecondFile = 'whole') {
  servers.serveSecondFile(served)
  const { page, violations, errors } = await visit(path, host, (page) => page.clock.install())
  await loaded(page)
  await stopClock(page)
  const call = runCall(page, 'login()')
  await runTo(page, timeoutsMs, call)
  const { end, ms } = await call
  assert.equal(ms, timeoutsMs.at(-1))
  const left = await page.evaluate(() => ({
    altered: 'altered' in window,
    scripts: document.querySelectorAll('script[src*=loader-more]').length,
  }))
  await closePage(page)
  servers.finishSlow()
  servers.serveSecondFile('whole')
  return { end: String(end), violations, errors, ...left }
}

const unlisted = renderPage(tag(apps.unlisted, 'data-preload="never"'))
const diagnosed = /^LatchkeyError:origin_not_allowed:/
const fallback =
  /^LatchkeyError:server_unreachable:.*\/loader-more\.js did not run: check its server, script-src, trusted-types latchkey and ad blockers/

test('the second file diagnoses the failure, and leaves nothing on the page', async () => {
  const { end, scripts } = await failOn('/more', { html: unlisted }, diagnosedMs)
  assert.match(end, diagnosed)
  assert.equal(scripts, 0)
})

test('an altered second file does not run', async () => {
  const { end, altered, errors } = await failOn('/more-altered', { html: unlisted }, fallbackMs, 'altered')
  assert.match(end, fallback)
  assert.equal(altered, false)
  assert.match(errors.join(), /integrity/)
})

test('a missing second file leads to the fallback error at the handshake deadline', async () => {
  const { end } = await failOn('/more-absent', { html: unlisted }, fallbackMs, 'absent')
  assert.match(end, fallback)
})

test('the loader waits 5 s for a second file that never loads, once in parallel with the frame and once after it', async () => {
  const timeoutsMs = [1_000, 6_000, 10_000, 15_000]
  const { end } = await failOn('/more-hanging', { html: unlisted }, timeoutsMs, 'hanging')
  assert.match(end, /^LatchkeyError:server_unreachable:.* did not answer$/)
})

test('a policy that allows only the first file leads to the fallback error', async () => {
  const { end, violations } = await failOn(
    '/more-blocked',
    { headers: policy(`script-src 'self' ${dialogOrigin}/loader/v1/`), html: unlisted },
    fallbackMs,
  )
  assert.match(end, fallback)
  assert.match(violations.join(), /loader-more\.js/)
})

test('the second file runs without a violation under a strict policy with Trusted Types', async () => {
  const { end, violations } = await failOn(
    '/more-strict',
    { headers: policy(strict), html: unlisted },
    diagnosedMs,
  )
  assert.match(end, diagnosed)
  // The server's own policy refuses the frame, not the host's.
  assert.deepEqual(
    violations.filter((text) => !text.includes('frame-ancestors')),
    [],
  )
})

test('a page that does not allow our Trusted Types policy name gets the fallback error', async () => {
  const { end } = await failOn(
    '/more-untrusted',
    { headers: policy(strict.replace('trusted-types latchkey', 'trusted-types theirs')), html: unlisted },
    fallbackMs,
  )
  assert.match(end, fallback)
})

test('a page that lists Trusted Types policies without requiring them loads the second file', async () => {
  const { end } = await failOn(
    '/more-named',
    { headers: policy('trusted-types theirs'), html: unlisted },
    diagnosedMs,
  )
  assert.match(end, diagnosed)
})

test('the second file reuses the nonce of the script', async () => {
  const { end, violations } = await failOn(
    '/more-nonce',
    {
      headers: policy("script-src 'self' 'nonce-bm9uY2U='"),
      html: renderPage(tag(apps.unlisted, 'data-preload="never" nonce="bm9uY2U="')),
    },
    diagnosedMs,
  )
  assert.match(end, diagnosed)
  assert.deepEqual(
    violations.filter((text) => !text.includes('frame-ancestors')),
    [],
  )
})

test('the module loads the second file from its own folder', async () => {
  const { page } = await visit('/more-module', { html: renderPage('') }, (page) => page.clock.install())
  const endOn = async (appId: string, timeoutsMs: readonly number[]) => {
    await stopClock(page)
    const end = page.evaluate(
      async ([id, dialogUrl]) => {
        const { createLatchkey, LatchkeyError } = await window.importModule(`${location.origin}/index.js`)
        const latchkey = createLatchkey({ appId: id, dialogUrl, preload: 'never' })
        const failed = (error: { code: string; message: string }) => {
          const kind = error instanceof LatchkeyError ? 'LatchkeyError' : 'Error'
          return `${kind}:${error.code}:${error.message}`
        }
        return latchkey.login().then(() => 'it resolved', failed)
      },
      [appId, dialogOrigin] as const,
    )
    await runTo(page, timeoutsMs, end)
    return end
  }
  assert.match(await endOn(apps.unlisted, diagnosedMs), diagnosed)
  await page.route(`${hostOrigin}/more.js`, (route) => route.abort())
  await page.reload()
  assert.match(
    await endOn(apps.unlisted, fallbackMs),
    /^LatchkeyError:server_unreachable:.*Could not load.*more\.js.*script-src and ad blockers/,
  )
  await closePage(page)
})
