/** Attacks between operators: calls outside of a role, and objects of another app. */
import { hash } from 'node:crypto'
import { type AdminRoute, adminRoutes, type OperatorRole, operatorRoleNames } from '@latchkey/protocol/admin'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testBrowser } from '../../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../../kernel/db/test-engines.ts'
import { startIssuer } from '../../../login/oidc/testing/issuer.ts'
import { insertDescriptor } from '../../../wallet/descriptors/store.ts'
import { putRequester } from '../../provider/requesters.ts'
import { type CallName, createBody, createProviderBody } from '../testing/call-bodies.ts'
import { type AdminFixture, adminFixture } from '../testing/fixture.ts'
import { type OperatorBrowser, signInOperator } from '../testing/operators.ts'

const names = Object.keys(adminRoutes) as CallName[]

const everyone = operatorRoleNames
const leaders: OperatorRole[] = ['owner', 'admin']
const userReaders: OperatorRole[] = [...leaders, 'support', 'viewer']
const userWriters: OperatorRole[] = [...leaders, 'support']
const developers: OperatorRole[] = [...leaders, 'developer']
const webhookReaders: OperatorRole[] = [...developers, 'viewer']
const counters: OperatorRole[] = [...developers, 'auditor', 'viewer']
const auditors: OperatorRole[] = [...leaders, 'auditor']

/** The roles that may make each call. It repeats no scopes, so that a new scope of a role is noticed. */
const allowedRoles: Readonly<Record<CallName, OperatorRole[]>> = {
  listUsers: userReaders,
  searchUsers: leaders,
  createUser: userWriters,
  getUser: userReaders,
  updateUser: userWriters,
  deleteUser: leaders,
  listSessions: userReaders,
  endSessions: userWriters,
  endSession: userWriters,
  unlinkAccount: userWriters,
  resetFactors: userWriters,
  getFactorReset: userReaders,
  cancelFactorReset: userWriters,
  exportUsers: leaders,
  listImports: leaders,
  createImport: leaders,
  uploadImportPart: leaders,
  startImport: leaders,
  getImport: leaders,
  readImportReport: leaders,
  cancelImport: leaders,
  listApps: everyone,
  createApp: developers,
  getApp: everyone,
  updateApp: developers,
  listAllowlist: leaders,
  updateAllowlist: developers,
  listRequesters: everyone,
  removeRequester: developers,
  tryApproval: everyone,
  listProposals: everyone,
  createProposal: developers,
  getProposal: everyone,
  approveProposal: leaders,
  cancelProposal: developers,
  applyProposal: developers,
  listWebhooks: webhookReaders,
  createWebhook: developers,
  getWebhook: webhookReaders,
  updateWebhook: developers,
  deleteWebhook: developers,
  readWebhookSecret: developers,
  rotateWebhookSecret: developers,
  listWebhookDeliveries: webhookReaders,
  getWebhookDelivery: webhookReaders,
  replayWebhook: developers,
  testWebhook: developers,
  listHooks: webhookReaders,
  createHook: developers,
  getHook: webhookReaders,
  updateHook: developers,
  deleteHook: developers,
  readHookSecret: developers,
  rotateHookSecret: developers,
  listMessages: everyone,
  getMessage: everyone,
  setMessage: developers,
  resetMessage: developers,
  previewMessage: everyone,
  testMessage: developers,
  listAudit: auditors,
  streamAudit: auditors,
  listDescriptors: everyone,
  addDescriptor: developers,
  removeDescriptor: developers,
  readAuditHead: auditors,
  listOidcProviders: everyone,
  createOidcProvider: developers,
  getOidcProvider: everyone,
  updateOidcProvider: developers,
  refreshOidcProvider: developers,
  readStats: counters,
  readSponsored: counters,
  readSystem: counters,
  listOperators: auditors,
  revokeOperator: ['owner'],
  listAdminKeys: auditors,
  revokeAdminKey: ['owner'],
}

/** Path parameters that are no ids of an object. */
const plainParameters = new Set(['kind', 'locale', 'part'])
const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const [acme, globex] = await Promise.all([startIssuer('acme.localhost'), startIssuer('globex.localhost')])
afterAll(() => {
  for (const issuer of [acme, globex]) issuer.close()
})

type Ids = Readonly<Record<string, string>>

/** Returns the ids of objects, without plain parameters. */
const objectIds = (ids: Ids): string[] =>
  Object.entries(ids).flatMap(([name, id]) => (plainParameters.has(name) ? [] : [id]))

const order = (name: CallName) => (adminRoutes[name].effect === 'reads' ? 0 : 1)

forDefaultEngine((database) => {
  let fixture: AdminFixture
  let ownIds: Ids
  let otherIds: Ids
  beforeEach(async () => {
    fixture = await adminFixture(database())
    ownIds = await createObjects(fixture, fixture.app, 'own')
    otherIds = await createObjects(fixture, await fixture.newApp(), 'other')
  })

  const signIn = (role: OperatorRole) =>
    signInOperator(fixture, { email: `${role}@operator.example`, role, appId: fixture.app.id })

  const toRequest = (name: CallName, ids: Ids) => {
    const { method, path, upload }: AdminRoute = adminRoutes[name]
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? '')
    const body = createBody(name, { app: ids.app ?? '', issuer: globex.issuer })
    return {
      method,
      path: name === 'listImports' ? `${filled}?app=${ids.app}` : filled,
      request: {
        ...(body !== undefined && { body }),
        ...(upload && { headers: { 'content-type': 'text/csv' } }),
      },
    }
  }

  /** Makes a call as an operator, who confirms it if the call needs that. */
  async function make(browser: OperatorBrowser, name: CallName, ids: Ids, changes: object = {}) {
    const { method, path, request } = toRequest(name, ids)
    const answer = await browser.call(method, path, { ...request, ...changes })
    return answer.body?.code === 'confirmation_required'
      ? browser.confirm(method, path, { ...request, ...changes })
      : answer
  }

  test.each(operatorRoleNames)('the role %s makes its own calls only', async (role) => {
    const browser = await signIn(role)
    // Reads come first, because changes remove their objects.
    for (const name of [...names].sort((one, another) => order(one) - order(another))) {
      const { status, body, text } = await make(browser, name, ownIds)
      if (!allowedRoles[name].includes(role)) {
        expect([name, status, body.code]).toEqual([name, 403, 'insufficient_scope'])
      } else if (adminRoutes[name].effect === 'reads' && name !== 'readSystem') {
        expect([name, status, text]).toEqual([name, 200, text])
      } else {
        expect(body.code).not.toBe('insufficient_scope')
      }
    }
  })

  describe('an owner of one app', () => {
    test('finds no object of another app, neither by its app nor between own objects', async () => {
      const owner = await signIn('owner')
      const before = await readOther()
      for (const name of names) {
        const parameters = parametersOf(adminRoutes[name].path).filter((each) => !plainParameters.has(each))
        const attacks = [
          ...parameters.map((each) => ({ ...ownIds, [each]: otherIds[each] ?? '' })),
          ...(parameters.includes('app') ? [otherIds] : []),
        ]
        for (const ids of attacks) {
          const { status, body, text } = await make(owner, name, ids)
          expect([name, status, body?.code]).toEqual([name, 404, expect.stringMatching(/_not_found$/)])
          expect(text).not.toContain('other@example.com')
        }
      }
      expect(await readOther()).toEqual(before)
    })

    test.each(['listImports', 'createImport'] as const)('%s refuses another app', async (name) => {
      const answer = await make(await signIn('owner'), name, otherIds)
      expect(answer).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
    })

    test.each(['listAudit', 'streamAudit'] as const)('%s refuses another app', async (name) => {
      const owner = await signIn('owner')
      const answer = await owner.call('GET', `${adminRoutes[name].path}?app=${otherIds.app}`)
      expect(answer).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
    })

    test('replays no delivery of another app by its id', async () => {
      const body = { ids: [otherIds.delivery] }
      const answer = await make(await signIn('owner'), 'replayWebhook', ownIds, { body })
      expect(answer.body).toEqual({ replayed: 0, has_more: false })
    })

    test.each(['listApps', 'listOperators', 'listAdminKeys', 'listAudit', 'readAuditHead'] as const)(
      '%s lists nothing of another app',
      async (name) => {
        const { status, text } = await make(await signIn('owner'), name, ownIds)
        expect(status).toBe(200)
        for (const id of objectIds(otherIds)) expect(text).not.toContain(id)
      },
    )

    test.each(['createApp', 'readSystem'] as const)('%s needs an operator of every app', async (name) => {
      expect((await make(await signIn('owner'), name, ownIds)).body.code).toBe('key_of_one_app')
    })
  })

  /** Returns the answer of each call that reads something of the other app. */
  async function readOther(): Promise<unknown[]> {
    const answers: unknown[] = []
    for (const name of names) {
      const { effect, scopes }: AdminRoute = adminRoutes[name]
      if (effect === 'changes' || scopes.some((scope) => /^(audit|stats):/.test(scope))) continue
      const { method, path, request } = toRequest(name, otherIds)
      const { status, body } = await fixture.call(method, path, { ...request, key: otherIds.secret })
      expect([name, status]).toEqual([name, 200])
      answers.push([name, body])
    }
    return answers
  }
})

/** Creates one object of each kind in an app. Returns their ids by path parameter, and the secret of a key. */
async function createObjects(fixture: AdminFixture, app: AdminFixture['app'], name: string): Promise<Ids> {
  const { context, publicServer, newKey } = fixture
  const secret = await newKey({ appId: app.id, operator: `${name}@key.example` })
  const call = async (path: string, body?: object) =>
    (await fixture.call('POST', path, { key: secret, ...(body && { body }) })).body
  const { user } = await testBrowser(publicServer, context, app).login(`${name}@example.com`)
  const { id: session } = await context.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  const webhooks = `/apps/${app.id}/webhooks`
  await call(webhooks, { url: `https://hooks.example/${name}` })
  const [{ id: webhook }] = (await fixture.call('GET', webhooks, { key: secret })).body.data
  const { id: delivery } = await call(`${webhooks}/${webhook}/test`)
  const hookUrl = `https://hooks.example/${name}`
  const { id: hook } = await call(`/apps/${app.id}/hooks`, {
    kind: 'login.before',
    url: hookUrl,
    on_failure: 'allow',
  })
  const { id: proposal } = await call(`/apps/${app.id}/proposals`, {
    settings: { frame_messages_per_day: null },
  })
  const { id: importId } = await call('/imports', { app: app.id, source: 'csv' })
  const { id: provider } = await call(`/apps/${app.id}/oidc`, createProviderBody(`acme-${name}`, acme.issuer))
  const requester = `notes-${name}`
  const origin = `https://${name}.example`
  await putRequester(
    context.db,
    app.id,
    { clientId: requester, name: 'Notes', origin, redirectAddresses: [`${origin}/callback`], jwk: null },
    1,
  )
  const descriptor = hash('sha256', name, 'hex')
  const row = {
    app_id: app.id,
    hash: descriptor,
    kind: 'contract' as const,
    owner: name,
    file: '{}',
    created_at: 1,
  }
  const binding = {
    app_id: app.id,
    kind: row.kind,
    chain_id: '1',
    address: '0xaa',
    hash: descriptor,
    code_hash: 'c',
  }
  await context.transaction((trx) => insertDescriptor(trx, row, [binding]))
  const operator = await signInOperator(fixture, { email: `${name}@operator.example`, appId: app.id })
  return {
    app: app.id,
    secret,
    user: user.id,
    session,
    webhook,
    delivery,
    hook,
    proposal,
    provider,
    import: importId,
    requester,
    descriptor,
    operator: operator.id,
    key: secret.split('_')[1] ?? '',
    kind: 'login_code',
    locale: 'en',
    part: '1',
  }
}
