/**
 * Client headers. They are unauthenticated and decide nothing. The log contains them, so that operators can attribute
 * failures to a release or app, and analytics tell browsers apart by them.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import type { Context } from 'hono'

export type Client = {
  /** `{package}:{version}`. */
  client?: string
  /** The id of one of an app's clients, chosen by its operator. */
  clientId?: string
}

const clientPattern = /^[@a-z0-9/._-]{1,64}:[A-Za-z0-9.+-]{1,32}$/
const idPattern = /^[A-Za-z0-9_-]{1,128}$/

export function parseClient(c: Context): Client {
  const client = c.req.header(product.headers.client)
  if (client !== undefined && !clientPattern.test(client)) throw malformedHeader(product.headers.client)
  const clientId = c.req.header(product.headers.clientId)
  if (clientId !== undefined && !idPattern.test(clientId)) {
    throw new LatchkeyError('missing_or_invalid_latchkey_client_id', 'The client id is malformed')
  }
  return { ...(client !== undefined && { client }), ...(clientId !== undefined && { clientId }) }
}

/** Returns the browser id that analytics count by. */
export function parseAnalyticsId(c: Context): string | undefined {
  const id = c.req.header(product.headers.analyticsId)
  if (id !== undefined && !idPattern.test(id)) throw malformedHeader(product.headers.analyticsId)
  return id
}

const malformedHeader = (name: string) =>
  new LatchkeyError('invalid_data', 'This header is malformed', { details: { path: name } })
