import { defaultAppSettings } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { defaultApprovalSettings } from '../apps/approval-settings.ts'
import type { App } from '../apps/apps.ts'
import { answersOf, environmentOf } from '../capability.ts'
import { configFrom } from '../config.ts'
import { dialogPolicy } from '../http/headers.ts'
import { captcha } from './capability.ts'

const appWith = (captchaEnabled: boolean): App => ({
  id: 'lktest0000000000000000001',
  name: 'Fieldnotes',
  config: {
    ...defaultAppSettings,
    id: 'lktest0000000000000000001',
    name: 'Fieldnotes',
    verificationKey: '',
    createdAt: 0,
    updatedAt: 0,
    captchaEnabled,
    captchaSiteKey: 't:0x4AAAsite',
  },
  approvals: defaultApprovalSettings,
  allowedOrigins: [],
  environment: 'development',
  sessionMode: 'storage',
  maxUsers: null,
})
const { addressesFor, sourcesFor } = answersOf([captcha], configFrom({}, environmentOf([captcha])))
const policyOf = (app: App) =>
  dialogPolicy({
    ancestors: [],
    walletOrigin: 'http://wallet.test',
    customApiUrl: null,
    sources: sourcesFor(app),
  })

test("the dialog of an app with a captcha may load Turnstile's script and frame, and knows where they are", () => {
  const app = appWith(true)
  expect(addressesFor(app)).toEqual({ captcha: 'https://challenges.cloudflare.com' })
  const policy = policyOf(app).split('; ')
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com")
  expect(policy).toContain('frame-src http://wallet.test https://challenges.cloudflare.com')
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain('trusted-types default')
  expect(policy).toContain("connect-src 'self'")
})

test('that of an app without one has no room for them', () => {
  const app = appWith(false)
  expect(addressesFor(app)).toEqual({})
  expect(policyOf(app)).not.toContain('cloudflare')
  expect(policyOf(app).split('; ')).toContain("trusted-types 'none'")
})
