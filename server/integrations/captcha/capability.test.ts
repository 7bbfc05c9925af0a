import { expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { answersOf, environmentOf } from '../../kernel/capability.ts'
import { configFrom } from '../../kernel/config.ts'
import { dialogPolicy } from '../../kernel/http/pages/headers.ts'
import type { Reader } from '../../kernel/ports.ts'
import { appWith } from '../../testing/app.ts'
import { captcha } from './capability.ts'

const appHaving = (captchaEnabled: boolean) => appWith({ captchaEnabled, captchaSiteKey: 't:0x4AAAsite' })
const { addressesFor, sourcesFor } = answersOf([captcha], configFrom({}, environmentOf([captcha])))
const policyOf = async (app: App) =>
  dialogPolicy({
    ancestors: [],
    walletOrigin: 'http://wallet.test',
    customApiUrl: null,
    images: [],
    sources: await sourcesFor(app, {} as Reader),
  })

test("the dialog of an app with a captcha may load Turnstile's script and frame, and knows where they are", async () => {
  const app = appHaving(true)
  expect(addressesFor(app)).toEqual({ captcha: 'https://challenges.cloudflare.com' })
  const policy = (await policyOf(app)).split('; ')
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com")
  expect(policy).toContain('frame-src http://wallet.test https://challenges.cloudflare.com')
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain('trusted-types default')
  expect(policy).toContain("connect-src 'self'")
})

test('that of an app without one has no room for them', async () => {
  const app = appHaving(false)
  expect(addressesFor(app)).toEqual({})
  expect(await policyOf(app)).not.toContain('cloudflare')
  expect((await policyOf(app)).split('; ')).toContain("trusted-types 'none'")
})
