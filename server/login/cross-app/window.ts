/**
 * A window that goes to the page of a provider on which its user confirms what this app asks of their wallet. The
 * dialog opens a page of ours in its click and asks the provider meanwhile; then it says here where the window goes:
 *
 *     dialog   opens /cross-app/start/{handle}, asks the provider
 *     dialog   POST /cross-app/windows             where to, for that handle
 *     window   proves that this browser made the handle, and goes on, once
 */
import { LatchkeyError } from '@latchkey/protocol'
import { crossAppHandle, crossAppLimits, type crossAppRoutes, type RouteBody } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../kernel/ports.ts'
import * as windows from '../window/window.ts'
import { seal, unseal, windowId } from '../window/window.ts'
import type { Provider } from './providers.ts'

const purpose = 'cross-app'
const sealedAs = 'cross-app-window'

/** The page of this very provider, with a handle behind its `#` and nothing else. */
export function isTransactAddress(
  { issuer, customApiUrl, providerAppId }: Pick<Provider, 'issuer' | 'customApiUrl' | 'providerAppId'>,
  address: string,
): boolean {
  const url = URL.parse(address)
  if (!url) return false
  const isHandle = v.is(crossAppHandle, url.hash.slice(1))
  return [new URL(issuer).origin, customApiUrl].some(
    (origin) =>
      origin !== null && isHandle && address === `${origin}/oauth/transact/${providerAppId}${url.hash}`,
  )
}

export async function beginWindow(
  trx: Trx,
  context: ServerContext,
  app: App,
  provider: Provider,
  { relay, transactUrl }: Pick<RouteBody<typeof crossAppRoutes.openCrossAppWindow>, 'relay' | 'transactUrl'>,
): Promise<void> {
  if (!isTransactAddress(provider, transactUrl)) {
    throw new LatchkeyError('invalid_data', 'This is no page of the provider', {
      details: { path: 'transact_url' },
    })
  }
  const id = windowId(relay.handle)
  const destination: Destination = {
    name: provider.name,
    address: seal(context, id, sealedAs, transactUrl),
  }
  await windows.beginWindow(trx, context, app, {
    purpose,
    relay,
    seconds: crossAppLimits.requestSeconds,
    data: destination,
  })
}

/** The address is sealed: its fragment is good once. */
const destinationSchema = v.object({ name: v.string(), address: v.string() })
type Destination = v.InferOutput<typeof destinationSchema>

/** Where the one window goes that may, which is told once. */
export async function takeAddress(
  context: ServerContext,
  handle: string,
): Promise<{ name: string; address: string } | undefined> {
  const id = windowId(handle)
  const window = await windows.takeWindow(context.db, { id, purpose }, nowSeconds(context.clock))
  if (!window) return undefined
  const { name, address } = v.parse(destinationSchema, JSON.parse(window.data))
  return { name, address: unseal(context, id, sealedAs, address) }
}
