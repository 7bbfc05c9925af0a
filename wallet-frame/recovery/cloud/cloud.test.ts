/**
 * Recovery by a cloud file, from the dialog's call to the server's row: set, used, missing, of another
 * wallet.
 */
import { describe, expect, it } from 'vitest'
import { appId, openFrame } from '../../testing/frame.ts'
import { emptyDisk } from '../../testing/memory-database.ts'
import { emptyClouds } from '../../testing/server/clouds.ts'
import { walletServer } from '../../testing/server/wallet-server.ts'
import { type Means, recoveryMethodFacts } from '../testing/method.facts.ts'

const methods = ['google-drive', 'icloud'] as const
const refusal = (reason: string) => expect.objectContaining({ code: 'error', details: { reason } })

/** A wallet with a file in this cloud, and the device on which it was set. */
async function withFile(method: (typeof methods)[number]) {
  const server = await walletServer(appId)
  const [disk, clouds] = [emptyDisk(), emptyClouds()]
  const frame = openFrame({ server, disk, clouds })
  const { address } = await frame.create()
  const set = await frame.setFileIn(address, method)
  const device = () => openFrame({ server, disk: emptyDisk(), clouds })
  return { server, disk, clouds, frame, address, set, device }
}

const byFileIn = (method: (typeof methods)[number]): Means => {
  const clouds = emptyClouds()
  return {
    open: (server, disk) => openFrame({ server, disk, clouds }),
    set: (frame, address) => frame.setFileIn(address, method),
    create: (frame) => frame.createBy(method),
    recover: (frame, address) => frame.recoverBy(address, method),
  }
}

describe.each(methods)('a file by %s', (method) => {
  recoveryMethodFacts({ name: method, means: () => byFileIn(method) })

  it('is stored in the cloud under the address and generation of its wallet', async () => {
    const { clouds, address } = await withFile(method)
    expect([...clouds.files.keys()]).toEqual([`latchkey-${address}-2.json`])
  })

  it('recovers the wallet on a new device, where no other method does', async () => {
    const { address, device } = await withFile(method)
    const other = method === 'icloud' ? 'google-drive' : 'icloud'
    const there = device()
    await expect(there.connect(address)).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    const refused = { code: 'disallowed_recovery_method' }
    await expect(there.recover(address)).rejects.toMatchObject(refused)
    await expect(there.recoverBy(address, other)).rejects.toMatchObject(refused)
    const another = `0x${'1'.repeat(40)}` as const
    await expect(there.recoverBy(another, method)).rejects.toMatchObject({ code: 'share_mismatch' })
    expect(await there.recoverBy(address, method)).toEqual({ address })
    expect((await there.sign(address)).address).toBe(address)
  })

  it('replaces the previous file, which is deleted', async () => {
    const { clouds, frame, address, device } = await withFile(method)
    const [old = ''] = [...clouds.files.values()]
    await frame.setFileIn(address, method)
    expect([...clouds.files.keys()]).toEqual([`latchkey-${address}-3.json`])
    expect(await device().recoverBy(address, method)).toEqual({ address })
    clouds.files.set(`latchkey-${address}-3.json`, old)
    await expect(device().recoverBy(address, method)).rejects.toEqual(refusal('file_of_another_wallet'))
  })

  it('is reported precisely if it is missing, damaged or of another wallet', async () => {
    const { clouds, address, device } = await withFile(method)
    const name = `latchkey-${address}-2.json`
    const right = clouds.files.get(name) ?? ''
    const { key, ...rest } = JSON.parse(right)
    const wrong = [
      [undefined, 'file_missing'],
      ['{"v":1}', 'file_malformed'],
      ['not at all', 'file_malformed'],
      [JSON.stringify({ ...rest, key, wallet: 'wallet_user_2' }), 'file_of_another_wallet'],
      [JSON.stringify({ ...rest, key, app: 'b'.repeat(25) }), 'file_of_another_wallet'],
      [JSON.stringify({ ...rest, key, generation: 1 }), 'file_of_another_wallet'],
    ] as const
    for (const [text, reason] of wrong) {
      if (text === undefined) clouds.files.delete(name)
      else clouds.files.set(name, text)
      await expect(device().recoverBy(address, method), reason).rejects.toEqual(refusal(reason))
    }
    const other = Buffer.alloc(32, 7).toString('base64url')
    clouds.files.set(name, JSON.stringify({ ...rest, key: other }))
    await expect(device().recoverBy(address, method)).rejects.toMatchObject({
      code: 'error',
      details: { code: 'envelope_refused' },
    })
    clouds.files.set(name, right)
    expect(await device().recoverBy(address, method)).toEqual({ address })
  })

  it.each([
    ['ended', 'access_ended'],
    ['full', 'no_space'],
    ['down', 'cloud_unreachable'],
  ] as const)('that the cloud refuses (%s) changes nothing', async (refused, reason) => {
    const { server, clouds, frame, address } = await withFile(method)
    clouds.refuse(refused)
    await expect(frame.setFileIn(address, method)).rejects.toEqual(refusal(reason))
    expect(server.walletOf('user_1')?.generation).toBe(2)
    clouds.refuse(undefined)
    await frame.sign(address)
    await frame.setFileIn(address, method)
    expect(server.walletOf('user_1')?.generation).toBe(4)
  })

  it('that was truncated on its way to the cloud is noticed before the commit', async () => {
    const { server, clouds, frame, address, device } = await withFile(method)
    const { set } = clouds.files
    clouds.files.set = (name, text) => set.call(clouds.files, name, text.slice(0, -9))
    await expect(frame.setFileIn(address, method)).rejects.toEqual(refusal('file_malformed'))
    expect(server.walletOf('user_1')?.generation).toBe(2)
    expect(await device().recoverBy(address, method)).toEqual({ address })
  })

  // spec W7.10
  it('has a key that the server never receives, and an envelope that meets it only in the vault', async () => {
    const { server, clouds, address, device } = await withFile(method)
    await device().recoverBy(address, method)
    const { key } = JSON.parse([...clouds.files.values()][0] ?? '')
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const toServer = JSON.stringify(server.asked.map(({ body, headers }) => [body, [...headers]]))
    const inCloud = JSON.stringify(
      await Promise.all(clouds.asked.map(async (request) => [request.url, await request.text()])),
    )
    expect(inCloud).toContain(key)
    expect(toServer).not.toContain(key)
    expect(toServer).not.toContain('drive-token')
    expect(toServer).not.toContain('icloud-session')
    // As the server stores it: encrypted under the key that it does not have, and sealed on the way.
    const stored = Buffer.from(server.walletOf('user_1')?.recovery as Uint8Array).toString()
    expect(JSON.parse(stored)).toMatchObject({ alg: 'A256GCM', kdf: 'none', gen: 2 })
    expect(toServer + inCloud).not.toContain(JSON.parse(stored).ct)
  })
})

describe('the code of Google Drive', () => {
  // spec W4.13, W4.14
  it('is rejected if a part is missing, and counts as denied if it is the text undefined', async () => {
    const { address, device } = await withFile('google-drive')
    const there = device()
    await expect(there.recoverBy(address, 'google-drive', true)).rejects.toMatchObject({
      code: 'oauth_user_denied',
    })
    const step = { ...(await there.begin('recover')), address, recoveryMethod: 'google-drive' as const }
    await expect(there.call('wallet:recover', step)).rejects.toMatchObject({
      code: 'invalid_request_arguments',
    })
    expect(await there.recoverBy(address, 'google-drive')).toEqual({ address })
  })

  it('without the permission for the folder is reported as lost access', async () => {
    const { clouds, address, device } = await withFile('google-drive')
    clouds.refuse('no rights')
    await expect(device().recoverBy(address, 'google-drive')).rejects.toEqual(refusal('access_ended'))
  })
})
