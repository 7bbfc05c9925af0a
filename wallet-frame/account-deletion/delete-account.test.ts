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

describe('the end of a user', () => {
  it('is told to the server, which has no wallet of theirs from then on', async () => {
    const { frame, address, paths } = await setUp()
    expect(await frame.call('account:delete', await frame.begin('delete-account'))).toEqual({})
    expect(paths()).toEqual(['/users/me'])
    const step = await frame.begin('recover')
    await expect(frame.call('wallet:recover', { ...step, address })).rejects.toMatchObject({
      details: { code: 'embedded_wallet_not_found' },
    })
  })

  it('takes a second factor where the user has one, and happens with the right one alone', async () => {
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

describe('the shares of this device', () => {
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

  it('go when the server said that the user is deleted, and after the vault that could write them', async () => {
    const { did, deleted } = deletionWith(async () => ({ success: true }))
    await deleted
    expect(did).toEqual([
      'the server was asked',
      'the vault ended',
      `${product.key}:vault:${'a'.repeat(25)}:user_1`,
    ])
  })

  it('stay where it said no', async () => {
    const refusal = new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
    const { did, deleted } = deletionWith(() => Promise.reject(refusal))
    await expect(deleted).rejects.toBe(refusal)
    expect(did).toEqual(['the server was asked'])
  })
})
