import * as OTPAuth from 'otpauth'
import { expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { commandPlace } from '../../testing/context.ts'
import { mfaResetCommand } from './command.ts'
import { mfaTestTables, mfaWorld, missing } from './testing/world.ts'

forEachEngine((database) => {
  test('an operator takes every method from a user of the app, which is written down', async () => {
    const world = await mfaWorld(database())
    const session = await world.browser.login()
    const address = await world.makeWallet(session)
    const call = world.inMfa(session)
    const { totpAuthUrl } = await world.beginTotp(call)
    const code = OTPAuth.URI.parse(totpAuthUrl).generate({ timestamp: world.context.clock.nowMs() })
    await call('enrollTotp', { code })
    const sign = () => world.inOperation(session, { purpose: 'sign', address }).call('releaseShares')
    expect(await sign()).toMatchObject(missing(['totp']))

    const {
      db,
      capabilities: { forget },
    } = world.context
    const other = await world.newApp()
    expect(
      await mfaResetCommand.run(other.id, [session.user.id], db, forget, commandPlace(world.context)),
    ).toMatchObject({
      type: 'refused',
    })
    expect(
      await mfaResetCommand.run(world.app.id, [], db, forget, commandPlace(world.context)),
    ).toMatchObject({ type: 'refused' })
    expect(await sign()).toMatchObject(missing(['totp']))
    expect(
      await mfaResetCommand.run(world.app.id, [session.user.id], db, forget, commandPlace(world.context)),
    ).toEqual({
      type: 'done',
      lines: [`Removed from ${session.user.id}: totp.`],
    })
    expect(await world.browser.call('me', { token: session.token })).toMatchObject({ status: 401 })
    expect(await world.events()).toContainEqual(['mfa.reset_by_operator', { methods: 'totp', sessions: 1 }])
    const again = await world.browser.login()
    expect(again.user.id).toBe(session.user.id)
    expect(await world.methodsOf(again)).toEqual([])
  })
}, mfaTestTables)
