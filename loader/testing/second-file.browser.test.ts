/**
 * The second file: it finds out why a frame does not come. Whether it ran shows in the code of an app that does not
 * list the origin, which only the server knows: `origin_not_allowed`, or else `server_unreachable` in its time.
 */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Host, SecondFile } from './servers.ts'
import {
  apps,
  dialogOrigin,
  ending,
  hostOrigin,
  leave,
  loaded,
  pageOf,
  policy,
  runTo,
  servers,
  stopClock,
  strict,
  tag,
  visit,
} from './stage.ts'

/** The timeouts of a frame that loads an error page, in ms after the call: the first starts the second file. */
const diagnosedMs = [1_000]
const fallbackMs = [1_000, 10_000]

/** Makes a login that cannot succeed, on its own page. Asserts after which timeouts it ended. */
async function failOn(path: string, host: Host, timeoutsMs: readonly number[], served: SecondFile = 'whole') {
  servers.serveSecondFile(served)
  const { page, violations, errors } = await visit(path, host, (page) => page.clock.install())
  await loaded(page)
  await stopClock(page)
  const call = ending(page, 'login()')
  await runTo(page, timeoutsMs, call)
  const { end, ms } = await call
  assert.equal(ms, timeoutsMs.at(-1))
  const left = await page.evaluate(() => ({
    altered: 'altered' in window,
    scripts: document.querySelectorAll('script[src*=loader-more]').length,
  }))
  await leave(page)
  servers.finishSlow()
  servers.serveSecondFile('whole')
  return { end: String(end), violations, errors, ...left }
}

const unlisted = pageOf(tag(apps.unlisted, 'data-preload="never"'))
const toldWhy = /^LatchkeyError:origin_not_allowed:/
const fallback =
  /^LatchkeyError:server_unreachable:.*\/loader-more\.js did not run: check its server, script-src, trusted-types latchkey and ad blockers/

test('the second file tells why, and leaves nothing on the page', async () => {
  const { end, scripts } = await failOn('/more', { html: unlisted }, diagnosedMs)
  assert.match(end, toldWhy)
  assert.equal(scripts, 0)
})

test('an altered second file does not run', async () => {
  const { end, altered, errors } = await failOn('/more-altered', { html: unlisted }, fallbackMs, 'altered')
  assert.match(end, fallback)
  assert.equal(altered, false)
  assert.match(errors.join(), /integrity/)
})

test('a missing second file leaves the fallback at the deadline of the handshake', async () => {
  const { end } = await failOn('/more-absent', { html: unlisted }, fallbackMs, 'absent')
  assert.match(end, fallback)
})

test('the loader waits 5 s for a second file that never comes, once beside the frame and once after it', async () => {
  const timeoutsMs = [1_000, 6_000, 10_000, 15_000]
  const { end } = await failOn('/more-hanging', { html: unlisted }, timeoutsMs, 'hanging')
  assert.match(end, /^LatchkeyError:server_unreachable:.* did not answer$/)
})

test('a policy that allows the first file alone leaves the fallback', async () => {
  const { end, violations } = await failOn(
    '/more-blocked',
    { headers: policy(`script-src 'self' ${dialogOrigin}/loader/v1/`), html: unlisted },
    fallbackMs,
  )
  assert.match(end, fallback)
  assert.match(violations.join(), /loader-more\.js/)
})

test('a strict policy, Trusted Types included, lets the second file run without a violation', async () => {
  const { end, violations } = await failOn(
    '/more-strict',
    { headers: policy(strict), html: unlisted },
    diagnosedMs,
  )
  assert.match(end, toldWhy)
  // The frame itself is refused, by the server's policy and not by the host's.
  assert.deepEqual(
    violations.filter((text) => !text.includes('frame-ancestors')),
    [],
  )
})

test('a page that allows no Trusted Types policy of our name gets the fallback', async () => {
  const { end } = await failOn(
    '/more-untrusted',
    { headers: policy(strict.replace('trusted-types latchkey', 'trusted-types theirs')), html: unlisted },
    fallbackMs,
  )
  assert.match(end, fallback)
})

test('a page that names Trusted Types policies without demanding them gets the second file', async () => {
  const { end } = await failOn(
    '/more-named',
    { headers: policy('trusted-types theirs'), html: unlisted },
    diagnosedMs,
  )
  assert.match(end, toldWhy)
})

test('a page that trusts scripts by nonce gives it to the second file too', async () => {
  const { end, violations } = await failOn(
    '/more-nonce',
    {
      headers: policy("script-src 'self' 'nonce-bm9uY2U='"),
      html: pageOf(tag(apps.unlisted, 'data-preload="never" nonce="bm9uY2U="')),
    },
    diagnosedMs,
  )
  assert.match(end, toldWhy)
  assert.deepEqual(
    violations.filter((text) => !text.includes('frame-ancestors')),
    [],
  )
})

test('the module finds its second file beside it', async () => {
  const { page } = await visit('/more-module', { html: pageOf('') }, (page) => page.clock.install())
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
  assert.match(await endOn(apps.unlisted, diagnosedMs), toldWhy)
  await page.route(`${hostOrigin}/more.js`, (route) => route.abort())
  await page.reload()
  assert.match(
    await endOn(apps.unlisted, fallbackMs),
    /^LatchkeyError:server_unreachable:.*Could not load.*more\.js.*script-src and ad blockers/,
  )
  await leave(page)
})
