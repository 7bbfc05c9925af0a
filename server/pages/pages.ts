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
import type { ServerContext } from '../context.ts'
import { dataPolicy, dialogPolicy, walletPolicy } from '../http/headers.ts'
import { pageLimits } from '../limits.ts'
import { type BuiltFile, builtFile } from './built-files.ts'
import { withConfig } from './template.ts'

/** Tells, in words, what is not built yet. */
export type PageCheck = () => readonly string[]

export type Page = {
  readonly file: BuiltFile
  readonly policy: string
  readonly status: 200 | 403
  /** The host is cross-origin isolated: what it frames must say that it may be. */
  readonly isolated: boolean
}

/** Who frames the dialog: an origin that the app lists, nobody, or somebody whom it does not list. */
export type Framing =
  | { readonly by: 'host'; readonly origin: string }
  | { readonly by: 'nobody' | 'stranger' }

export function framingOf(app: App, origin: string | undefined): Framing {
  if (origin === undefined) return { by: 'nobody' }
  const exact = exactOrigin(origin)
  return exact !== undefined && mayEmbed(app, exact) ? { by: 'host', origin: exact } : { by: 'stranger' }
}

export type DialogPlace = { readonly hostOrigin: string | null; readonly isolated: boolean }

export function dialogPage(
  html: string,
  app: App,
  place: DialogPlace,
  { config, capabilities }: Pick<ServerContext, 'config' | 'capabilities'>,
): Page {
  const { walletOrigin, dialogOrigin } = config
  const { hostOrigin, isolated } = place
  const { customApiUrl } = app.config
  const inline: DialogInlineConfig = {
    app: app.config,
    hostOrigin,
    dialogOrigin,
    walletOrigin,
    apiOrigin: customApiUrl ?? dialogOrigin,
    sessionMode: app.sessionMode,
    isolated,
  }
  return {
    file: filled(html, v.parse(dialogInlineConfigSchema, inline)),
    policy: dialogPolicy({
      ancestors: hostOrigin === null ? [] : [hostOrigin],
      walletOrigin,
      customApiUrl,
      sources: capabilities.sourcesFor(app),
    }),
    status: 200,
    isolated,
  }
}

/** No config is in it, and nobody may frame it: whoever tries sees nothing. */
export const refusalPage: Page = {
  file: builtFile(
    'refusal.html',
    new TextEncoder().encode(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Origin not listed</title>
<p>This page can not be embedded here: the app does not list this origin.</p>
</html>
`),
  ),
  policy: dataPolicy,
  status: 403,
  isolated: false,
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
