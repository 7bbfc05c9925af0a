/** The OpenAPI description of the Admin API, generated from the rows that the server enforces. */
import { product, wireName } from '@latchkey/protocol'
import {
  type AdminRoute,
  adminErrors,
  adminPrefix,
  adminRoutes,
  adminScopes,
  commonAdminErrors,
} from '@latchkey/protocol/admin'
import {
  isOptionalField,
  type JsonSchema,
  type WireSchema,
  wireSchema,
} from '../../kernel/http/wire-schema.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

function describeErrors({ errors }: AdminRoute) {
  const codes = [...commonAdminErrors, ...errors]
  const byStatus = Map.groupBy(codes, (code) => String(adminErrors[code].status))
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [status, { description: list.join(', '), content: problem }]),
  )
}

function describeParameters(route: AdminRoute) {
  const query: WireSchema | undefined = route.query
  return [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(query?.entries ?? {}).map(([name, field]) => ({
      name: wireName(name, field),
      in: 'query',
      required: !isOptionalField(field),
      schema: wireSchema(field),
    })),
    ...(route.effect === 'changes' && !route.upload
      ? [header('Idempotency-Key', 'The same key gets the same answer for 24 hours.')]
      : []),
    ...(route.effect === 'changes' && route.errors.includes('precondition_failed')
      ? [header('If-Match', 'The `ETag` of the object. The call fails if the object has changed since.')]
      : []),
  ]
}

function describeCall(name: string, route: AdminRoute): JsonSchema {
  return {
    operationId: name,
    summary: `${route.summary.charAt(0).toUpperCase()}${route.summary.slice(1)}.`,
    description: `Needs the scope ${route.scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
    parameters: describeParameters(route),
    security: [{ adminKey: [] }],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: closed(wireSchema(route.body)) } },
      },
    }),
    ...(route.upload && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          route.upload.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
        ),
      },
    }),
    responses: {
      [route.status]: {
        description: 'Done',
        content: {
          [route.stream ? 'application/x-ndjson' : 'application/json']: { schema: wireSchema(route.output) },
        },
      },
      ...describeErrors(route),
    },
  }
}

/** The server rejects unknown fields of a body. */
const closed = (schema: JsonSchema): JsonSchema => ({ ...schema, additionalProperties: false })

export function describeAdminApi(): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [name, route] of Object.entries<AdminRoute>(adminRoutes)) {
    const path = adminPrefix + route.path
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeCall(name, route) }
  }
  const scopes = Object.entries(adminScopes).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  return {
    openapi: '3.1.0',
    info: {
      title: `${product.name} Admin API`,
      version: '1',
      description: `For programs of operators. Scopes:\n\n${scopes.join('\n')}`,
    },
    paths,
    components: {
      securitySchemes: {
        adminKey: { type: 'http', scheme: 'bearer', description: 'A key of `latchkey admin keys create`.' },
      },
      schemas: {
        Problem: {
          type: 'object',
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string' },
            code: { type: 'string', enum: Object.keys(adminErrors) },
            request_id: { type: 'string' },
            path: { type: 'string' },
          },
          required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
        },
      },
    },
  }
}
