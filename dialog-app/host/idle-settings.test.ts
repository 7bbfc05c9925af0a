import { expect, test } from 'vitest'
import { usedSettings } from '../capabilities/client-settings.ts'
import { idleClientSettings, idleLoginMethods } from './idle-settings.ts'

test('warns once about an unknown login method in several lists', () => {
  const primary = ['email', 'metamask']
  expect(
    idleLoginMethods({ loginMethodsAndOrder: { primary, overflow: ['metamask', 'constructor'] } }),
  ).toEqual([
    'The login method "metamask" does nothing in this release of Latchkey.',
    'The login method "constructor" does nothing in this release of Latchkey.',
  ])
})

test('does not warn about existing methods', () => {
  expect(idleLoginMethods({ loginMethods: ['email', 'wallet', 'telegram'] })).toEqual([])
  expect(idleLoginMethods({})).toEqual([])
  expect(idleLoginMethods({ loginMethods: ['latchkey:lkdemo0000000000000000002'] })).toEqual([])
  expect(idleLoginMethods({ loginMethodsAndOrder: { primary: ['latchkey:short'] } })).toHaveLength(1)
})

// spec L3.17, L3.18, L3.19, L3.20, L3.21, W3.13
test('has no idle setting among those of the specification', () => {
  const specified = `
    name legal.requireUsersAcceptTerms legal.termsAndConditionsUrl legal.privacyPolicyUrl intl.defaultCountry
    loginMethods loginMethodsAndOrder.primary loginMethodsAndOrder.overflow
    appearance.landingHeader appearance.loginMessage appearance.loginGroupPriority appearance.hideDirectWeb2Inputs
    appearance.walletList appearance.palette loginConfig.twitterOAuthOnMobileEnabled
    allowlistConfig.errorTitle allowlistConfig.errorDetail allowlistConfig.ctaText allowlistConfig.ctaLink
    telegram.botId telegram.botName telegram.seamlessAuthEnabled telegram.linkEnabled
    embeddedWallets.createOnLogin captchaEnabled captchaSiteKey`
  const given: Record<string, unknown> = {}
  for (const [group = '', name] of specified
    .trim()
    .split(/\s+/)
    .map((path) => path.split('.'))) {
    given[group] = name === undefined ? [] : { ...Object(given[group]), [name]: true }
  }
  expect(idleClientSettings(given, usedSettings)).toEqual([])
})

test('warns only about settings that no capability implements', () => {
  const config = {
    name: 'Fieldnotes',
    loginMethods: ['email' as const],
    appearance: { theme: 'dark' as const },
    rpcUrl: 'https://rpc.example',
    embeddedWallets: { createOnLogin: 'off' as const },
  }
  expect(idleClientSettings(config, usedSettings)).toEqual([
    'The setting "rpcUrl" does nothing in this release of Latchkey.',
  ])
})
