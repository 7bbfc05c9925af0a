/** The pages, each for its hostname, its app and its place in somebody's frames. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import {
  type DialogInlineConfig,
  dialogInlineConfigSchema,
  exactOrigin,
  type Handover,
  type WalletInlineConfig,
  walletInlineConfigSchema,
} from '@latchkey/protocol'
import * as v from 'valibot'
import { type App, mayEmbed } from '../../identity/apps/apps.ts'
import { type BuiltFile, builtFile, etagOf } from '../../kernel/built-files.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import type { ServerContext } from '../../kernel/context.ts'
import {
  confirmPolicy,
  crossAppPolicy,
  dialogPolicy,
  exportPolicy,
  recoveryPolicy,
  topPagePolicy,
  walletPagePolicy,
  walletPolicy,
} from '../../kernel/http/pages/headers.ts'
import { imageSources } from '../../kernel/http/pages/page-sources.ts'
import { pageLimits } from '../../kernel/limits.ts'
import type { Served } from './serve-file.ts'
import { withConfig, withIcon, withPreconnect, withSettings } from './template.ts'

/** Tells, in words, what is not built yet. */
export type PageCheck = () => readonly string[]

type PageContext = Pick<ServerContext, 'config' | 'capabilities' | 'db'>

type Page = { text: string; headers: Readonly<Record<string, string>> }

/** Where the host is cross-origin isolated, what it frames must say that it may be. */
const isolatedHeaders = {
  'cross-origin-embedder-policy': 'credentialless',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Who frames the dialog: an origin that the app lists, nobody, or somebody whom it does not list. */
export type Framing =
  | {
      by: 'host'
      origin: string
      /** The app lists a wildcard alone that it fits, as those of preview deployments do. */
      isPreview: boolean
    }
  | { by: 'nobody' | 'stranger' }

export function framingOf(app: App, origin: string | undefined): Framing {
  if (origin === undefined) return { by: 'nobody' }
  const exact = exactOrigin(origin)
  if (exact === undefined || !mayEmbed(app, exact)) return { by: 'stranger' }
  return { by: 'host', origin: exact, isPreview: !app.allowedOrigins.includes(exact) }
}

export type DialogFrame = { hostOrigin: string | null; isolated: boolean }

const imagesOf = ({ config: { logoUrl, iconUrl } }: App) => imageSources([logoUrl, iconUrl])

export async function dialogPage(
  html: string,
  app: App,
  frame: DialogFrame,
  context: PageContext,
): Promise<Page> {
  const { config, capabilities, db } = context
  const { walletOrigin } = config
  const { hostOrigin, isolated } = frame
  const { customApiUrl } = app.config
  const ancestors = hostOrigin === null ? [] : [hostOrigin]
  const filled = withSettings(withPreconnect(html, walletOrigin), app.config)
  return {
    text: withConfig(
      hostOrigin === null ? withIcon(filled, app.config.iconUrl) : filled,
      inlineConfig(app, frame, context),
    ),
    headers: {
      'content-security-policy': dialogPolicy({
        ancestors,
        walletOrigin,
        customApiUrl,
        images: imagesOf(app),
        sources: await capabilities.sourcesFor(app, db),
      }),
      // Browsers read it of a page at the top alone, never of a frame: whoever opened the dialog in a tab of its
      // own has no hold on it, and it keeps its hold on the pop-ups that it opens.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      ...(isolated && isolatedHeaders),
    },
  }
}

function inlineConfig(
  app: App,
  { hostOrigin, isolated }: DialogFrame,
  { config: { dialogOrigin, walletOrigin }, capabilities }: PageContext,
): DialogInlineConfig {
  return v.parse(dialogInlineConfigSchema, {
    app: app.config,
    hostOrigin,
    dialogOrigin,
    walletOrigin,
    apiOrigin: app.config.customApiUrl ?? dialogOrigin,
    sessionMode: app.sessionMode,
    isolated,
    addresses: capabilities.addressesFor(app),
  } satisfies DialogInlineConfig)
}

/**
 * The dialog at the top of a window, where a user logs in who then goes on to the page of their wallet. That window was
 * opened by another app, or by the dialog in it, and has to find it again: so no opener policy cuts it off.
 */
export async function authorizePage(html: string, app: App, context: PageContext): Promise<Page> {
  const { config, capabilities, db } = context
  const { walletOrigin } = config
  const frame = { hostOrigin: null, isolated: false }
  const filled = withSettings(withPreconnect(html, walletOrigin), app.config)
  return {
    text: withConfig(withIcon(filled, app.config.iconUrl), {
      ...inlineConfig(app, frame, context),
      handover: true,
    } satisfies DialogInlineConfig),
    headers: {
      'content-security-policy': dialogPolicy({
        ancestors: [],
        walletOrigin,
        customApiUrl: app.config.customApiUrl,
        images: imagesOf(app),
        sources: await capabilities.sourcesFor(app, db),
        handsOver: true,
      }),
      'cross-origin-opener-policy': 'unsafe-none',
    },
  }
}

const pageAtTop = (html: string, app: App, context: PageContext): string =>
  withConfig(
    withIcon(html, app.config.iconUrl),
    inlineConfig(app, { hostOrigin: null, isolated: false }, context),
  )

/**
 * Where a request is approved that no frame is trusted with: the same page for every request of an app. It says nothing
 * of its opener, by which it finds the wallet frame: who opened it may close it, and decides nothing.
 */
export const confirmPage = (html: string, app: App, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: { 'content-security-policy': confirmPolicy },
})

/**
 * Where a user lets another app use their wallet, and confirms what that app asks of it. It answers its opener, and posts
 * to the provider on the API's origin. With `handover` it is the answer to one login, for nobody else.
 */
export function crossAppPage(html: string, app: App, context: PageContext, handover?: Handover): Page {
  const { customApiUrl } = app.config
  const custom = customApiUrl === null ? [] : [new URL(customApiUrl).origin]
  const submitsTo = new Set([context.config.dialogOrigin, ...custom])
  return {
    text: withWalletConfig(html, app, context, handover),
    headers: {
      'content-security-policy': crossAppPolicy({
        submitsTo: [...submitsTo],
        clouds: cloudOrigins(app, context),
      }),
    },
  }
}

/** Where a user types the password that keeps their wallet, or is asked for their passkey. Nothing is sent from it. */
export const recoveryPage = (html: string, app: App, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: { 'content-security-policy': recoveryPolicy },
})

/** Where a user sees the key of their wallet. Nothing is sent from it, and its vault has no network either. */
export const exportPage = (html: string, app: App, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: { 'content-security-policy': exportPolicy },
})

/** Where a passkey is asked that no frame may ask. What an app loads for its capabilities has no place in it. */
export function passkeyPage(html: string, app: App, context: PageContext): Page {
  return {
    text: pageAtTop(html, app, context),
    headers: {
      'content-security-policy': topPagePolicy({
        customApiUrl: app.config.customApiUrl,
        images: imagesOf(app),
      }),
      // Neither the dialog that opened it nor the host has any hold on it.
      'cross-origin-opener-policy': 'same-origin',
    },
  }
}

/** No config is in it, and under the policy of all that is no page nobody may frame it. */
export const refusalPage: Served = {
  file: pageFile(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Origin not listed</title>
<p>This page can not be embedded here: the app does not list this origin.</p>
</html>
`),
  cache: 'revalidated',
  status: 403,
}

/** The browser checks the whole chain, so the host stands beside the dialog. */
const ancestorsOf = (app: App, { dialogOrigin }: ServerConfig) => [dialogOrigin, ...app.allowedOrigins]

function withWalletConfig(
  html: string,
  app: App,
  { config, capabilities }: PageContext,
  handover?: Handover,
): string {
  const inline: WalletInlineConfig = {
    appId: app.id,
    appName: app.name,
    dialogOrigin: config.dialogOrigin,
    hostOrigins: [...app.allowedOrigins],
    apiOrigin: app.config.customApiUrl ?? config.walletOrigin,
    clouds: capabilities.cloudsFor(app),
    hostKeyImport: app.config.embeddedWalletConfig.hostKeyImport === true,
    ...(handover && { handover }),
  }
  return withConfig(html, v.parse(walletInlineConfigSchema, inline))
}

const cloudOrigins = (app: App, { capabilities }: PageContext) =>
  Object.values(capabilities.cloudsFor(app)).map((address) => new URL(address).origin)

export const walletPage = (html: string, app: App, isolated: boolean, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: {
    'content-security-policy': walletPolicy({
      ancestors: ancestorsOf(app, context.config),
      customApiUrl: app.config.customApiUrl,
      clouds: cloudOrigins(app, context),
    }),
    ...(isolated && isolatedHeaders),
  },
})

/** A page that stands beside the wallet frame, without its network. */
export const ownWalletPage = (html: string, app: App, isolated: boolean, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: {
    'content-security-policy': walletPagePolicy(ancestorsOf(app, context.config)),
    ...(isolated && isolatedHeaders),
  },
})

/**
 * The page for an origin that only a wildcard lists. Anybody can name another label, and each has a page of its own, so
 * the page is neither compressed nor remembered; it is a few kB.
 */
export const previewPage = ({ text, headers }: Page): Served => ({
  file: builtFile('/page.html', new Map([['/page.html', new TextEncoder().encode(text)]])),
  cache: 'revalidated',
  headers,
})

/** Filled pages are compressed here, once: the builds compress what they know whole. */
function pageFile(html: string): BuiltFile {
  const content = new TextEncoder().encode(html)
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: pageLimits.pageBrotliQuality } }
  return builtFile(
    '/page.html',
    new Map([
      ['/page.html', content],
      ['/page.html.br', Uint8Array.from(brotliCompressSync(content, brotli))],
      ['/page.html.gz', Uint8Array.from(gzipSync(content))],
    ]),
  )
}

/**
 * A page is made once for an app as it is, an origin and a build. The app is read anew each second; as long as that
 * changes nothing on the page, what was compressed is served on. Its headers have their part in its tag: not every
 * browser takes the policy of a 304 for that of what it kept.
 */
export function createPageMemory() {
  type Made = { app: App; html: string; page: string; served: Served }
  const pages = new Map<string, Made>()
  return async (
    name: string,
    app: App,
    html: string,
    make: () => Page | Promise<Page>,
    cache: Served['cache'] = 'revalidated',
  ): Promise<Served> => {
    const known = pages.get(name)
    if (known && known.app === app && known.html === html) return known.served
    const { text, headers } = await make()
    const page = JSON.stringify([text, headers])
    const file = known?.page === page ? known.served.file : { ...pageFile(text), etag: etagOf(page) }
    const served: Served = { file, cache, headers }
    if (pages.size >= pageLimits.madePages) pages.clear()
    pages.set(name, { app, html, page, served })
    return served
  }
}
