import * as OTPAuth from 'otpauth'
import { expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createCommandContext } from '../../testing/context.ts'
import { mfaResetCommand } from './capability.ts'
import { mfaFixture, missing } from './testing/fixture.ts'

forDefaultEngine((database) => {
  test('an operator removes every second factor of a user, which is audited', async () => {
    const fixture = await mfaFixture(database())
    const session = await fixture.browser.login()
    const address = await fixture.makeWallet(session)
    const call = fixture.inMfa(session)
    const { totpAuthUrl } = await fixture.beginTotp(call)
    const code = OTPAuth.URI.parse(totpAuthUrl).generate({ timestamp: fixture.context.clock.nowMs() })
    await call('enrollTotp', { code })
    const sign = () => fixture.inOperation(session, { purpose: 'sign', address }).call('releaseShares')
    expect(await sign()).toMatchObject(missing(['totp']))

    const {
      db,
      capabilities: { forget },
    } = fixture.context
    const other = await fixture.newApp()
    expect(
      await mfaResetCommand.run(
        other.id,
        [session.user.id],
        db,
        forget,
        createCommandContext(fixture.context),
      ),
    ).toMatchObject({
      type: 'refused',
    })
    expect(
      await mfaResetCommand.run(fixture.app.id, [], db, forget, createCommandContext(fixture.context)),
    ).toMatchObject({ type: 'refused' })
    expect(await sign()).toMatchObject(missing(['totp']))
    expect(
      await mfaResetCommand.run(
        fixture.app.id,
        [session.user.id],
        db,
        forget,
        createCommandContext(fixture.context),
      ),
    ).toEqual({
      type: 'done',
      lines: [`Removed from ${session.user.id}: totp.`],
    })
    expect(await fixture.browser.call('me', { token: session.token })).toMatchObject({ status: 401 })
    expect(await fixture.events()).toContainEqual(['mfa.reset_by_operator', { methods: 'totp', sessions: 1 }])
    const again = await fixture.browser.login()
    expect(again.user.id).toBe(session.user.id)
    expect(await fixture.methodsOf(again)).toEqual([])
  })
})
