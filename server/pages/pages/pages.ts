/** Renders the pages of the dialog and wallet origins, with the headers for each app and embedding. */
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
import { type BuiltFile, builtFile, createEtag } from '../../kernel/built-files.ts'
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

export { notModified, serveFile } from './serve-file.ts'

/** Returns messages about pages that are not built yet. */
export type PageCheck = () => readonly string[]

type PageContext = Pick<ServerContext, 'config' | 'capabilities' | 'db'>

type Page = { text: string; headers: Readonly<Record<string, string>> }

/** Headers that a cross-origin isolated host requires of the frames it embeds. */
const isolatedHeaders = {
  'cross-origin-embedder-policy': 'credentialless',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The party that frames the dialog: a listed origin, nothing, or an origin that the app does not list. */
export type Framing =
  | {
      type: 'host'
      origin: string
      /** The origin matches only a wildcard of the app, like those of preview deployments. */
      isPreview: boolean
    }
  | { type: 'none' | 'unlisted' }

export function resolveFraming(app: App, origin: string | undefined): Framing {
  if (origin === undefined) return { type: 'none' }
  const exact = exactOrigin(origin)
  if (exact === undefined || !mayEmbed(app, exact)) return { type: 'unlisted' }
  return { type: 'host', origin: exact, isPreview: !app.allowedOrigins.includes(exact) }
}

export type DialogFrame = { hostOrigin: string | null; isolated: boolean }

const getImages = ({ config: { logoUrl, iconUrl } }: App) => imageSources([logoUrl, iconUrl])

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
        images: getImages(app),
        sources: await capabilities.sourcesFor(app, db),
      }),
      // Browsers apply this header to top-level documents only. A page that opened the dialog in a tab loses its
      // reference to it, and the dialog keeps the references to its own pop-ups.
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
 * Renders the dialog as a top-level page, where a user logs in before the cross-app wallet page. The opener must find
 * this window again, so the page sets no isolating opener policy.
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
        images: getImages(app),
        sources: await capabilities.sourcesFor(app, db),
        handsOver: true,
      }),
      'cross-origin-opener-policy': 'unsafe-none',
    },
  }
}

const topLevelPage = (html: string, app: App, context: PageContext): string =>
  withConfig(
    withIcon(html, app.config.iconUrl),
    inlineConfig(app, { hostOrigin: null, isolated: false }, context),
  )

/**
 * Renders the confirmation page, one page for all requests of an app. It sets no opener policy, because it finds the
 * wallet frame through its opener. The opener can close the page but not approve anything.
 */
export const confirmPage = (html: string, app: App, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: { 'content-security-policy': confirmPolicy },
})

/**
 * Renders the page where a user connects a wallet to another app and approves that app's requests. It answers its
 * opener, and posts to the provider on the API origin. With `handover` the page contains one login and must not be
 * cached.
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

/**
 * Renders the recovery page, where a user types the recovery password or uses a passkey. Its policy allows no network.
 */
export const recoveryPage = (html: string, app: App, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: { 'content-security-policy': recoveryPolicy },
})

/** Renders the export page, which shows the wallet's key. Neither the page nor its vault has network access. */
export const exportPage = (html: string, app: App, context: PageContext): Page => ({
  text: withWalletConfig(html, app, context),
  headers: { 'content-security-policy': exportPolicy },
})

/**
 * Renders the top-level passkey page, for browsers that do not allow WebAuthn in the frame. It loads no third-party
 * scripts of capabilities.
 */
export function passkeyPage(html: string, app: App, context: PageContext): Page {
  return {
    text: topLevelPage(html, app, context),
    headers: {
      'content-security-policy': topPagePolicy({
        customApiUrl: app.config.customApiUrl,
        images: getImages(app),
      }),
      // Severs the window references of the dialog that opened it and of the host.
      'cross-origin-opener-policy': 'same-origin',
    },
  }
}

/** Contains no config. The default policy for responses other than pages prevents framing. */
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

/** Browsers check all ancestors, so both the dialog and the host are listed. */
const getAncestors = (app: App, { dialogOrigin }: ServerConfig) => [dialogOrigin, ...app.allowedOrigins]

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
      ancestors: getAncestors(app, context.config),
      customApiUrl: app.config.customApiUrl,
      clouds: cloudOrigins(app, context),
    }),
    ...(isolated && isolatedHeaders),
  },
})

/** Renders a page that is framed beside the wallet frame, without network access. */
export const secondaryWalletPage = (
  html: string,
  app: App,
  isolated: boolean,
  context: PageContext,
): Page => ({
  text: withWalletConfig(html, app, context),
  headers: {
    'content-security-policy': walletPagePolicy(getAncestors(app, context.config)),
    ...(isolated && isolatedHeaders),
  },
})

/**
 * Serves the page for an origin that only a wildcard matches. Any label matches, and each gets its own page, so these
 * small pages are neither compressed nor cached.
 */
export const previewPage = ({ text, headers }: Page): Served => ({
  file: builtFile('/page.html', new Map([['/page.html', new TextEncoder().encode(text)]])),
  cache: 'revalidated',
  headers,
})

/** Compresses a filled page. The build compresses only static files. */
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
 * Creates the cache of rendered pages. A page is rendered once per app version, origin and build. Apps are reread every
 * second; the compressed page is reused while its text and headers stay the same. The ETag covers the headers, because
 * some browsers keep the cached policy after a 304.
 */
export function createPageCache() {
  type CachedPage = { app: App; html: string; page: string; served: Served }
  const pages = new Map<string, CachedPage>()
  return async (
    name: string,
    app: App,
    html: string,
    render: () => Page | Promise<Page>,
    cache: Served['cache'] = 'revalidated',
  ): Promise<Served> => {
    const cached = pages.get(name)
    if (cached && cached.app === app && cached.html === html) return cached.served
    const { text, headers } = await render()
    const page = JSON.stringify([text, headers])
    const file = cached?.page === page ? cached.served.file : { ...pageFile(text), etag: createEtag(page) }
    const served: Served = { file, cache, headers }
    if (pages.size >= pageLimits.madePages) pages.clear()
    pages.set(name, { app, html, page, served })
    return served
  }
}
