import { expect, test } from 'vitest'
import { madeLoginMethods, madeSettings } from '../capabilities/made.ts'
import { idleClientSettings } from './settings.ts'

test('a setting that nothing makes real is told of, and no other', () => {
  const config = {
    name: 'Fieldnotes',
    loginMethods: ['email' as const],
    appearance: { theme: 'dark' as const, walletList: ['rainbow'] },
    fiatOnRamp: { enabled: true },
    embeddedWallets: { createOnLogin: 'off' as const },
  }
  expect(idleClientSettings(config, madeSettings)).toEqual([
    'The setting "appearance.walletList" does nothing in this release of Latchkey.',
    'The setting "fiatOnRamp.enabled" does nothing in this release of Latchkey.',
  ])
})

test('what is made real is read without the capabilities themselves', () => {
  expect([...madeLoginMethods].toSorted()).toEqual([
    'apple',
    'discord',
    'email',
    'github',
    'google',
    'instagram',
    'linkedin',
    'passkey',
    'sms',
    'spotify',
    'tiktok',
    'twitter',
  ])
})
