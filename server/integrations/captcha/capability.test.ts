import { expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { collectEnvironment, combineCapabilities } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { dialogPolicy } from '../../kernel/http/pages/headers.ts'
import type { Reader } from '../../kernel/ports.ts'
import { appWith } from '../../testing/app.ts'
import { captcha } from './capability.ts'

const appHaving = (captchaSiteKey: string | null) => appWith({ captchaEnabled: false, captchaSiteKey })
const { addressesFor, sourcesFor } = combineCapabilities(
  [captcha],
  parseConfig({}, collectEnvironment([captcha])),
)
const policyOf = async (app: App) =>
  dialogPolicy({
    ancestors: [],
    walletOrigin: 'http://wallet.test',
    customApiUrl: null,
    images: [],
    sources: await sourcesFor(app, {} as Reader),
  })

// A host page may turn the captcha on (spec W3.13).
test("allows Turnstile's script and frame, and passes their address, in the dialog of an app with a site key", async () => {
  const app = appHaving('t:0x4AAAsite')
  expect(addressesFor(app)).toEqual({ captcha: 'https://challenges.cloudflare.com' })
  const policy = (await policyOf(app)).split('; ')
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com")
  expect(policy).toContain('frame-src http://wallet.test https://challenges.cloudflare.com')
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain('trusted-types default')
  expect(policy).toContain("connect-src 'self'")
})

test('allows no Turnstile sources in the dialog of an app without a site key', async () => {
  const app = appHaving(null)
  expect(addressesFor(app)).toEqual({})
  expect(await policyOf(app)).not.toContain('cloudflare')
  expect((await policyOf(app)).split('; ')).toContain("trusted-types 'none'")
})
