import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { captchaVerifier } from '../../integrations/captcha/captcha.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { linkingFacts } from '../testing/linking.facts.ts'
import {
  type FarcasterFixture,
  farcasterFixture,
  openSandbox,
  type Phone,
  refused,
} from './testing/fixture.ts'

const sandbox = await openSandbox()

forEachEngine((database) => {
  let fixture: FarcasterFixture
  let browser: FarcasterFixture['browser']
  beforeEach(async () => {
    fixture = await farcasterFixture(database(), sandbox)
    ;({ browser } = fixture)
  })
  const link = async (token: string, phone: Phone = {}, from = browser) =>
    from.call('linkFarcaster', { token, body: await fixture.approved(phone, from) })
  const accounts = () =>
    fixture.context.db.selectFrom('linked_accounts').select(['user_id', 'type', 'identifier']).execute()

  // spec L1.6, L5.16
  linkingFacts(() => ({
    fixture,
    type: 'farcaster',
    setting: 'farcaster_auth',
    calls: { login: 'loginWithFarcaster', link: 'linkFarcaster', unlink: 'unlinkFarcaster' },
    proof: (person, from) => fixture.approved({ person }, from),
    named: (fid) => ({ fid: Number(fid) }),
    shown: { username: 'ada-lovelace' },
  }))

  describe('linking', () => {
    test('refuses a signature of a key that owns no account, and changes nothing', async () => {
      const { token } = await browser.login()
      expect(await link(token, { wrong: 'stolen' })).toMatchObject(
        refused(422, 'invalid_credentials', 'owner'),
      )
      expect(await accounts()).toHaveLength(1)
    })

    test('accepts the same message again after the registry failed', async () => {
      const { token } = await browser.login()
      const call = { token, body: await fixture.approved(), requestId: 'tried-again' }
      fixture.opChain('http://127.0.0.1:1')
      expect(await browser.call('linkFarcaster', call)).toMatchObject(refused(503, 'unavailable'))
      fixture.opChain(sandbox.chainUrl)
      expect(await browser.call('linkFarcaster', call)).toMatchObject({ status: 200 })
    })

    test('links nothing if the session ends during the registry call', async () => {
      const { token, refresh_token } = await browser.login()
      const { ports } = fixture.context
      const real = chains.get(ports)
      chains.set(ports, {
        ...real,
        async callContract(...asked) {
          await browser.call('logout', { body: { refresh_token } })
          return real.callContract(...asked)
        },
      })
      expect(await link(token)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(1)
    })

    // spec L4.15
    test('requires the captcha even though the user is logged in', async () => {
      const { token } = await browser.login()
      captchaVerifier.set(fixture.context.ports, {
        check: async (asked) => ({ type: asked.token === 'passed' ? 'passed' : 'not-passed' }),
      })
      await setFields(fixture.context.db, fixture.context.clock, fixture.app.id, [
        ['captcha_site_key', 't:0x4AAAsite'],
        ['captcha_enabled', true],
      ])
      fixture.context.clock.advanceSeconds(5)
      const begin = (captcha: object) => browser.call('beginFarcaster', { token, body: captcha })
      expect(await begin({})).toMatchObject(refused(400, 'invalid_captcha'))
      expect(await begin({ token: 'failed' })).toMatchObject(refused(400, 'invalid_captcha'))
      expect(await begin({ token: 'passed' })).toMatchObject({ status: 200 })
    })
  })
})
