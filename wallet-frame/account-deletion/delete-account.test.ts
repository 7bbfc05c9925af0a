import { LatchkeyError, product } from '@latchkey/protocol'
import { describe, expect, it } from 'vitest'
import type { StepCall } from '../shares/ports.ts'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { rightCode } from '../testing/server/mfa-server.ts'
import { walletServer } from '../testing/server/wallet-server.ts'
import { deleteAccount } from './delete-account.ts'

async function setUp() {
  const server = await walletServer(appId)
  const frame = openFrame({ server, disk: emptyDisk() })
  const { address } = await frame.create()
  server.asked.length = 0
  return { server, frame, address, paths: () => server.asked.map(({ path }) => path) }
}

describe('account deletion', () => {
  it('deletes the user on the server, together with the wallet', async () => {
    const { frame, address, paths } = await setUp()
    expect(await frame.call('account:delete', await frame.begin('delete-account'))).toEqual({})
    expect(paths()).toEqual(['/users/me'])
    const step = await frame.begin('recover')
    await expect(frame.call('wallet:recover', { ...step, address })).rejects.toMatchObject({
      details: { code: 'embedded_wallet_not_found' },
    })
  })

  it('requires a valid second factor if the user has one', async () => {
    const { server, frame, paths } = await setUp()
    server.mfa.enrolled.add('totp')
    const step = await frame.begin('delete-account')
    const asking = (mfaCode: string) => frame.call('account:delete', { ...step, mfaMethod: 'totp', mfaCode })
    await expect(asking('000000')).rejects.toMatchObject({ code: 'missing_or_invalid_mfa' })
    expect(paths()).toEqual(['/mfa/totp/verify'])
    expect(await asking(rightCode)).toEqual({})
    expect(paths().at(-1)).toBe('/users/me')
  })
})

describe('the device shares of a deleted user', () => {
  const deletionWith = (answer: () => Promise<unknown>) => {
    const did: string[] = []
    const token = `head.${Buffer.from(JSON.stringify({ sub: 'user_1', iat: 1 })).toString('base64url')}.signature`
    const call = {
      token,
      operation: { id: 'op_1', step: 1 },
      signal: new AbortController().signal,
      withFactor: (ask) => ask({}),
    } satisfies StepCall
    const vault = {
      call: () => Promise.reject(new Error('Nobody asks')),
      isRunning: () => true,
      end: () => void did.push('the vault ended'),
    }
    const clouds = { addresses: {}, fetch: () => Promise.reject(new Error('Nobody asks')) }
    const api = async () => {
      did.push('the server was asked')
      return (await answer()) as never
    }
    const deleted = deleteAccount({ appId, api, vault, clouds }, call, async (name) => void did.push(name))
    return { did, deleted }
  }

  it('are deleted after the server has deleted the user and the vault has ended', async () => {
    const { did, deleted } = deletionWith(async () => ({ success: true }))
    await deleted
    expect(did).toEqual([
      'the server was asked',
      'the vault ended',
      `${product.key}:vault:${'a'.repeat(25)}:user_1`,
    ])
  })

  it('stay on the device if the server refuses the deletion', async () => {
    const refusal = new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
    const { did, deleted } = deletionWith(() => Promise.reject(refusal))
    await expect(deleted).rejects.toBe(refusal)
    expect(did).toEqual(['the server was asked'])
  })
})
