import { describe, expect, it } from 'vitest'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { walletServer } from '../testing/server/wallet-server.ts'
import { automatic } from './automatic/automatic.ts'
import { loadRecoveryMethod, recoveryMethods, requireInputs } from './index.ts'
import type { RecoveryInputs, RecoveryMethodPart } from './recovery-method.ts'

const recoveryPassword = { v: 1, enc: 'AA', ct: 'AA' } as const
const refused = expect.objectContaining({ code: 'disallowed_recovery_method' })
const incomplete = expect.objectContaining({ code: 'invalid_request_arguments' })

describe('a recovery method', () => {
  it('is automatic by its name or without a name', async () => {
    expect(await loadRecoveryMethod(recoveryMethods)).toBe(automatic)
    expect(await loadRecoveryMethod(recoveryMethods, 'latchkey')).toBe(automatic)
  })

  it.each(['google-drive', 'icloud'] as const)(
    'that is not included, such as %s, is refused',
    async (name) => {
      const { [name]: _left, ...others } = recoveryMethods
      await expect(loadRecoveryMethod(others, name)).rejects.toEqual(refused)
      expect(() => requireInputs(automatic, {})).not.toThrow()
      const { [name]: load } = recoveryMethods
      const method = await load?.()
      expect(method && (() => requireInputs(method, {}))).toThrow(incomplete)
    },
  )

  it('with a user input is added as a row, and refused without its input', async () => {
    const server = await walletServer(appId)
    const { address } = await openFrame({ server, disk: emptyDisk() }).create()
    const seen: RecoveryInputs[] = []
    const guest: RecoveryMethodPart = {
      ...automatic,
      asks: ['recoveryPassword'],
      recover: (ports, call, wanted) => {
        seen.push(wanted.inputs)
        return automatic.recover(ports, call, wanted)
      },
    }
    const recovery = { ...recoveryMethods, 'user-passcode': async () => guest }
    const frame = openFrame({ server, disk: emptyDisk(), recovery })
    const recover = async (given: object) => {
      const step = await frame.begin('recover')
      return frame.call('wallet:recover', { ...step, address, recoveryMethod: 'user-passcode', ...given })
    }
    await expect(recover({})).rejects.toEqual(incomplete)
    await expect(recover({ recoveryPin: '1234' })).rejects.toEqual(incomplete)
    await expect(recover({ recoveryPassword })).rejects.toEqual(incomplete)
    await expect(recover({ recoveryWindow: 'x'.repeat(43) })).rejects.toMatchObject({ code: 'error' })
    const nothing = await frame.giveInWindow('user-passcode', async () => ({}))
    await expect(recover(nothing)).rejects.toEqual(incomplete)
    expect(seen).toEqual([])
    const given = await frame.giveInWindow('user-passcode', async () => ({ password: recoveryPassword }))
    expect(await recover(given)).toEqual({ address })
    expect(seen).toMatchObject([{ recoveryPassword }])
  })
})
