import * as v from 'valibot'
import { expect, test } from 'vitest'
import { frameMessages } from './frame-messages.ts'

test.each([
  [undefined, true],
  [null, true],
  [0, true],
  [1, false],
  ['0', false],
])('farcaster:init-signer only accepts the first account: hdWalletIndex %j', (hdWalletIndex, isTaken) => {
  const asked = {
    accessToken: 'token',
    operation: { id: 'A'.repeat(22), step: 1 },
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    ...(hdWalletIndex !== undefined && { hdWalletIndex }),
  }
  expect(v.safeParse(frameMessages.calls['farcaster:init-signer'], asked).success).toBe(isTaken)
})
