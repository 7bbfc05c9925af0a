/** Login with Farcaster over HTTP, with the sandbox's relay, phones and id registry. */
import * as v from 'valibot'
import { numberToHex } from 'viem/utils'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeAllowlist, setFields } from '../../identity/apps/manage.ts'
import { sessionAnswer, testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createKeyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { forEachEngine, runsAllTests } from '../../kernel/db/test-engines.ts'
import { relay } from './relay.ts'
import {
  begun,
  type FarcasterFixture,
  farcasterFixture,
  gone,
  host,
  openSandbox,
  refused,
} from './testing/fixture.ts'

const sandbox = await openSandbox()
afterEach(() => sandbox.setFault('none'))

forEachEngine((database, engine) => {
  let fixture: FarcasterFixture
  let context: FarcasterFixture['context']
  let browser: FarcasterFixture['browser']
  beforeEach(async () => {
    fixture = await farcasterFixture(database(), sandbox)
    ;({ context, browser } = fixture)
  })

  describe('the signed message', () => {
    test.each([
      ['stolen', 'invalid_credentials', 'owner'],
      ['wrong-domain', 'invalid_message', 'domain'],
      ['wrong-statement', 'invalid_message', 'statement'],
      ['wrong-nonce', 'invalid_message', 'nonce'],
      ['wrong-chain', 'invalid_message', 'chain'],
      ['wrong-account', 'invalid_message', 'fid'],
    ])('is rejected if it is signed: %s', async (wrong, code, reason) => {
      expect(await fixture.login(await fixture.approved({ wrong }))).toMatchObject(refused(422, code, reason))
      expect(await fixture.login(await fixture.approved())).toMatchObject({ status: 200 })
    })

    test('rejects a signature of the owner of another account, according to the id registry', async () => {
      const real = chains.get(context.ports)
      const saying = (change: bigint) =>
        chains.set(context.ports, {
          ...real,
          async callContract(...asked) {
            const answer = await real.callContract(...asked)
            if (answer.type !== 'said') return answer
            return { ...answer, data: numberToHex(BigInt(answer.data) + change, { size: 32 }) }
          },
        })
      saying(1n)
      expect(await fixture.login(await fixture.approved())).toMatchObject(
        refused(422, 'invalid_credentials', 'owner'),
      )
      saying(0n)
      expect(await fixture.login(await fixture.approved())).toMatchObject({ status: 200 })
    })

    test('rejects a message signed long before the request', async () => {
      const signed = await fixture.approved({ nowMs: context.clock.nowMs() - 301_000 })
      expect(await fixture.login(signed)).toMatchObject(refused(422, 'invalid_message', 'issued_at'))
    })

    test('ignores profile data of another account', async () => {
      const real = relay.get(context.ports)
      relay.set(context.ports, {
        ...real,
        async poll(...asked) {
          const polled = await real.poll(...asked)
          if (polled.type !== 'approved') return polled
          return { ...polled, approval: { ...polled.approval, fid: polled.approval.fid + 1 } }
        },
      })
      const told = await fixture.approved()
      const fid = told.fid - 1
      expect(told.message).toContain(`farcaster://fid/${fid}`)
      const account = ({ answer }: { answer: unknown }) => Object(answer).user.linked_accounts[0]
      expect(Object.keys(account(await fixture.login({ ...told, fid }))).sort()).toEqual([
        'fid',
        'first_verified_at',
        'latest_verified_at',
        'owner_address',
        'type',
        'verified_at',
      ])
      relay.set(context.ports, real)
      expect(account(await fixture.login(await fixture.approved()))).toMatchObject({
        fid,
        username: 'ada-lovelace',
      })
    })

    test('is valid for the named account only', async () => {
      const body = await fixture.approved()
      expect(await fixture.login({ ...body, fid: body.fid + 1 })).toMatchObject(
        refused(422, 'invalid_message', 'fid'),
      )
      expect(await fixture.login(body)).toMatchObject({ status: 200 })
    })

    test.each<[string, (resource: string) => string]>([
      ['two accounts', (resource) => `${resource}\n- farcaster://fid/1`],
      ['an address that contains an account', (resource) => `https://evil.example/${resource}`],
      ['a path below the account', (resource) => `${resource}/below`],
      ['no account', () => 'https://app.example'],
    ])('is rejected if it names %s', async (_name, changed) => {
      const body = await fixture.approved()
      const resource = `farcaster://fid/${body.fid}`
      expect(body.message.split(resource)).toHaveLength(2)
      const message = body.message.replace(resource, changed(resource))
      expect(await fixture.login({ ...body, message })).toMatchObject(refused(422, 'invalid_message', 'fid'))
      expect(await fixture.login(body)).toMatchObject({ status: 200 })
    })

    test('may contain other resources besides the account', async () => {
      const body = await fixture.approved()
      const message = `${body.message}\n- https://app.example/terms`
      // The phone did not sign this, but the signature is verified last.
      expect(await fixture.login({ ...body, message })).toMatchObject(
        refused(422, 'invalid_credentials', 'signature'),
      )
    })

    test('is bound to its app, even in the same browser', async () => {
      const headers = { 'latchkey-login-binding': 'one browser' }
      const { answer } = await browser.call('beginFarcaster', { headers, body: {} })
      const { channel_token } = v.parse(begun, answer)
      const at = { headers: { ...headers, 'farcaster-channel-token': channel_token } }
      const other = fixture.newBrowser(await fixture.newApp())
      expect(await other.call('farcasterStatus', at)).toMatchObject(gone)
      expect(await browser.call('farcasterStatus', at)).toMatchObject({ status: 200 })
    })

    test('is consumed by a wrong signature', async () => {
      const body = await fixture.approved()
      const signature = await createKeyWallet().sign(body.message)
      expect(await fixture.login({ ...body, signature })).toMatchObject(
        refused(422, 'invalid_credentials', 'signature'),
      )
      expect(await fixture.login(body)).toMatchObject(gone)
    })

    test('is used once, even by concurrent calls', async () => {
      const body = await fixture.approved()
      const answers = await Promise.all([1, 2, 3, 4].map(() => fixture.login(body)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
      expect(await fixture.login(body)).toMatchObject(gone)
      expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    })

    test('is bound to its browser and app', async () => {
      const body = await fixture.approved()
      expect(await fixture.login(body, fixture.newBrowser())).toMatchObject(gone)
      const other = fixture.newBrowser(await fixture.newApp())
      expect(await fixture.login(body, other)).toMatchObject(gone)
      expect(await fixture.login(body)).toMatchObject({ status: 200 })
    })

    test('of one channel is rejected for another of the same browser', async () => {
      const [one, other] = [await fixture.approved(), await fixture.approved()]
      expect(await fixture.login({ ...one, channel_token: other.channel_token })).toMatchObject(
        refused(422, 'invalid_message', 'nonce'),
      )
      expect(await fixture.login(one)).toMatchObject({ status: 200 })
    })

    test('of one channel leaves other channels of the browser valid', async () => {
      const [one, other] = [await fixture.approved(), await fixture.approved()]
      expect(await fixture.login(one)).toMatchObject({ status: 200 })
      expect(await fixture.login(other)).toMatchObject({ status: 200 })
    })

    test('keeps the signer key in the account’s profile', async () => {
      const account = ({ answer }: { answer: unknown }) => Object(answer).user.linked_accounts[0]
      expect(account(await fixture.login(await fixture.approved()))).not.toHaveProperty('signer_public_key')
      const { db } = context
      const { profile } = await db.selectFrom('linked_accounts').select('profile').executeTakeFirstOrThrow()
      const signerPublicKey = `0x${'5'.repeat(64)}`
      await db
        .updateTable('linked_accounts')
        .set({ profile: JSON.stringify({ ...JSON.parse(profile), signerPublicKey }) })
        .execute()
      expect(account(await fixture.login(await fixture.approved()))).toMatchObject({
        signer_public_key: signerPublicKey,
      })
    })

    test('expires after five minutes', async () => {
      const [early, late] = [await fixture.approved(), await fixture.approved()]
      context.clock.advanceSeconds(299)
      expect(await fixture.login(early)).toMatchObject({ status: 200 })
      context.clock.advanceSeconds(1)
      expect(await fixture.login(late)).toMatchObject(gone)
    })
  })

  if (!runsAllTests(engine)) return

  describe('a login', () => {
    // spec L1.6, L7.31, L7.38, L3.3
    test('is approved on a phone, creates a user at the first login, and finds the user again', async () => {
      const opened = await fixture.begin()
      expect(opened).toMatchObject({
        status: 200,
        answer: { connect_uri: expect.stringMatching(/^http:.*channelToken=/) },
      })
      const { channel_token } = v.parse(begun, opened.answer)
      const pending = await fixture.status(channel_token)
      expect(pending).toMatchObject({
        status: 200,
        answer: { state: 'pending', nonce: expect.stringMatching(/^[a-z0-9]{32}$/) },
      })
      await sandbox.phone(channel_token, { nowMs: context.clock.nowMs() })
      const completed = await fixture.status(channel_token)
      expect(completed).toMatchObject({
        status: 200,
        answer: {
          state: 'completed',
          nonce: Object(pending.answer).nonce,
          message: expect.stringContaining('Farcaster Auth'),
          signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
          fid: expect.any(Number),
          username: 'ada-lovelace',
          display_name: 'Ada Lovelace',
          bio: 'Ada Lovelace, in the sandbox',
          pfp_url: 'https://pictures.example/ada-lovelace.png',
        },
      })
      const { message, signature, fid } = Object(completed.answer)
      const first = await fixture.login({ channel_token, message, signature, fid })
      expect(first).toMatchObject({
        status: 200,
        answer: {
          is_new_user: true,
          user: {
            linked_accounts: [
              {
                type: 'farcaster',
                fid,
                owner_address: message.split('\n')[1],
                username: 'ada-lovelace',
                display_name: 'Ada Lovelace',
                bio: 'Ada Lovelace, in the sandbox',
                profile_picture_url: 'https://pictures.example/ada-lovelace.png',
              },
            ],
          },
          token: expect.any(String),
          refresh_token: expect.any(String),
        },
      })
      const again = await fixture.login(await fixture.approved())
      expect(again).toMatchObject({ status: 200, answer: { is_new_user: false } })
      expect(v.parse(sessionAnswer, again.answer).user.id).toBe(v.parse(sessionAnswer, first.answer).user.id)
    })

    test('requests a signature for the host page, or for the dialog without one', async () => {
      expect((await fixture.approved()).message).toMatch(
        /^demo\.localhost:4010 wants.*\nURI: http:\/\/demo\.localhost:4010\n/s,
      )
      const { answer } = await browser.call('beginFarcaster', { body: {} })
      const { channel_token } = v.parse(begun, answer)
      await sandbox.phone(channel_token, { nowMs: context.clock.nowMs() })
      const completed = Object((await fixture.status(channel_token)).answer)
      expect(completed.message).toMatch(/^dialog\.localhost:4000 wants/)
      const { message, signature, fid } = completed
      expect(await fixture.login({ channel_token, message, signature, fid })).toMatchObject({ status: 200 })
    })

    test('audits a login with its method', async () => {
      const { answer } = await fixture.login(await fixture.approved())
      expect(await fixture.audited('session.started')).toEqual([
        { userId: v.parse(sessionAnswer, answer).user.id, details: { method: 'farcaster' } },
      ])
    })

    test('a repeated login returns the same session for one message', async () => {
      const body = await fixture.approved()
      const first = v.parse(sessionAnswer, (await fixture.login(body, browser, 'login-once')).answer)
      const again = v.parse(sessionAnswer, (await fixture.login(body, browser, 'login-once')).answer)
      expect(again.refresh_token).toBe(first.refresh_token)
      expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    })

    test('stores the channel token nowhere unsealed', async () => {
      const { answer } = await browser.call('beginFarcaster', { body: {}, requestId: 'begin-once' })
      const { channel_token, connect_uri } = v.parse(begun, answer)
      expect(connect_uri).toContain(channel_token)
      const kept = await context.db.selectFrom('request_replays').select('kept').execute()
      expect(kept).toHaveLength(1)
      expect(JSON.stringify(kept)).not.toContain(channel_token)
    })

    test('a repeated start returns the same channel', async () => {
      const begin = () => browser.call('beginFarcaster', { body: {}, requestId: 'begin-once' })
      const [first, again] = [await begin(), await begin()]
      expect(v.parse(begun, again.answer)).toEqual(v.parse(begun, first.answer))
    })

    // spec L6.3
    test('allows only Farcaster ids on the allowlist', async () => {
      await setFields(context.db, context.clock, fixture.app.id, [['allowlist_enabled', true]])
      context.clock.advanceSeconds(5)
      const body = await fixture.approved()
      await changeAllowlist(context.db, fixture.app.id, 'add', 'farcaster', String(body.fid + 1))
      expect(await fixture.login(body)).toMatchObject(refused(401, 'allowlist_rejected'))
      await changeAllowlist(context.db, fixture.app.id, 'add', 'farcaster', String(body.fid))
      expect(await fixture.login(await fixture.approved())).toMatchObject({ status: 200 })
    })
  })

  describe('the status', () => {
    test('returns an approval until it is used, although the relay returns it once', async () => {
      const channelToken = await fixture.channelOf()
      await sandbox.phone(channelToken, { nowMs: context.clock.nowMs() })
      const first = await fixture.status(channelToken)
      const { polled } = await sandbox.counts()
      expect((await fixture.status(channelToken)).answer).toEqual(first.answer)
      expect((await sandbox.counts()).polled).toBe(polled)
    })

    test('returns only the approval of its own request', async () => {
      const [one, other] = [await fixture.channelOf(), await fixture.channelOf()]
      await sandbox.phone(one, { nowMs: context.clock.nowMs() })
      expect(await fixture.status(one)).toMatchObject({ answer: { state: 'completed' } })
      expect(await fixture.status(other)).toMatchObject({ answer: { state: 'pending' } })
    })

    test('returns an approval that the relay returned to another call of the browser', async () => {
      const binding = { 'latchkey-login-binding': 'one-browser-at-two-servers' }
      const opened = await browser.call('beginFarcaster', { body: { origin: host }, headers: binding })
      const { channel_token: channelToken } = v.parse(begun, opened.answer)
      const headers = { ...binding, 'farcaster-channel-token': channelToken }
      await sandbox.phone(channelToken, { nowMs: context.clock.nowMs() })
      const real = relay.get(context.ports)
      const atAnotherServer = testBrowser(testServer(context), context, fixture.app)
      relay.set(context.ports, {
        ...real,
        async poll() {
          relay.set(context.ports, real)
          await atAnotherServer.call('farcasterStatus', { headers })
          return { type: 'gone' }
        },
      })
      expect(await browser.call('farcasterStatus', { headers })).toMatchObject({
        status: 200,
        answer: { state: 'completed', username: 'ada-lovelace' },
      })
    })

    test('a second call for a channel polls the relay and ends the first', async () => {
      const channelToken = await fixture.channelOf()
      const real = relay.get(context.ports)
      const asked = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<void>()
      relay.set(context.ports, {
        ...real,
        async poll(_token, signal) {
          relay.set(context.ports, real)
          signal.addEventListener('abort', () => ended.resolve())
          asked.resolve()
          await ended.promise
          return { type: 'gone' }
        },
      })
      const first = fixture.status(channelToken)
      await asked.promise
      await sandbox.phone(channelToken, { nowMs: context.clock.nowMs() })
      expect(await fixture.status(channelToken)).toMatchObject({ answer: { state: 'completed' } })
      expect(await first).toMatchObject({ status: 200, answer: { state: 'pending' } })
      await ended.promise
    })

    test('calls the relay only for the browser that opened the channel', async () => {
      const channelToken = await fixture.channelOf()
      const { polled } = await sandbox.counts()
      expect(await fixture.status(channelToken, fixture.newBrowser())).toMatchObject(gone)
      expect(await fixture.status('made-up')).toMatchObject(gone)
      expect(await browser.call('farcasterStatus')).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'farcaster-channel-token' } },
      })
      expect((await sandbox.counts()).polled).toBe(polled)
      expect(await fixture.status(channelToken)).toMatchObject({ answer: { state: 'pending' } })
    })

    test('of a denied request stays pending until it expires', async () => {
      const channelToken = await fixture.channelOf()
      await sandbox.phone(channelToken, { wrong: 'denied' })
      expect(await fixture.status(channelToken)).toMatchObject({ answer: { state: 'pending' } })
      context.clock.advanceSeconds(299)
      expect(await fixture.status(channelToken)).toMatchObject({ answer: { state: 'pending' } })
      context.clock.advanceSeconds(1)
      expect(await fixture.status(channelToken)).toMatchObject(gone)
    })

    test('reports a request that the relay does not know', async () => {
      const channelToken = await fixture.channelOf()
      await sandbox.phone(channelToken, { wrong: 'forgotten' })
      expect(await fixture.status(channelToken)).toMatchObject(gone)
    })
  })

  describe('the relay', () => {
    test.each([
      ['failing', 503, 'unavailable'],
      ['garbage', 503, 'unavailable'],
      ['too-many-requests', 429, 'too_many_requests'],
    ])(
      'that is %s is told with %d %s, and the same request goes on afterwards',
      async (fault, status, code) => {
        const channelToken = await fixture.channelOf()
        await sandbox.setFault(fault)
        const begun = await fixture.begin()
        expect(begun).toMatchObject({ status, answer: { code } })
        expect(begun.headers.get('retry-after')).toBe(status === 429 ? '60' : '1')
        const failure = expect.objectContaining({
          msg: 'The Farcaster relay failed',
          why: expect.any(String),
        })
        expect(fixture.logged()).toEqual(
          status === 503 ? expect.arrayContaining([failure]) : expect.not.arrayContaining([failure]),
        )
        expect(await fixture.status(channelToken)).toMatchObject({ status, answer: { code } })
        await sandbox.setFault('none')
        expect(await fixture.status(channelToken)).toMatchObject({ answer: { state: 'pending' } })
      },
    )
  })

  describe('the id registry', () => {
    test('accepts the message again after the registry failed', async () => {
      const body = await fixture.approved()
      for (const url of ['http://127.0.0.1:1', `${sandbox.relayUrl}/siwf`]) {
        fixture.opChain(url)
        expect(await fixture.login(body)).toMatchObject(refused(503, 'unavailable'))
      }
      expect(fixture.logged()).toContainEqual(
        expect.objectContaining({
          msg: 'The ID registry of Farcaster did not answer',
          why: expect.any(String),
        }),
      )
      fixture.opChain(sandbox.chainUrl)
      expect(await fixture.login(body)).toMatchObject({ status: 200 })
    })

    test('treats a missing registry contract as a failure', async () => {
      const body = await fixture.approved()
      const real = chains.get(context.ports)
      chains.set(context.ports, { ...real, callContract: async () => ({ type: 'said', data: '0x' }) })
      expect(await fixture.login(body)).toMatchObject(refused(503, 'unavailable'))
    })

    test('refuses each call before a phone is contacted if no RPC node is configured', async () => {
      const channelToken = await fixture.channelOf()
      chains.set(context.ports, createRpcChains(new Map([[1, sandbox.chainUrl]])))
      const no = {
        status: 403,
        answer: { code: 'disallowed_login_method', details: { setting: 'CHAIN_RPC_URLS' } },
      }
      expect(await fixture.begin()).toMatchObject(no)
      expect(await fixture.status(channelToken)).toMatchObject(no)
    })
  })

  test.each(['https://evil.example', 'http://demo.localhost:4011', 'null', ''])(
    'opens no channel for the unlisted page %j',
    async (origin) => {
      const { opened } = await sandbox.counts()
      expect(await fixture.begin(browser, origin)).toMatchObject(refused(403, 'origin_not_allowed'))
      expect((await sandbox.counts()).opened).toBe(opened)
    },
  )

  test('an app without Farcaster refuses each call', async () => {
    const body = await fixture.approved()
    const { token } = await browser.login()
    await setFields(context.db, context.clock, fixture.app.id, [['farcaster_auth', false]])
    context.clock.advanceSeconds(5)
    const no = refused(403, 'disallowed_login_method')
    expect(await fixture.begin()).toMatchObject(no)
    expect(await fixture.status(body.channel_token)).toMatchObject(no)
    expect(await fixture.login(body)).toMatchObject(no)
    expect(await browser.call('linkFarcaster', { token, body })).toMatchObject(no)
  })

  test.each([
    ['fid', 0],
    ['fid', 1.5],
    ['fid', '7'],
    ['signature', '0x'],
    ['signature', 'ab'],
    ['channel_token', 7],
  ])('rejects the %s %j', async (field, value) => {
    const body = await fixture.approved()
    expect(await fixture.login({ ...body, [field]: value })).toMatchObject(refused(422, 'invalid_data'))
    expect(await fixture.login(body)).toMatchObject({ status: 200 })
  })
})
