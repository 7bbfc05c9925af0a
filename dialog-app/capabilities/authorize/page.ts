/**
 * The ports of the authorization page. Its login is for the wallet page only: the tokens stay in memory, and the page
 * neither reads nor changes the storage and cookies of the dialog. So it is always a new login, and other sessions of the
 * browser continue.
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

/** The ports that differ from those of other pages. */
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
    // The wallet page creates wallets.
    embeddedWallets: { createOnLogin: 'off' },
  }
  let secret: string | undefined

  return {
    portsFor: (ports) => ({
      ...ports,
      config,
      store: keepInMemory(product.storageName(app.id, 'session'), ports.store),
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
        acceptLogin(_session, { deviceSecret }) {
          secret = deviceSecret
        },
      },
    }),
    capability: authorizeOn({
      state: readState(location.hash),
      takeSecret() {
        const latest = secret
        secret = undefined
        return latest
      },
      post: (address, fields) => postForm(document, address, fields),
    }),
  }
}

function readState(hash: string): string | undefined {
  const parsed = v.safeParse(oneUse, hash.slice(1))
  return parsed.success ? parsed.output : undefined
}

/** Keeps the value of this name in memory only. */
function keepInMemory(name: string, store: KeyValueStore): KeyValueStore {
  let value: string | null = null
  return {
    read: (key) => (key === name ? value : store.read(key)),
    write(key, newValue) {
      if (key === name) value = newValue
      else store.write(key, newValue)
    },
    remove(key) {
      if (key === name) value = null
      else store.remove(key)
    },
  }
}

/** Neither sends notices of this login to other tabs nor receives theirs. */
const noNotices: Notices = { tell() {}, listen() {} }

/** Builds the form with DOM calls, because no page accepts HTML from scripts. */
function postForm(document: Document, action: string, fields: Readonly<Record<string, string>>): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, hidden: true })
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
}
