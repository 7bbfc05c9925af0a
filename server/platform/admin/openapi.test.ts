/** The description of the Admin API, and the checks that every described call makes. */
import { type AdminRoute, adminPrefix, adminRoutes } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { describeAdminApi } from './openapi.ts'
import { type AdminFixture, adminFixture } from './testing/fixture.ts'

const parameter = v.looseObject({ name: v.string(), in: v.picklist(['path', 'query', 'header']) })
const operation = v.looseObject({
  operationId: v.string(),
  summary: v.pipe(v.string(), v.regex(/^[A-Z`].+\.$/)),
  parameters: v.array(parameter),
  security: v.strictTuple([v.strictObject({ adminKey: v.tuple([]) })]),
  requestBody: v.exactOptional(v.looseObject({ content: v.looseObject({}) })),
  responses: v.record(v.string(), v.looseObject({ description: v.string() })),
})
const description = v.looseObject({
  openapi: v.literal('3.1.0'),
  paths: v.record(v.string(), v.record(v.string(), operation)),
})

const routes = Object.entries<AdminRoute>(adminRoutes)
const readOperation = ({ method, path }: AdminRoute) =>
  v.parse(description, describeAdminApi()).paths[adminPrefix + path]?.[method.toLowerCase()]

test.each(routes)('%s is described with its parameters and errors', (name, route) => {
  const described = readOperation(route)
  expect(described?.operationId).toBe(name)
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each)
  expect(described?.parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(inPath)
  expect(Object.keys(described?.responses ?? {})).toEqual(
    expect.arrayContaining([String(route.status), '400', '401', '403', '429', '503']),
  )
  const hasKey = described?.parameters.some((each) => each.name === 'Idempotency-Key')
  expect(hasKey).toBe(route.effect === 'changes' && route.upload === undefined)
})

test('describes query parameters in wire names, and bodies without unknown fields', () => {
  const list = readOperation(adminRoutes.listUsers)
  expect(list?.parameters.map(({ name }) => name)).toContain('created_after')
  expect(readOperation(adminRoutes.updateApp)?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { required: ['settings'], additionalProperties: false } } },
  })
})

forDefaultEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    fixture = await adminFixture(database())
  })
  const callEach = async (key: string | undefined) => {
    const codes = new Map<string, unknown>()
    for (const [name, { method, path }] of routes) {
      const filled = path.replace('{app}', fixture.app.id).replaceAll(/\{\w+\}/g, 'some_id')
      codes.set(name, (await fixture.call(method, filled, { key })).body.code)
    }
    return codes
  }

  test('every call needs a key', async () => {
    expect(new Set((await callEach(undefined)).values())).toEqual(new Set(['missing_or_invalid_key']))
  })

  test('every call needs one of its scopes', async () => {
    for (const scope of fixture.scopes) {
      const codes = await callEach(await fixture.newKey({ scopes: [scope] }))
      const refused = [...codes].filter(([, code]) => code === 'insufficient_scope').map(([name]) => name)
      const others = routes.filter(([, { scopes }]) => !scopes.includes(scope)).map(([name]) => name)
      expect([scope, refused]).toEqual([scope, others])
    }
  })

  test('every call about an app refuses the key of another app', async () => {
    const other = await fixture.newApp()
    const codes = await callEach(await fixture.newKey({ appId: other.id }))
    for (const [name, { path }] of routes) {
      if (path.includes('{app}')) expect([name, codes.get(name)]).toEqual([name, 'app_not_found'])
    }
    // The refused calls are in the chain of the key's own app, so that a key writes to no other chain.
    expect(await fixture.readAudit()).toHaveLength(1)
    expect((await fixture.readAudit(other.id)).length).toBeGreaterThan(routes.length)
  })

  test('serves the description without a key', async () => {
    const answer = await fixture.call('GET', '/openapi.json', { key: undefined })
    expect(answer).toMatchObject({ status: 200, body: { openapi: '3.1.0' } })
    expect(Object.keys(answer.body.paths)).toHaveLength(new Set(routes.map(([, { path }]) => path)).size)
  })
})
