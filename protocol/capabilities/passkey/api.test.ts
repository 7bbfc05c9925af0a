/** WebAuthn options on the wire. */
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { assertionOptions } from '../../api/index.ts'
import { fromWire, toWire } from '../../names/naming.ts'

const onWire = {
  challenge: 'Y2hhbGxlbmdl',
  timeout: 300_000,
  rp_id: 'dialog.example',
  allow_credentials: [{ id: 'Zmlyc3Q', type: 'public-key', transports: ['internal', 'hybrid'] }],
  user_verification: 'required',
  extensions: { app_id: 'https://dialog.example', cred_props: { rk: true }, hmac_create_secret: true },
}
const read = (options: object) => v.safeParse(assertionOptions, fromWire(assertionOptions, options))

// spec L3.29
it('challenge options keep all their fields on the wire', () => {
  const { output } = read(onWire)
  expect(output).toEqual({
    challenge: 'Y2hhbGxlbmdl',
    timeout: 300_000,
    rpId: 'dialog.example',
    allowCredentials: [{ id: 'Zmlyc3Q', type: 'public-key', transports: ['internal', 'hybrid'] }],
    userVerification: 'required',
    extensions: { appId: 'https://dialog.example', credProps: { rk: true }, hmacCreateSecret: true },
  })
  expect(toWire(assertionOptions, output)).toEqual(onWire)
})

it.each([
  ['no challenge', { challenge: undefined }],
  ['a timeout that is no number', { timeout: '300000' }],
  ['a credential without an id', { allow_credentials: [{ type: 'public-key' }] }],
  ['a credential of another type', { allow_credentials: [{ id: 'Zmlyc3Q', type: 'password' }] }],
  ['an unknown verification of the user', { user_verification: 'perhaps' }],
])('rejects options with %s', (_name, change) => {
  expect(read(onWire).success).toBe(true)
  expect(read({ ...onWire, ...change }).success).toBe(false)
})
