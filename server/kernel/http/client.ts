/**
 * What a client says of itself in headers. It proves nothing and decides nothing: the log names it, so that an operator
 * sees which release or app of theirs a failure comes from, and counts of an app tell browsers apart by it.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import type { Context } from 'hono'

export type Client = {
  /** `{package}:{version}`. */
  client?: string
  /** One of several clients of an app, as its operator calls it. */
  clientId?: string
}

const named = /^[@a-z0-9/._-]{1,64}:[A-Za-z0-9.+-]{1,32}$/
const identified = /^[A-Za-z0-9_-]{1,128}$/

export function clientOf(c: Context): Client {
  const client = c.req.header(product.headers.client)
  if (client !== undefined && !named.test(client)) throw wrongHeader(product.headers.client)
  const clientId = c.req.header(product.headers.clientId)
  if (clientId !== undefined && !identified.test(clientId)) {
    throw new LatchkeyError('missing_or_invalid_latchkey_client_id', 'This is no id of a client')
  }
  return { ...(client !== undefined && { client }), ...(clientId !== undefined && { clientId }) }
}

/** The id by which the counts of an app tell browsers apart. */
export function analyticsIdOf(c: Context): string | undefined {
  const id = c.req.header(product.headers.analyticsId)
  if (id !== undefined && !identified.test(id)) throw wrongHeader(product.headers.analyticsId)
  return id
}

const wrongHeader = (name: string) =>
  new LatchkeyError('invalid_data', 'This header is not well-formed', { details: { path: name } })
