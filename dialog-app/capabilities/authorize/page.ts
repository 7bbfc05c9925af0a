/**
 * What is different on the page of an authorization, around the capability that runs there. Its login is for the page of
 * the wallet alone: its tokens stay in the memory of this page, and neither the storage nor the cookies that the dialog
 * has at this origin are read or changed by it. So it is always a new login, and whoever is logged in elsewhere stays so.
 */
import { type ClientConfig, type DialogInlineConfig, product } from '@latchkey/protocol'
import { oneUse } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { KeyValueStore, Notices } from '../../browser/ports.ts'
import type { Capability } from '../../contract/capability.ts'
import { toLanguage } from '../../i18n/languages.ts'
import { noMarker, type SessionMarker } from '../../session/marker.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { authorizeOn } from './authorize.ts'
import { texts } from './texts.arb'

export type PageOfAuthorization = {
  portsFor: <Ports extends PortsOfPage>(ports: Ports) => Ports
  coreFor: <Running extends { wallet: Wallet }>(running: Running) => Running
  capability: Capability
}

/** What it has in the place of what every other page has from its browser. */
type PortsOfPage = {
  config?: ClientConfig
  store: KeyValueStore
  notices: Notices
  marker: SessionMarker
  fetch: typeof fetch
  loadWallet: (parts: never) => Promise<Wallet>
}

type OwnWindow = {
  location: Pick<Location, 'hash' | 'search'>
  document: Document
}

export async function authorizationPage(
  { app }: DialogInlineConfig,
  { location, document }: OwnWindow,
): Promise<PageOfAuthorization> {
  const locale = new URLSearchParams(location.search).get('locale') ?? undefined
  const language = toLanguage(locale)
  await texts.load(language)
  const config: ClientConfig = {
    ...(locale !== undefined && { intl: { locale } }),
    appearance: { landingHeader: texts.in(language).logIn({ app: app.name }) },
    // The page of the wallet sees to that.
    embeddedWallets: { createOnLogin: 'off' },
  }
  let secret: string | undefined

  return {
    portsFor: (ports) => ({
      ...ports,
      config,
      store: withoutKeeping(product.storageName(app.id, 'session'), ports.store),
      notices: noNotices,
      marker: noMarker,
      fetch: (address, init) => ports.fetch(address, { ...init, credentials: 'omit' }),
      loadWallet: () => Promise.reject(new Error('This page has no wallet frame')),
    }),
    coreFor: (running) => ({
      ...running,
      wallet: {
        ...running.wallet,
        prepare() {},
        prepareOperation() {},
        acceptLogin(_said, { deviceSecret }) {
          secret = deviceSecret
        },
      },
    }),
    capability: authorizeOn({
      state: stateIn(location.hash),
      takeSecret() {
        const taken = secret
        secret = undefined
        return taken
      },
      post: (address, fields) => postForm(document, address, fields),
    }),
  }
}

function stateIn(hash: string): string | undefined {
  const said = v.safeParse(oneUse, hash.slice(1))
  return said.success ? said.output : undefined
}

/** What has this name is in the memory of the page alone. */
function withoutKeeping(name: string, store: KeyValueStore): KeyValueStore {
  let value: string | null = null
  return {
    read: (wanted) => (wanted === name ? value : store.read(wanted)),
    write(wanted, written) {
      if (wanted === name) value = written
      else store.write(wanted, written)
    },
    remove(wanted) {
      if (wanted === name) value = null
      else store.remove(wanted)
    },
  }
}

/** Other tabs hear nothing of this login, and nothing of theirs is heard here. */
const noNotices: Notices = { tell() {}, listen() {} }

/** By calls, since no page of ours takes HTML from a script. */
function postForm(document: Document, action: string, fields: Readonly<Record<string, string>>): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, hidden: true })
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
}
