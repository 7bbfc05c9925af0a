/** A Farcaster account that is added to a user, and taken from them. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { forkInto, sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { captchaVerifier } from '../../integrations/captcha/captcha.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import {
  type FarcasterWorld,
  farcasterTestTables,
  farcasterWorld,
  openSandbox,
  type Phone,
  refused,
} from './testing/world.ts'

const sandbox = await openSandbox()

const userId = (answer: unknown) => v.parse(sessionAnswer, answer).user.id

forEachEngine((database) => {
  let world: FarcasterWorld
  let browser: FarcasterWorld['browser']
  beforeEach(async () => {
    world = await farcasterWorld(database(), sandbox)
    ;({ browser } = world)
  })
  const link = async (token: string, phone: Phone = {}, from = browser) =>
    from.call('linkFarcaster', { token, body: await world.approved(phone, from) })
  const unlink = (token: string, fid: number) => browser.call('unlinkFarcaster', { token, body: { fid } })
  const accounts = () =>
    world.context.db.selectFrom('linked_accounts').select(['user_id', 'type', 'identifier']).execute()

  describe('linking', () => {
    // spec L1.6
    test('adds the account to the user, who then logs in with it', async () => {
      const { token, user } = await browser.login()
      const body = await world.approved()
      expect(await browser.call('linkFarcaster', { token, body })).toMatchObject({
        status: 200,
        answer: {
          id: user.id,
          linked_accounts: expect.arrayContaining([
            expect.objectContaining({ type: 'farcaster', fid: body.fid, username: 'ada-lovelace' }),
          ]),
        },
      })
      expect(userId((await world.login(await world.approved())).answer)).toBe(user.id)
    })

    test('of what was signed by a key that owns no account is refused, and changes nothing', async () => {
      const { token } = await browser.login()
      expect(await link(token, { wrong: 'stolen' })).toMatchObject(
        refused(422, 'invalid_credentials', 'owner'),
      )
      expect(await accounts()).toHaveLength(1)
    })

    test('can be tried again with the same message when the registry did not answer', async () => {
      const { token } = await browser.login()
      const call = { token, body: await world.approved(), requestId: 'tried-again' }
      world.opChain('http://127.0.0.1:1')
      expect(await browser.call('linkFarcaster', call)).toMatchObject(refused(503, 'unavailable'))
      world.opChain(sandbox.chainUrl)
      expect(await browser.call('linkFarcaster', call)).toMatchObject({ status: 200 })
    })

    test('links nothing where the session ends while the registry is asked', async () => {
      const { token, refresh_token } = await browser.login()
      const { ports } = world.context
      const real = chains.on(ports)
      chains.put(ports, {
        ...real,
        async ask(...asked) {
          await browser.call('logout', { body: { refresh_token } })
          return real.ask(...asked)
        },
      })
      expect(await link(token)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(1)
    })

    // spec L5.16
    test('of a second account of a user is refused by its type', async () => {
      const { token } = await browser.login()
      await link(token)
      expect(await link(token, { person: 'Ben Okri' })).toMatchObject({
        status: 400,
        answer: {
          code: 'cannot_link_more_of_type',
          error: 'User already has an account of type farcaster linked.',
        },
      })
    })

    test('of the account of another user is refused, and changes nothing', async () => {
      await world.login(await world.approved())
      const { token } = await browser.login()
      const before = await accounts()
      expect(await link(token)).toMatchObject({
        status: 400,
        answer: {
          code: 'linked_to_another_user',
          error: 'This account has already been linked to another user.',
        },
      })
      expect(await accounts()).toEqual(before)
    })

    test('by several users at once: one has it, the others are told, and no row is half made', async () => {
      const racers = []
      for (const name of ['ada', 'bob', 'cy', 'dora', 'eve', 'finn']) {
        const from = world.newBrowser()
        const { token } = await from.login(`${name}@example.com`)
        racers.push({ from, token, body: await world.approved({}, from) })
      }
      const answers = await Promise.all(
        racers.map(({ from, token, body }) => from.call('linkFarcaster', { token, body })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
      const losers = answers.filter(({ status }) => status === 400)
      for (const loser of losers) expect(loser.answer).toMatchObject({ code: 'linked_to_another_user' })
      const rows = (await accounts()).filter(({ type }) => type === 'farcaster')
      expect(rows).toHaveLength(1)
      expect(await world.audited('user.account_linked')).toEqual(
        rows.map(({ user_id }) => ({ userId: user_id, details: { account: 'farcaster' } })),
      )
    })

    // spec L4.15
    test('begins behind the captcha of an app that has one, although the user is logged in', async () => {
      const { token } = await browser.login()
      captchaVerifier.put(world.context.ports, {
        check: async (asked) => ({ type: asked.token === 'passed' ? 'passed' : 'not passed' }),
      })
      await setFields(world.context.db, world.context.clock, world.app.id, [
        ['captcha_site_key', 't:0x4AAAsite'],
        ['captcha_enabled', true],
      ])
      world.context.clock.advanceSeconds(5)
      const begin = (captcha: object) => browser.call('beginFarcaster', { token, body: captcha })
      expect(await begin({})).toMatchObject(refused(400, 'invalid_captcha'))
      expect(await begin({ token: 'failed' })).toMatchObject(refused(400, 'invalid_captcha'))
      expect(await begin({ token: 'passed' })).toMatchObject({ status: 200 })
    })

    test('needs the session to be alive, and is not for a fork', async () => {
      const session = await browser.login()
      const forked = world.newBrowser()
      const fork = await forkInto(forked, browser, session)
      expect(await link(fork.token, {}, forked)).toMatchObject(refused(403, 'insufficient_scope'))
      const body = await world.approved()
      const { token, refresh_token } = session
      await browser.call('logout', { body: { refresh_token } })
      expect(await browser.call('linkFarcaster', { token, body })).toMatchObject({ status: 401 })
      expect(await unlink(token, body.fid)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(1)
    })
  })

  describe('unlinking', () => {
    test('takes the account from the user, and somebody else may have it then', async () => {
      const { token, user } = await browser.login()
      const body = await world.approved()
      await browser.call('linkFarcaster', { token, body })
      expect(await unlink(token, body.fid)).toMatchObject({
        status: 200,
        answer: { linked_accounts: [{ type: 'email' }] },
      })
      expect(userId((await world.login(await world.approved())).answer)).not.toBe(user.id)
    })

    test('of the only account is refused', async () => {
      const body = await world.approved()
      const { token } = v.parse(sessionAnswer, (await world.login(body)).answer)
      expect(await unlink(token, body.fid)).toMatchObject(refused(400, 'cannot_unlink_sole_account'))
      expect(await world.login(await world.approved())).toMatchObject({ answer: { is_new_user: false } })
    })

    test('of an account that is not the user’s is refused', async () => {
      const body = await world.approved()
      await world.login(body)
      const { token } = await browser.login()
      expect(await unlink(token, body.fid)).toMatchObject(refused(404, 'linked_account_not_found'))
      expect(await world.login(await world.approved())).toMatchObject({ answer: { is_new_user: false } })
    })
  })
}, farcasterTestTables)
