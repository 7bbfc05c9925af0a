/** OpenAPI description, generated from the routes and schemas of `protocol/api` that the server enforces. */
import { product, wireName } from '@latchkey/protocol'
import { apiPrefix, apiRoutes, type Route, type RouteAuth, type RouteDoc } from '@latchkey/protocol/api'
import { apiDoc } from '@latchkey/protocol/api/doc'
import { proofHeader } from '../../kernel/http/proof/proof.ts'
import { statusForCode } from '../../kernel/http/statuses.ts'
import {
  type WireSchema as AnySchema,
  isOptionalField,
  type JsonSchema as Json,
  wireSchema,
} from '../../kernel/http/wire-schema.ts'

const security: { [auth in RouteAuth]: readonly Json[] } = {
  none: [],
  identity: [{ dialogToken: [] }, { hostToken: [] }],
  dialog: [{ dialogToken: [] }],
  wallet: [{ walletToken: [] }],
  'dialog or wallet': [{ dialogToken: [] }, { walletToken: [] }],
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description })
const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

const proofText =
  'Proof of possession (RFC 9449) with the key of the token or of the new session: `jti` is the request id of a changing call, `bth` the hash of the body, and `ath` the hash of the refresh token in the body or else of the bearer token'
const proofIsNeeded = header(proofHeader, true, `${proofText}.`)
const proofHeaders: { [auth in RouteAuth]: readonly Json[] } = {
  none: [],
  identity: [header(proofHeader, false, `${proofText}; with a dialog token.`)],
  dialog: [proofIsNeeded],
  wallet: [],
  'dialog or wallet': [header(proofHeader, false, `${proofText}; with a dialog token.`)],
}

/** Logins and renewals have no token yet. Their new tokens belong to the key of the proof. */
const startsSession = ({ auth, output }: Route) =>
  auth === 'none' && (output as AnySchema).entries?.refreshToken !== undefined

const json = (schema: unknown) => ({ 'application/json': { schema } })

const emptyDoc: RouteDoc = { summary: '', errors: [] }

export function openApi(routes: Readonly<Record<string, Route>> = apiRoutes): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const path = apiPrefix + route.path
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(name, route, apiDoc[name] ?? emptyDoc),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${product.name} API`,
      version: '1',
      description:
        'The API between the pages of this server and the server. Calls that start or renew a session need a proof by the key of the session.',
    },
    paths,
    components: {
      securitySchemes: {
        dialogToken: bearer('Acts for the user, with proofs by its key. Only the dialog has it.'),
        hostToken: bearer('Identifies the user and authorizes nothing else.'),
        walletToken: bearer('Authorizes one step of one vault operation, for one minute.'),
      },
      schemas: {
        Failure: {
          type: 'object',
          properties: { error: { type: 'string' }, code: { type: 'string' }, details: {} },
          required: ['error', 'code'],
        },
      },
    },
  }
}

function operation(name: string, route: Route, doc: RouteDoc): Json {
  const isChange = route.effect !== 'reads'
  const isProven = route.auth === 'dialog' || startsSession(route)
  const fieldsIn = (place: 'query' | 'header', schema: AnySchema | undefined) =>
    Object.entries(schema?.entries ?? {}).map(([field, inner]) => ({
      name: wireName(field, inner),
      in: place,
      required: !isOptionalField(inner),
      schema: wireSchema(inner),
    }))
  const parameters = [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...fieldsIn('query', route.query),
    ...fieldsIn('header', route.headers),
    ...(route.appHeader ? [header(product.headers.appId, true, 'The app.')] : []),
    ...(isChange
      ? [header('origin', true, 'The origin of the dialog or the wallet frame; browsers set it.')]
      : []),
    ...(route.effect === 'changes, replayed'
      ? [header(product.headers.requestId, isProven, 'The same id gets the same response for two minutes.')]
      : []),
    ...(route.effect === 'changes' && isProven
      ? [header(product.headers.requestId, true, 'The request id of the proof.')]
      : []),
    ...(startsSession(route) ? [proofIsNeeded] : proofHeaders[route.auth]),
  ]
  const failures = Map.groupBy(doc.errors, (code) => String(statusForCode(code)))
  return {
    operationId: name,
    summary: doc.summary,
    parameters,
    security: security[route.auth],
    ...(route.body && { requestBody: { required: true, content: json(wireSchema(route.body)) } }),
    responses: {
      200: { description: 'Done', content: json(wireSchema(route.output)) },
      ...Object.fromEntries(
        [...failures].map(([status, codes]) => [
          status,
          { description: codes.join(', '), content: json({ $ref: '#/components/schemas/Failure' }) },
        ]),
      ),
    },
  }
}
