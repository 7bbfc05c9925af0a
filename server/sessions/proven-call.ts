import type { ServerContext } from '../context.ts'
import type { Call } from '../http/endpoint.ts'
import { nowSeconds } from '../ports.ts'
import { proofHeader, provenKey } from './proof.ts'

type ProvenCall = Pick<Call, 'app' | 'http'>
/** A call asks when it decides and again when it answers; the signature is checked once. */
const checked = new WeakMap<ProvenCall['http'], { readonly key: string | undefined }>()

/** The thumbprint of the key that signed this call, or undefined for a client that signs none. */
export function provenKeyOf({ app, http }: ProvenCall, { config, clock }: ServerContext): string | undefined {
  const known = checked.get(http)
  if (known) return known.key
  // Behind a proxy the server does not see the address that the browser called: it is one of its own.
  const { path } = http.req
  const { customApiUrl } = app.config
  const origins = [
    config.dialogOrigin,
    config.walletOrigin,
    ...(customApiUrl ? [new URL(customApiUrl).origin] : []),
  ]
  const key = provenKey(http.req.header(proofHeader), {
    method: http.req.method,
    urls: origins.map((origin) => origin + path),
    nowSeconds: nowSeconds(clock),
  })
  checked.set(http, { key })
  return key
}
