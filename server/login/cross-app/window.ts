/**
 * A window that goes to a provider's page, where the user confirms a request of this app. The dialog opens our start
 * page on the click, requests the confirmation from the provider meanwhile, and then sends the destination here:
 *
 *     dialog   opens /cross-app/start/{handle}, calls the provider
 *     dialog   POST /cross-app/windows             sends the destination for that handle
 *     window   proves that this browser created the handle, and continues, once
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

/** Accepts only the page of this provider, with just a handle in the fragment. */
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

/** The URL is sealed, because its fragment can be used once. */
const destinationSchema = v.object({ name: v.string(), address: v.string() })
type Destination = v.InferOutput<typeof destinationSchema>

/** Returns the destination to the one window that may continue, once. */
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
