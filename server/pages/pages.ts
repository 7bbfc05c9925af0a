/** The two pages, each for its hostname, its app and its place in somebody's frames. */
import {
  type DialogInlineConfig,
  dialogInlineConfigSchema,
  exactOrigin,
  type WalletInlineConfig,
  walletInlineConfigSchema,
} from '@latchkey/protocol'
import * as v from 'valibot'
import { type App, mayEmbed } from '../apps/apps.ts'
import type { ServerConfig } from '../config.ts'
import { dialogPolicy, walletPolicy } from '../http/headers.ts'
import { pageLimits } from '../limits.ts'
import { type BuiltFile, builtFile } from './built-files.ts'
import { withConfig } from './template.ts'

export type Page = {
  readonly file: BuiltFile
  readonly policy: string
  readonly status: 200 | 403
  /** The host is cross-origin isolated: what it frames must say that it may be. */
  readonly isolated: boolean
}

export type DialogRequest = {
  /** Who says to embed the page; null where nobody does. */
  readonly origin: string | null
  readonly isolated: boolean
}

export function dialogPage(html: string, app: App, request: DialogRequest, config: ServerConfig): Page {
  const { walletOrigin, dialogOrigin } = config
  const { customApiUrl } = app.config
  const host = request.origin === null ? undefined : exactOrigin(request.origin)
  const isListed = host !== undefined && mayEmbed(app, host)
  if (request.origin !== null && !isListed) {
    return {
      file: builtFile('refusal.html', new TextEncoder().encode(refusal)),
      policy: dialogPolicy({ ancestors: [], walletOrigin, customApiUrl: null }),
      status: 403,
      isolated: request.isolated,
    }
  }
  const inline: DialogInlineConfig = {
    app: app.config,
    hostOrigin: host ?? null,
    dialogOrigin,
    walletOrigin,
    apiOrigin: customApiUrl ?? dialogOrigin,
    sessionMode: app.sessionMode,
    isolated: request.isolated,
  }
  return {
    file: filled(html, v.parse(dialogInlineConfigSchema, inline)),
    policy: dialogPolicy({ ancestors: host === undefined ? [] : [host], walletOrigin, customApiUrl }),
    status: 200,
    isolated: request.isolated,
  }
}

/** The browser checks the whole chain, so the host stands beside the dialog. */
export function walletPage(html: string, app: App, isolated: boolean, config: ServerConfig): Page {
  const { customApiUrl } = app.config
  const inline: WalletInlineConfig = {
    appId: app.id,
    dialogOrigin: config.dialogOrigin,
    hostOrigins: [...app.allowedOrigins],
    apiOrigin: customApiUrl ?? config.walletOrigin,
  }
  return {
    file: filled(html, v.parse(walletInlineConfigSchema, inline)),
    policy: walletPolicy({ ancestors: [config.dialogOrigin, ...app.allowedOrigins], customApiUrl }),
    status: 200,
    isolated,
  }
}

const filled = (html: string, config: unknown) =>
  builtFile('page.html', new TextEncoder().encode(withConfig(html, config)))

const refusal = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Origin not listed</title>
<p>This page can not be embedded here: the app does not list this origin.</p>
</html>
`

/** A page is made once for an app as it is, an origin and a build. */
export function createPageMemory() {
  const pages = new Map<string, { readonly app: App; readonly html: string; readonly page: Page }>()
  return (name: string, app: App, html: string, make: () => Page): Page => {
    const known = pages.get(name)
    if (known && known.app === app && known.html === html) return known.page
    const page = make()
    if (pages.size >= pageLimits.madePages) pages.clear()
    pages.set(name, { app, html, page })
    return page
  }
}
