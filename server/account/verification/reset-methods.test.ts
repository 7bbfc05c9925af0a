import * as OTPAuth from 'otpauth'
import { expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { resetMethods } from './reset-methods.ts'
import { mfaFixture, missing } from './testing/fixture.ts'

forDefaultEngine((database) => {
  test('resetMethods removes every method, ends the sessions and records an audit entry', async () => {
    const fixture = await mfaFixture(database())
    const session = await fixture.browser.login()
    const address = await fixture.makeWallet(session)
    const call = fixture.inMfa(session)
    const { totpAuthUrl } = await fixture.beginTotp(call)
    const code = OTPAuth.URI.parse(totpAuthUrl).generate({ timestamp: fixture.context.clock.nowMs() })
    await call('enrollTotp', { code })
    const sign = () => fixture.inOperation(session, { purpose: 'sign', address }).call('releaseShares')
    expect(await sign()).toMatchObject(missing(['totp']))

    const owner = { appId: fixture.app.id, userId: session.user.id }
    const { clock, transaction } = fixture.context
    expect(await transaction((trx) => resetMethods(trx, { clock }, owner))).toEqual({
      methods: ['totp'],
      sessions: 1,
    })
    expect(await fixture.browser.call('me', { token: session.token })).toMatchObject({ status: 401 })
    expect(await fixture.events()).toContainEqual(['mfa.reset_by_operator', { methods: 'totp', sessions: 1 }])
    const again = await fixture.browser.login()
    expect(again.user.id).toBe(session.user.id)
    expect(await fixture.methodsOf(again)).toEqual([])
  })
})
