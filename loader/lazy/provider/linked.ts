/**
 * Providers of linked wallets of other apps, one per address, announced under the name of their app (EIP-6963).
 * Libraries identify them by their announcement and keep references, so each outlives its client and serves the
 * next.
 */
import { providerRdns } from '@latchkey/protocol'
import type { HostCallResult } from '@latchkey/protocol/host'
import type { PageWithProvider } from '../../client/page.ts'
import type { EthereumProvider } from '../../types/options.ts'
import { fetchAsDataUrl } from '../pictures.ts'
import { defaultIcon } from './icon.ts'
import { createMethods, type Served } from './provider.ts'

type State = HostCallResult<'ethereumState'>
type Linked = NonNullable<State['linked']>
type Own = { served: Served; provider: EthereumProvider; announcing?: Promise<void> }

const providers = new Map<string, Own>()

export function getLinkedProvider(page: PageWithProvider, state: State, linked: Linked): EthereumProvider {
  const key = `${page.appId} ${linked.address.toLowerCase()}`
  const own = providers.get(key) ?? create(linked)
  providers.set(key, own)
  own.served.serve(page)
  own.served.receiveState(state)
  if (linked.isAnnounced) own.announcing ??= announce(own.provider, state.announced, linked)
  return own.provider
}

function create({ address }: Linked): Own {
  // Not frozen, because libraries write to it. Its methods return it.
  const provider = {} as EthereumProvider
  const served = createMethods(provider, address)
  Object.assign(provider, served.methods)
  return { served, provider }
}

/**
 * Announces the provider. Libraries accept only data URLs, so the page fetches the icon and falls back to ours.
 */
async function announce(
  provider: EthereumProvider,
  announced: State['announced'],
  { address, appId }: Linked,
): Promise<void> {
  const icon = announced?.icon && ((await fetchAsDataUrl(announced.icon)) ?? defaultIcon)
  const info = Object.freeze({
    uuid: randomUuid(),
    name: announced?.name ?? address,
    icon: icon ?? defaultIcon,
    // Unique, because libraries treat wallets with the same rdns as one.
    rdns: `${providerRdns}.${appId.toLowerCase()}`,
  })
  const event = { detail: Object.freeze({ info, provider }) }
  const dispatch = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', event))
  addEventListener('eip6963:requestProvider', dispatch)
  dispatch()
}

/** Returns a version 4 UUID. `crypto.randomUUID` is missing on pages without a secure context. */
const randomUuid = () => URL.createObjectURL(new Blob()).slice(-36)
