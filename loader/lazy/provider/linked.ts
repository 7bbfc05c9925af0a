/**
 * Providers of wallets of other apps, one for each address, announced under the name of their app (EIP-6963). Libraries
 * tell them apart by what they are announced as, and keep what they found: so each outlives its client, and serves the next.
 */
import { providerRdns } from '@latchkey/protocol'
import type { HostCallResult } from '@latchkey/protocol/host'
import type { PageWithProvider } from '../../client/page.ts'
import type { EthereumProvider } from '../../types/options.ts'
import { pictureAt } from '../pictures.ts'
import { defaultIcon } from './icon.ts'
import { createMethods, type Served } from './provider.ts'

type State = HostCallResult<'ethereumState'>
type Linked = NonNullable<State['linked']>
type Own = { served: Served; provider: EthereumProvider; announcing?: Promise<void> }

const providers = new Map<string, Own>()

export function linkedProviderOf(page: PageWithProvider, state: State, linked: Linked): EthereumProvider {
  const key = `${page.appId} ${linked.address.toLowerCase()}`
  const own = providers.get(key) ?? create(linked)
  providers.set(key, own)
  own.served.serve(page)
  own.served.receiveState(state)
  if (linked.isAnnounced) own.announcing ??= announce(own.provider, state.announced, linked)
  return own.provider
}

function create({ address }: Linked): Own {
  // Libraries write on it, and its methods answer with it.
  const provider = {} as EthereumProvider
  const served = createMethods(provider, address)
  Object.assign(provider, served.methods)
  return { served, provider }
}

/** Libraries draw data alone: an icon that is elsewhere is fetched by the page, and ours stands where it does not come. */
async function announce(
  provider: EthereumProvider,
  announced: State['announced'],
  { address, appId }: Linked,
): Promise<void> {
  const icon = announced?.icon && ((await pictureAt(announced.icon)) ?? defaultIcon)
  const info = Object.freeze({
    uuid: randomUuid(),
    name: announced?.name ?? address,
    icon: icon ?? defaultIcon,
    // One of its own: libraries take two with the same for one.
    rdns: `${providerRdns}.${appId.toLowerCase()}`,
  })
  const event = { detail: Object.freeze({ info, provider }) }
  const dispatch = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', event))
  addEventListener('eip6963:requestProvider', dispatch)
  dispatch()
}

/** Version 4 of RFC 9562; `crypto.randomUUID` is missing on pages that are no secure context. */
const randomUuid = () => URL.createObjectURL(new Blob()).slice(-36)
