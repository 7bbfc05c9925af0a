import { randomBytes } from 'node:crypto'
import * as openid from 'openid-client'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockUser } from '../../account/blocking/blocking.ts'
import { deleteUser } from '../../account/deletion/deletion.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createCommandContext } from '../../testing/context.ts'
import { connectedAppsCommand } from './command.ts'
import { type ProviderFixture, providerFixture, redirect } from './testing/fixture.ts'

type Owner = Awaited<ReturnType<ProviderFixture['newSession']>>
const over = { status: 404, answer: { code: 'not_found' } }

forDefaultEngine((database) => {
  let fixture: ProviderFixture
  let ada: Owner
  beforeEach(async () => {
    fixture = await providerFixture(database())
    ada = await fixture.newSession()
  })
  afterEach(() => fixture.close())

  const begin = async () => fixture.begin(await fixture.discover())
  const verify = ({ from, session }: Owner, interaction: string) =>
    from.call('verifyAuthorization', { token: session.token, body: { interaction } })
  const allow = (interaction: string, change: object = {}, of = ada) =>
    fixture.decide(of, interaction, fixture.allowing(of, change))
  const rows = async (table: string) =>
    fixture.context.db
      .withTables<{ [name: string]: Record<string, unknown> }>()
      .selectFrom(table)
      .selectAll()
      .execute()
  const connected = async ({ from, session }: Owner = ada) =>
    (await from.call('connectedApps', { token: session.token })).answer
  const connectedId = async () =>
    v.parse(v.object({ apps: v.array(v.object({ id: v.string() })) }), await connected()).apps[0]?.id ?? ''
  const activity = async () => {
    const { answer } = await ada.from.call('activity', { token: ada.session.token })
    const kinds = v.parse(v.object({ activity: v.array(v.object({ kind: v.string() })) }), answer).activity
    return kinds.map(({ kind }) => kind).filter((kind) => kind.startsWith('app_'))
  }
  const namesOf = async (kind: string) => {
    const { answer } = await ada.from.call('activity', { token: ada.session.token })
    const entry = v.object({ kind: v.string(), app: v.optional(v.string()) })
    const { activity: entries } = v.parse(v.object({ activity: v.array(entry) }), answer)
    return entries.filter((each) => each.kind === kind).map(({ app }) => app)
  }
  const operator = (...args: readonly string[]) =>
    connectedAppsCommand.run(fixture.app.id, args, database().db, createCommandContext(fixture.context))
  const refreshing = ({ config, key, tokens }: Awaited<ReturnType<ProviderFixture['connect']>>) =>
    openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, {
      DPoP: openid.getDPoPHandle(config, key),
    })

  describe('the cross-app page', () => {
    test('returns the registered requester and the requested scopes', async () => {
      const { interaction } = await begin()
      expect(await verify(ada, interaction)).toMatchObject({
        status: 200,
        answer: {
          requester: { name: 'Notes', origin: 'https://notes.example' },
          scopes: ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'],
          expires_in_seconds: 600,
        },
      })
      fixture.context.clock.advanceSeconds(600)
      expect(await verify(ada, interaction)).toMatchObject(over)
      expect(await verify(ada, 'unknown')).toMatchObject(over)
    })

    test('only the cross-app page decides: the dialog, with tokens bound to another key, is rejected', async () => {
      const { interaction } = await begin()
      const session = await ada.from.login('ada@example.com')
      const dialog = { ...ada, session }
      const refused = { status: 403, answer: { code: 'insufficient_scope' } }
      expect(await verify(dialog, interaction)).toMatchObject(refused)
      expect(await allow(interaction, {}, dialog)).toMatchObject(refused)
      expect(await allow(interaction)).toMatchObject({ status: 200 })
    })

    // spec W8.33
    test('denies, and the requesting app is notified', async () => {
      const { interaction, agent, state } = await begin()
      const { answer } = await fixture.decide(ada, interaction, { decision: 'deny' })
      const { resumed } = await fixture.finish(agent, answer)
      const location = new URL(resumed?.headers.location ?? '')
      expect(location.origin + location.pathname).toBe(redirect)
      expect(Object.fromEntries(location.searchParams)).toEqual({
        error: 'access_denied',
        error_description: 'User denied confirmation during cross-app auth flow',
        state,
        iss: fixture.issuer,
      })
      expect(await connected()).toEqual({ apps: [] })
    })

    const wrong: readonly (readonly [string, object, object])[] = [
      [
        'more than was asked for',
        { scopes: ['openid', 'wallet.send'], daily_usd: 5 },
        { code: 'invalid_data' },
      ],
      ['sending without a daily limit', { daily_usd: null }, { code: 'invalid_data' }],
      ['a daily limit without sending', { scopes: ['openid'], daily_usd: 5 }, { code: 'invalid_data' }],
      ['a daily limit of a million and one', { daily_usd: 1_000_001 }, { code: 'invalid_data' }],
      [
        'a wallet of somebody else',
        { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
        { code: 'embedded_wallet_not_found' },
      ],
    ]
    test.each(wrong)('does not allow %s', async (what, change, answer) => {
      const config = await fixture.discover()
      const scopes = what.startsWith('more') ? ['openid', 'wallet.read'] : undefined
      const { interaction } = await fixture.begin(config, scopes && { scopes })
      expect(await allow(interaction, change)).toMatchObject({ answer })
      expect(await connected()).toEqual({ apps: [] })
    })

    test('a page that closed early decides again, and the first decision is void', async () => {
      const begun = await begin()
      const { answer: first } = await allow(begun.interaction)
      const { answer: second } = await allow(begun.interaction)
      expect((await fixture.finish(begun.agent, first)).finished.status).toBe(400)
      expect((await fixture.finish(begun.agent, second)).resumed?.status).toBe(303)
      expect(await allow(begun.interaction)).toMatchObject({ answer: { code: 'token_already_used' } })
    })

    test('repeats the same response after a lost one', async () => {
      const { interaction } = await begin()
      const requestId = randomBytes(12).toString('base64url')
      const body = { interaction, ...fixture.allowing(ada) }
      const call = () => ada.from.call('authorize', { token: ada.session.token, body, requestId })
      const { answer } = await call()
      expect((await call()).answer).toEqual(answer)
      expect(JSON.stringify(await rows('request_replays'))).not.toContain(Object(answer).secret)
    })
  })

  describe('a consent', () => {
    test('can be used once', async () => {
      const { interaction, agent } = await begin()
      const { answer } = await allow(interaction)
      expect((await fixture.finish(agent, answer)).resumed?.status).toBe(303)
      expect((await fixture.finish(agent, answer)).finished).toMatchObject({ status: 400 })
    })

    test('can only be used in the browser that began, and is not consumed in another one', async () => {
      const attackers = await begin()
      const { answer } = await allow(attackers.interaction)
      const victim = fixture.newUserAgent()
      const { finished, resumed } = await fixture.finish(victim, answer)
      expect([finished.status, resumed]).toEqual([403, undefined])
      expect(finished.text).toContain('This request was started in another browser.')
      expect(await connected()).toEqual({ apps: [] })
      // A cookie of the same name from another browser does not help.
      for (const cookie of attackers.agent.cookies.values()) {
        if (cookie.name.startsWith('__Host-'))
          victim.cookies.set('planted', { ...cookie, value: 'a'.repeat(43) })
      }
      expect((await fixture.finish(victim, answer)).finished.status).toBe(400)
      expect(await connected()).toEqual({ apps: [] })
      // The browser that began cannot continue without the secret.
      const { status } = await attackers.agent.open(`${fixture.issuer}/auth/${attackers.interaction}`)
      expect(status).toBe(303)
      expect(await connected()).toEqual({ apps: [] })
    })

    test('for one request does not end another request of the same browser', async () => {
      const agent = fixture.newUserAgent()
      const config = await fixture.discover()
      const [one, other] = [await fixture.begin(config, {}, agent), await fixture.begin(config, {}, agent)]
      const { answer } = await allow(one.interaction)
      const { secret } = v.parse(v.object({ secret: v.string() }), answer)
      const finishUrl = `${fixture.issuer}/interaction/${other.interaction}/finish`
      expect((await agent.open(finishUrl, 'POST', { secret })).status).toBe(400)
      expect((await fixture.finish(agent, answer)).resumed?.status).toBe(303)
    })

    test('belongs to the deciding user: another user can neither read nor replace it', async () => {
      const { interaction } = await begin()
      await allow(interaction)
      const grace = await fixture.newSession('grace@example.com', fixture.newBrowser())
      expect(await verify(grace, interaction)).toMatchObject(over)
      expect(await allow(interaction, {}, grace)).toMatchObject(over)
    })

    test('is invalid without its secret, or with a forged one', async () => {
      const { interaction, agent } = await begin()
      await allow(interaction)
      const finishUrl = `${fixture.issuer}/interaction/${interaction}/finish`
      for (const form of [{}, { secret: '' }, { secret: 'a'.repeat(43) }]) {
        expect((await agent.open(finishUrl, 'POST', form)).status).toBe(400)
      }
      expect(await connected()).toEqual({ apps: [] })
    })
  })

  describe('a connected app', () => {
    test('is listed with its scopes, and the user is notified by mail', async () => {
      const before = fixture.context.mails.length
      await fixture.connect(ada)
      expect(await connected()).toEqual({
        apps: [
          {
            id: expect.stringMatching(/^cap_/),
            name: 'Notes',
            origin: 'https://notes.example',
            scopes: ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'],
            address: ada.address,
            daily_usd: 50,
            created_at: Math.floor(fixture.context.clock.nowMs() / 1_000),
            last_used_at: null,
          },
        ],
      })
      await expect.poll(() => fixture.context.mails.length).toBe(before + 1)
      const mail = fixture.context.mails.at(-1)
      expect(mail).toMatchObject({
        to: 'ada@example.com',
        subject: 'An app was connected to your Fieldnotes account',
      })
      expect(mail?.text).toContain(
        'Notes (https://notes.example) may see your wallet, and may ask you for signatures, and may ask you to send from it.',
      )
      expect(await activity()).toEqual(['app_connected'])
    })

    test('a repeated consent replaces the terms, and only extended rights notify the user', async () => {
      const first = await fixture.connect(ada)
      await expect.poll(() => fixture.context.mails.at(-1)?.subject).toContain('An app was connected')
      const told = fixture.context.mails.length
      const id = await connectedId()
      await fixture.connect(ada, { scopes: ['openid', 'wallet.read'], daily_usd: null })
      expect(await connected()).toMatchObject({
        apps: [{ id, scopes: ['openid', 'wallet.read'], daily_usd: null }],
      })
      expect(fixture.context.mails).toHaveLength(told)
      expect((await refreshing(first)).token_type).toBe('dpop')
      await fixture.connect(ada, { daily_usd: 51 })
      await expect.poll(() => fixture.context.mails.length).toBe(told + 1)
    })

    test('that the user ends has no valid token', async () => {
      const connection = await fixture.connect(ada)
      const id = await connectedId()
      const grace = await fixture.newSession('grace@example.com', fixture.newBrowser())
      fixture.context.clock.advanceSeconds(1)
      const end = (of: Owner) => of.from.call('endConnectedApp', { token: of.session.token, body: { id } })
      expect(await end(grace)).toMatchObject(over)
      expect(await end(ada)).toMatchObject({ status: 200, answer: { success: true } })
      expect(await end(ada)).toMatchObject(over)
      expect(await connected()).toEqual({ apps: [] })
      await expect(refreshing(connection)).rejects.toMatchObject({ error: 'invalid_grant' })
      const { config, tokens } = connection
      expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
      expect(await activity()).toEqual(['app_ended', 'app_connected'])
    })

    test('that was ended before it redeemed its code gets no tokens', async () => {
      const begun = await begin()
      const location = await fixture.allowed(begun, ada)
      const id = await connectedId()
      await ada.from.call('endConnectedApp', { token: ada.session.token, body: { id } })
      await expect(fixture.redeem(begun, location, await fixture.newKey())).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    })

    test('is ended by the operator, and with its requester', async () => {
      const first = await fixture.connect(ada)
      const id = await connectedId()
      expect(await operator('token', first.tokens.access_token)).toMatchObject({
        lines: expect.arrayContaining(['active true', 'kind AccessToken', 'client notes']),
      })
      expect((await operator('list')).lines).toEqual([
        expect.stringMatching(`^${id}  ${ada.session.user.id}  notes`),
      ])
      expect(await operator('end', id)).toEqual({ type: 'done', lines: [`Ended connection ${id}.`] })
      expect(await operator('end', id)).toMatchObject({ type: 'refused' })
      expect(await operator('token', first.tokens.access_token)).toEqual({
        type: 'done',
        lines: ['active false'],
      })
      await expect(refreshing(first)).rejects.toMatchObject({ error: 'invalid_grant' })
      const second = await fixture.connect(ada)
      expect(await fixture.requesters('remove', 'notes')).toMatchObject({ type: 'done' })
      expect(await connected()).toEqual({ apps: [] })
      expect(await namesOf('app_ended')).toEqual(['Notes', 'Notes'])
      await expect(refreshing(second)).rejects.toMatchObject({ error: 'invalid_client' })
      await fixture.requesters('add', 'notes', ...fixture.registered, '--key', fixture.jwk)
      await expect(refreshing(second)).rejects.toMatchObject({ error: 'invalid_grant' })
    })

    test('issues no token while its user is blocked', async () => {
      const connection = await fixture.connect(ada)
      const { app, context } = fixture
      const owner = { appId: app.id, userId: ada.session.user.id }
      await context.transaction((trx) => blockUser(trx, context, owner, null))
      await expect(refreshing(connection)).rejects.toMatchObject({ error: 'invalid_grant' })
    })

    test('is deleted with its user, together with its pending requests', async () => {
      const connection = await fixture.connect(ada)
      const waiting = await begin()
      const { answer } = await allow(waiting.interaction)
      const { app, context } = fixture
      const leaving = { appId: app.id, userId: ada.session.user.id, sessionId: null, verified: null }
      const sources = { clock: context.clock, forget: context.capabilities.forget }
      await context.transaction((trx) => deleteUser(trx, sources, leaving))
      for (const table of ['connected_apps', 'openid_authorizations']) expect(await rows(table)).toEqual([])
      expect(JSON.stringify(await rows('openid_records'))).not.toContain(ada.session.user.id)
      await expect(refreshing(connection)).rejects.toMatchObject({ error: 'invalid_grant' })
      expect((await fixture.finish(waiting.agent, answer)).resumed).toBeUndefined()
    })
  })

  describe('the operator', () => {
    test('registers requesters, lists them, and changes them', async () => {
      expect(await fixture.requesters('list')).toEqual({
        type: 'done',
        lines: [
          'notes  Notes  https://notes.example  has a key',
          `  ${redirect}`,
          'open-notes  Notes  https://notes.example  no key',
          `  ${redirect}`,
        ],
      })
      const other = 'https://notes.example/other'
      expect(await fixture.requesters('add', 'notes', ...fixture.registered, '--redirect', other)).toEqual({
        type: 'done',
        lines: [`Notes (notes) may now ask users of app ${fixture.app.id} for their wallets.`],
      })
      expect((await fixture.requesters('list')).lines.slice(0, 3)).toEqual([
        'notes  Notes  https://notes.example  no key',
        `  ${redirect}`,
        `  ${other}`,
      ])
    })

    const right = { '--name': 'Notes', '--origin': 'https://notes.example', '--redirect': redirect }
    const refused: readonly (readonly [string, string, RegExp])[] = [
      ['--origin', 'http://notes.example', /^--origin: It must be https/],
      ['--origin', 'https://notes.example/', /^--origin: An origin has no path/],
      ['--redirect', 'http://notes.example/back', /^--redirect: It must be https/],
      ['--redirect', 'https://notes.example/back#here', /^--redirect: /],
      ['--redirect', 'https://me@notes.example/back', /^--redirect: /],
      ['--redirect', 'javascript:alert(1)', /^--redirect: /],
      ['--name', ' ', /^--name: /],
      ['--key', 'no json', /^--key: /],
      ['--key', '{"kty":"EC","crv":"P-256","x":"a","y":"b"}', /^--key: /],
    ]
    test.each(refused)('an invalid requester is rejected: %s %s', async (name, value, why) => {
      const said = Object.entries({ ...right, [name]: value }).flat()
      const { type, lines } = await fixture.requesters('add', 'new', ...said)
      expect([type, lines[0]]).toEqual(['refused', expect.stringMatching(why)])
    })

    test('a private key is rejected', async () => {
      const { privateJwk } = ada.from.key
      const said = Object.entries({ ...right, '--key': JSON.stringify(privateJwk) }).flat()
      expect(await fixture.requesters('add', 'new', ...said)).toMatchObject({ type: 'refused' })
    })
  })
})
