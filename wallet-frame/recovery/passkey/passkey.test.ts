/** Recovery by a passkey, from the dialog's call to the server's row: set, set again, used, another one. */
import { describe, expect, it } from 'vitest'
import { appId, assertionBy, heldPasskey, openFrame } from '../../testing/frame.ts'
import { emptyDisk } from '../../testing/memory-database.ts'
import { walletServer } from '../../testing/server/wallet-server.ts'
import { type Means, openPlainly, recoveryMethodFacts } from '../testing/method.facts.ts'

const notThis = expect.objectContaining({ code: 'invalid_recovery_pin' })
const refused = expect.objectContaining({ code: 'disallowed_recovery_method' })
const incomplete = expect.objectContaining({ code: 'invalid_request_arguments' })
const forms = ['hex', 'base64', 'base64url'] as const

/** A wallet with a passkey, and the device on which it was set. */
async function withPasskey() {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  const frame = openFrame({ server, disk })
  const { address } = await frame.create()
  const passkey = heldPasskey('first')
  const set = await frame.setPasskey(address, passkey)
  const device = () => openFrame({ server, disk: emptyDisk() })
  return { server, disk, frame, address, passkey, set, device }
}

const byPasskey = (passkey: ReturnType<typeof heldPasskey>): Means => ({
  open: openPlainly,
  set: (frame, address) => frame.setPasskey(address, passkey),
  create: (frame) => frame.createByPasskey(passkey),
  recover: (frame, address) => frame.recoverByPasskey(address, passkey),
})

describe('recovery by a passkey', () => {
  recoveryMethodFacts({
    name: 'passkey',
    means: () => byPasskey(heldPasskey('first')),
    wrong: { means: () => byPasskey(heldPasskey('second')), code: 'invalid_recovery_pin' },
  })

  it('recovers the wallet on a new device, where neither another passkey nor another method does', async () => {
    const { address, passkey, device } = await withPasskey()
    const there = device()
    await expect(there.connect(address)).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    await expect(there.recover(address)).rejects.toEqual(refused)
    await expect(there.recoverBy(address, 'icloud')).rejects.toEqual(refused)
    await expect(there.recoverByPasskey(address, heldPasskey('other'))).rejects.toEqual(notThis)
    await expect(there.connect(address)).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    expect(await there.recoverByPasskey(address, passkey)).toEqual({ address })
    expect((await there.sign(address)).address).toBe(address)
  })

  it('opens nothing with the right assertion and another secret', async () => {
    const { address, passkey, device } = await withPasskey()
    const other = { ...passkey, secret: heldPasskey('other').secret }
    await expect(device().recoverByPasskey(address, other)).rejects.toMatchObject({
      code: 'error',
      details: { code: 'envelope_refused' },
    })
    expect(await device().recoverByPasskey(address, passkey)).toEqual({ address })
  })

  it('is replaced by a password that the user sets', async () => {
    const { server, frame, address, passkey, device } = await withPasskey()
    await frame.setPassword(address, 'correct-horse-battery')
    expect(server.walletOf('user_1')).toMatchObject({ generation: 3, recoveryMethod: 'user-passcode' })
    await expect(device().recoverByPasskey(address, passkey)).rejects.toEqual(refused)
  })

  it('derives another key for each generation from the same secret', async () => {
    const { server, frame, address, passkey, device } = await withPasskey()
    const storedNow = () => Buffer.from(server.walletOf('user_1')?.recovery as Uint8Array<ArrayBuffer>)
    const old = Uint8Array.from(storedNow())
    await frame.setPasskey(address, passkey)
    const present = server.walletOf('user_1')
    if (!present) throw new Error('There is no wallet')
    // The old envelope in place of the new one, labelled with the new generation.
    const lie = JSON.stringify({ ...JSON.parse(Buffer.from(old).toString()), gen: 3 })
    const now = present.recovery
    Object.assign(present, { recovery: new Uint8Array(Buffer.from(lie)) })
    await expect(device().recoverByPasskey(address, passkey)).rejects.toMatchObject({
      details: { code: 'envelope_refused' },
    })
    Object.assign(present, { recovery: now })
    expect(await device().recoverByPasskey(address, passkey)).toEqual({ address })
  })

  it('is rejected without a credential ID when it is new, and without an assertion otherwise', async () => {
    const { server, frame, address, passkey, device } = await withPasskey()
    const sealed = { v: 1, enc: 'AA', ct: 'AA' } as const
    const givenIn = (one: typeof frame, given: object) =>
      one.giveInWindow('passkey', async () => ({ passkey: { secret: sealed, ...given } }))
    const setting = { ...(await frame.begin('set-recovery')), address }
    const answer = { authenticatorResponse: assertionBy(passkey.credentialId) }
    await expect(
      frame.call('wallet:set-recovery', { ...setting, ...(await givenIn(frame, answer)) }),
    ).rejects.toEqual(incomplete)
    const there = device()
    const step = { ...(await there.begin('recover')), address }
    for (const given of [{ credentialId: passkey.credentialId }, { authenticatorResponse: { id: 'AA' } }])
      await expect(
        there.call('wallet:recover', { ...step, ...(await givenIn(there, given)) }),
      ).rejects.toEqual(incomplete)
    expect(server.asked.map(({ path }) => path)).not.toContain('/wallets/recovery/passkey')
    expect(server.walletOf('user_1')?.generation).toBe(2)
  })

  it('is rejected with a secret of the wrong length', async () => {
    const { frame, address, passkey } = await withPasskey()
    for (const length of [0, 16, 31, 33, 64])
      await expect(
        frame.setPasskey(address, { ...passkey, secret: new Uint8Array(length) }),
        String(length),
      ).rejects.toEqual(incomplete)
  })

  it('reveals no secret to the page or the server', async () => {
    const { server, address, passkey, device } = await withPasskey()
    await device().recoverByPasskey(address, passkey)
    const sent = JSON.stringify(server.asked.map(({ body, headers }) => [body, [...headers]]))
    expect(sent).toContain(passkey.credentialId)
    for (const form of forms)
      expect(sent).not.toContain(Buffer.from(passkey.secret).toString(form).replace(/=+$/, ''))
    const stored = Buffer.from(server.walletOf('user_1')?.recovery as Uint8Array<ArrayBuffer>).toString()
    expect(JSON.parse(stored)).toMatchObject({ alg: 'A256GCM', kdf: 'webauthn-prf', gen: 2 })
    // Sealed in both directions: the page has the key material, but never the envelope too.
    expect(sent).not.toContain(JSON.parse(stored).ct)
  })
})
