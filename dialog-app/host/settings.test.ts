import { clientConfigSchema } from '@latchkey/protocol'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { makeSettings, visitorUser } from '../testing/fixtures.ts'
import {
  appName,
  createOnLogin,
  groupPriority,
  iconAddress,
  iconUrl,
  logoUrl,
  mustAcceptTerms,
  needsLogoFetch,
  privacyUrl,
  requiresRecoveryChoice,
  requiresTerms,
  termsUrl,
} from './settings.ts'

type AppPart = Parameters<typeof makeSettings>[0]
type HostPart = Parameters<typeof makeSettings>[1]
type Row = readonly [setting: string, app: AppPart, host: HostPart, together: unknown]

describe('settings of app and host page', () => {
  const read: { [setting: string]: (settings: ReturnType<typeof makeSettings>) => unknown } = {
    appName,
    logoUrl,
    iconUrl,
    iconAddress,
    logoIsElsewhere: needsLogoFetch,
    termsUrl,
    privacyUrl,
    requiresTerms,
    createOnLogin,
    recoveryIsChosen: requiresRecoveryChoice,
    groupPriority,
  }
  const link = 'https://app.example/x'
  const ofHost = 'https://host.example/x'
  const elsewhere = 'https://cdn.example/x'
  const png = 'data:image/png;base64,AAAA'
  const table: readonly Row[] = [
    // The host page's texts and appearance win.
    ['appName', { name: 'App' }, {}, 'App'],
    ['appName', { name: 'App' }, { name: 'Host' }, 'Host'],
    ['logoUrl', { logoUrl: link }, {}, link],
    ['logoUrl', { logoUrl: link }, { appearance: { logo: ofHost } }, ofHost],
    ['logoUrl', { logoUrl: link, iconUrl: elsewhere }, { appearance: { logo: elsewhere } }, elsewhere],
    ['iconUrl', { logoUrl: link }, { appearance: { logo: ofHost } }, ofHost],
    ['logoIsElsewhere', {}, { appearance: { logo: ofHost } }, false],
    ['logoIsElsewhere', { iconUrl: elsewhere }, { appearance: { logo: elsewhere } }, false],
    ['logoIsElsewhere', {}, { appearance: { logo: png } }, false],
    ['logoIsElsewhere', {}, { appearance: { logo: '' } }, false],
    ['logoIsElsewhere', { logoUrl: link }, {}, false],
    // The page's CSP allows no other image origins, so the loader fetches such an image.
    ['logoUrl', { logoUrl: link }, { appearance: { logo: elsewhere } }, link],
    ['iconUrl', { iconUrl: link }, { appearance: { logo: elsewhere } }, link],
    ['logoIsElsewhere', { logoUrl: link }, { appearance: { logo: elsewhere } }, true],
    ['logoIsElsewhere', {}, { appearance: { logo: 'https://host.example.elsewhere.example/x' } }, true],
    // A wallet on another device loads the image itself.
    ['iconAddress', { iconUrl: link }, { appearance: { logo: elsewhere } }, elsewhere],
    ['iconAddress', { iconUrl: link, logoUrl: ofHost }, {}, link],
    ['iconAddress', { logoUrl: link }, {}, link],
    ['iconAddress', { iconUrl: png, logoUrl: link }, { appearance: { logo: png } }, link],
    ['iconAddress', { iconUrl: png }, { appearance: { logo: png } }, undefined],
    ['iconAddress', { iconUrl: link }, { appearance: { logo: '' } }, undefined],
    ['logoUrl', { logoUrl: link }, { appearance: { logo: png } }, png],
    ['logoUrl', { logoUrl: link }, { appearance: { logo: '' } }, undefined],
    ['termsUrl', { termsAndConditionsUrl: link }, {}, link],
    ['termsUrl', {}, {}, undefined],
    ['termsUrl', { termsAndConditionsUrl: link }, { legal: { termsAndConditionsUrl: ofHost } }, ofHost],
    ['privacyUrl', { privacyPolicyUrl: link }, { legal: { privacyPolicyUrl: ofHost } }, ofHost],
    ['createOnLogin', { embeddedWalletConfig: { createOnLogin: 'off' } }, {}, 'off'],
    [
      'createOnLogin',
      { embeddedWalletConfig: { createOnLogin: 'off' } },
      { embeddedWallets: { createOnLogin: 'all-users' } },
      'all-users',
    ],
    [
      'createOnLogin',
      { embeddedWalletConfig: { createOnLogin: 'off' } },
      { embeddedWallets: { createOnLogin: { ethereum: 'all-users' } } },
      'all-users',
    ],
    [
      'createOnLogin',
      { embeddedWalletConfig: { createOnLogin: 'off' } },
      { embeddedWallets: { createOnLogin: { solana: 'all-users' } } },
      'off',
    ],
    // A value that is no image URL is ignored.
    ['logoUrl', { logoUrl: link }, { appearance: { logo: 'http://host.example/logo.png' } }, link],
    ['logoUrl', { logoUrl: link }, { appearance: { logo: 'javascript:alert(1)' } }, link],
    ['logoUrl', { logoUrl: link }, { appearance: { logo: 'data:text/html;base64,AAAA' } }, link],
    ['logoUrl', { logoUrl: null }, { appearance: { logo: '/logo.png' } }, undefined],
    // The host page may add user protection, but not remove it.
    ['requiresTerms', {}, {}, false],
    ['requiresTerms', {}, { legal: { requireUsersAcceptTerms: true } }, true],
    ['requiresTerms', { requireUsersAcceptTerms: true }, { legal: { requireUsersAcceptTerms: false } }, true],
    ['recoveryIsChosen', {}, {}, false],
    ['recoveryIsChosen', {}, { embeddedWallets: { requireUserOwnedRecoveryOnCreate: true } }, true],
    [
      'recoveryIsChosen',
      { embeddedWalletConfig: { requireUserOwnedRecoveryOnCreate: true } },
      { embeddedWallets: { requireUserOwnedRecoveryOnCreate: false } },
      true,
    ],
    ['recoveryIsChosen', { embeddedWalletConfig: { requireUserPasswordOnCreate: true } }, {}, true],
    // spec L3.22
    ['groupPriority', {}, {}, 'web2-first'],
    ['groupPriority', { showWalletLoginFirst: true }, {}, 'web3-first'],
    [
      'groupPriority',
      { showWalletLoginFirst: true },
      { appearance: { loginGroupPriority: 'web2-first' } },
      'web2-first',
    ],
  ]
  test.each(table)('%s, of %j and %j: %j', (setting, app, host, together) => {
    const settings = { ...makeSettings(app, host), hostOrigin: 'https://host.example' }
    expect(read[setting]?.(settings)).toEqual(together)
  })

  test('requires accepted terms from users without acceptance and from unknown users, if the app requires terms', () => {
    const [required, free] = [makeSettings({ requireUsersAcceptTerms: true }), makeSettings()]
    const accepted = { ...visitorUser, hasAcceptedTerms: true }
    expect([undefined, visitorUser, accepted].map((user) => mustAcceptTerms(required, user))).toEqual([
      true,
      true,
      false,
    ])
    expect([undefined, visitorUser, accepted].map((user) => mustAcceptTerms(free, user))).toEqual([
      false,
      false,
      false,
    ])
  })

  test.each([
    ['legal', 'termsAndConditionsUrl'],
    ['legal', 'privacyPolicyUrl'],
    ['allowlistConfig', 'ctaLink'],
  ])('accepts only https links from the host page: %s.%s', (group, name) => {
    const takes = (address: string) =>
      v.safeParse(clientConfigSchema, { [group]: { [name]: address } }).success
    expect(takes('https://host.example/x')).toBe(true)
    for (const other of ['http://host.example/x', 'javascript:alert(1)', 'data:text/html,x', '/x']) {
      expect(takes(other)).toBe(false)
    }
  })
})
