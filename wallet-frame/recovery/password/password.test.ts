/** Recovery by a password, from the dialog's call to the server's row: set, changed, used, wrong. */
import { describe, expect, it } from 'vitest'
import { appId, openFrame } from '../../testing/frame.ts'
import { emptyDisk } from '../../testing/memory-database.ts'
import { walletServer } from '../../testing/server/wallet-server.ts'
import { hashPassword, type PasswordHash } from '../../vault/recovery/password.ts'
import { type Means, openPlainly, recoveryMethodFacts } from '../testing/method.facts.ts'

const wrong = expect.objectContaining({ code: 'invalid_recovery_pin' })
const password = 'correct-horse-battery'
/** A wallet with a password, and the device on which it was set. */
async function withPassword(options: { hashPassword?: PasswordHash } = {}) {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  const frame = openFrame({ ...options, server, disk })
  const { address } = await frame.create()
  const set = await frame.setPassword(address, password)
  return { server, disk, frame, address, set }
}

const byPassword = (secret: string): Means => ({
  open: openPlainly,
  set: (frame, address) => frame.setPassword(address, secret),
  create: (frame) => frame.createWith(secret),
  recover: (frame, address) => frame.recoverWith(address, secret),
})

describe('recovery by a password', () => {
  // spec W1.1, W7.29
  recoveryMethodFacts({
    name: 'user-passcode',
    means: () => byPassword(password),
    wrong: { means: () => byPassword('another-one'), code: 'invalid_recovery_pin' },
  })

  it('recovers the wallet on a new device, where no other password does', async () => {
    const { server, address } = await withPassword({ hashPassword })
    const device = openFrame({ server, disk: emptyDisk(), hashPassword })
    await expect(device.connect(address)).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    await expect(device.recoverWith(address, 'correct-horse-Battery')).rejects.toEqual(wrong)
    await expect(device.connect(address)).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    expect(server.wrongPasswords('user_1')).toBe(1)
    expect(await device.recoverWith(address, password)).toEqual({ address })
    expect((await device.sign(address)).address).toBe(address)
  })

  it('verifies the password on a device with a share, which it keeps', async () => {
    const { frame, address } = await withPassword()
    await expect(frame.recoverWith(address, 'correct-horse-Battery')).rejects.toEqual(wrong)
    expect((await frame.sign(address)).address).toBe(address)
    expect(await frame.recoverWith(address, password)).toEqual({ address })
    expect((await frame.sign(address)).address).toBe(address)
  })

  it('can be set on a device without a share only after a recovery there', async () => {
    const { server, address } = await withPassword()
    const device = openFrame({ server, disk: emptyDisk() })
    await expect(device.setPassword(address, 'another-one')).rejects.toMatchObject({
      code: 'wallet_not_on_device',
    })
    expect(server.walletOf('user_1')?.generation).toBe(2)
  })

  it('is required on a device with an old share, which stays until the new one opens', async () => {
    const server = await walletServer(appId)
    const [here, there] = [emptyDisk(), emptyDisk()]
    const { address } = await openFrame({ server, disk: here }).create()
    await openFrame({ server, disk: there }).recover(address)
    await openFrame({ server, disk: here }).setPassword(address, password)
    const other = openFrame({ server, disk: there })
    await expect(other.connect(address)).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    await expect(other.recoverWith(address, 'wrong one')).rejects.toEqual(wrong)
    expect([...there.records.keys()]).toEqual(['committed:wallet_user_1:1'])
    await other.recoverWith(address, password)
    expect([...there.records.keys()]).toEqual(['committed:wallet_user_1:2'])
    expect((await other.sign(address)).address).toBe(address)
  })

  it('sends the password in no form that the page or the server could read', async () => {
    const { server, address } = await withPassword()
    const device = openFrame({ server, disk: emptyDisk() })
    await device.recoverWith(address, password)
    const sent = JSON.stringify(server.asked.map(({ body }) => body))
    for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const)
      expect(sent).not.toContain(Buffer.from(password).toString(encoding).replace(/=+$/, ''))
  })

  it('rejects parameters of the server that cost less than the minimum', async () => {
    const { server, address } = await withPassword({ hashPassword })
    const cheap = [
      { memory_kib: 65_535 },
      { iterations: 2 },
      { parallelism: 0 },
      { salt: 'AAAA' },
      { memory_kib: 8_388_608 },
    ]
    for (const change of cheap) {
      const device = openFrame({ server, disk: emptyDisk(), hashPassword })
      server.rewrite((path, body) =>
        path === '/wallets/recovery/password' ? { ...body, params: { ...body.params, ...change } } : body,
      )
      await expect(device.recoverWith(address, password), JSON.stringify(change)).rejects.toMatchObject({
        code: 'error',
      })
    }
    expect(server.asked.filter(({ path }) => path === '/wallets/shares')).toEqual([])
    server.rewrite((_path, body) => body)
    const device = openFrame({ server, disk: emptyDisk(), hashPassword })
    expect(await device.recoverWith(address, password)).toEqual({ address })
  })
})
