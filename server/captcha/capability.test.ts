import { expect, test } from 'vitest'
import type { App } from '../apps/apps.ts'
import { answersOf, environmentOf } from '../capability.ts'
import { configFrom } from '../config.ts'
import { dialogPolicy } from '../http/headers.ts'
import { appWith } from '../testing/app.ts'
import { captcha } from './capability.ts'

const appHaving = (captchaEnabled: boolean) => appWith({ captchaEnabled, captchaSiteKey: 't:0x4AAAsite' })
const { addressesFor, sourcesFor } = answersOf([captcha], configFrom({}, environmentOf([captcha])))
const policyOf = (app: App) =>
  dialogPolicy({
    ancestors: [],
    walletOrigin: 'http://wallet.test',
    customApiUrl: null,
    images: [],
    sources: sourcesFor(app),
  })

test("the dialog of an app with a captcha may load Turnstile's script and frame, and knows where they are", () => {
  const app = appHaving(true)
  expect(addressesFor(app)).toEqual({ captcha: 'https://challenges.cloudflare.com' })
  const policy = policyOf(app).split('; ')
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com")
  expect(policy).toContain('frame-src http://wallet.test https://challenges.cloudflare.com')
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain('trusted-types default')
  expect(policy).toContain("connect-src 'self'")
})

test('that of an app without one has no room for them', () => {
  const app = appHaving(false)
  expect(addressesFor(app)).toEqual({})
  expect(policyOf(app)).not.toContain('cloudflare')
  expect(policyOf(app).split('; ')).toContain("trusted-types 'none'")
})
