import { appId, handoverFields, LatchkeyError } from '@latchkey/protocol'
import { oneUse } from '@latchkey/protocol/api'
import { openWindowPage, walletPages } from '@latchkey/protocol/wallet'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { App } from '../../identity/apps/apps.ts'
import { type BuiltFile, watchBuiltFolder } from '../../kernel/built-files.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { createClientAddress } from '../../kernel/http/addresses/client-address.ts'
import type { Site } from '../../kernel/http/addresses/sites.ts'
import { parseFields, readBody } from '../../kernel/http/body.ts'
import type { HttpEnv } from '../../kernel/http/mount.ts'
import { vaultPolicy } from '../../kernel/http/pages/headers.ts'
import { assertSameOriginNavigation } from '../../kernel/http/pages/opened-by.ts'
import type { RateLimit } from '../../kernel/http/rate-limit.ts'
import { loaderName, moduleName, openLoaders } from '../loaders/loaders.ts'
import {
  authorizePage,
  confirmPage,
  createPageCache,
  crossAppPage,
  dialogPage,
  exportPage,
  type PageCheck,
  passkeyPage,
  previewPage,
  recoveryPage,
  refusalPage,
  resolveFraming,
  secondaryWalletPage,
  walletPage,
} from './pages.ts'
import { notModified, type Served, serveFile } from './serve-file.ts'
import { hasConfigPlaceholder } from './template.ts'

/** Vault scripts run as workers, which obey the policy of their own response. */
export const isVaultScript = (path: string) =>
  /^\/(?:(?:export|import)-)?vault-[A-Za-z0-9_-]+\.js$/.test(path)

const publicHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
const vaultHeaders = {
  'content-security-policy': vaultPolicy,
  // A cross-origin isolated page starts only workers that send the same policy.
  'cross-origin-embedder-policy': 'require-corp',
}

export function mountPages(hono: Hono<HttpEnv>, context: ServerContext, pace: RateLimit): PageCheck {
  const { config } = context
  const getClientAddress = createClientAddress(config.trustedProxies)
  const dialog = watchBuiltFolder(config.dialogDist, 'index.html')
  const wallet = watchBuiltFolder(config.walletDist, 'index.html')
  const loaders = openLoaders(context)
  const cachedPage = createPageCache()
  const callerAddress = (c: Context<HttpEnv>) =>
    getClientAddress(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))

  /** Adds a route on one hostname only. */
  const addRoute = (site: Site, pattern: string, find: (c: Context<HttpEnv>) => Promise<Served> | Served) => {
    hono.get(pattern, async (c, next) => {
      if (c.get('site') !== site) return next()
      c.set('pattern', pattern)
      const served = await find(c)
      return notModified(c, served) ?? serveFile(served)(c, next)
    })
  }

  /** Adds a route for an app's page. The rate limit applies before the app lookup and the rendering. */
  const addAppRoute = (site: Site, pattern: string, find: (c: Context<HttpEnv>) => Promise<Served>) =>
    addRoute(site, pattern, async (c) => {
      await pace('pages', callerAddress(c))
      return find(c)
    })

  addAppRoute('dialog', '/apps/:appId/dialog', async (c) => {
    const app = await requireApp(c, context)
    const isAwaited = c.req.query('open') === '1'
    const html = requireTemplate(
      (isAwaited ? dialog.page('/open.html') : undefined) ?? dialog.page('/index.html'),
    )
    const framing = resolveFraming(app, c.req.query('origin'))
    if (framing.type === 'unlisted') return refusalPage
    const hostOrigin = framing.type === 'host' ? framing.origin : null
    const frame = { hostOrigin, isolated: isIsolated(c) }
    if (framing.type === 'host' && framing.isPreview) {
      return previewPage(await dialogPage(html, app, frame, context))
    }
    const name = JSON.stringify(['dialog', app.id, frame, isAwaited])
    return cachedPage(name, app, html, () => dialogPage(html, app, frame, context))
  })

  addAppRoute('dialog', '/apps/:appId/passkey/:handle', async (c) => {
    assertSameOriginNavigation(c)
    const app = await requireApp(c, context)
    if (!v.is(oneUse, c.req.param('handle'))) throw notFound()
    const html = requireTemplate(dialog.page('/passkey.html'))
    const name = JSON.stringify(['passkey', app.id])
    return cachedPage(name, app, html, () => passkeyPage(html, app, context), 'never')
  })

  addAppRoute('dialog', '/apps/:appId/authorize', async (c) => {
    const app = await requireApp(c, context)
    if (!app.config.crossAppProvider) throw notFound()
    const html = requireTemplate(dialog.page('/index.html'))
    const name = JSON.stringify(['authorize', app.id])
    return cachedPage(name, app, html, () => authorizePage(html, app, context))
  })

  addAppRoute('wallet', '/apps/:appId/embedded-wallets', async (c) => {
    const app = await requireApp(c, context)
    const html = requireTemplate(wallet.page('/index.html'))
    const isolated = isIsolated(c)
    const name = JSON.stringify(['wallet', app.id, isolated])
    return cachedPage(name, app, html, () => walletPage(html, app, isolated, context))
  })

  addAppRoute('wallet', '/apps/:appId/confirm', async (c) => {
    const app = await requireApp(c, context)
    const html = requireTemplate(wallet.page('/confirm/index.html'))
    const name = JSON.stringify(['confirm', app.id])
    return cachedPage(name, app, html, () => confirmPage(html, app, context))
  })

  addAppRoute('wallet', '/apps/:appId/cross-app', async (c) => {
    const app = await requireApp(c, context)
    const html = requireTemplate(wallet.page('/cross-app/index.html'))
    const name = JSON.stringify(['cross-app', app.id])
    return cachedPage(name, app, html, () => crossAppPage(html, app, context))
  })

  /** Receives a login that the dialog posts cross-origin. Any origin may post here: the page verifies the handover. */
  const sessionPath = '/apps/:appId/cross-app/session'
  hono.post(sessionPath, async (c, next) => {
    if (c.get('site') !== 'wallet') return next()
    c.set('pattern', sessionPath)
    await pace('changes', callerAddress(c))
    const app = await requireApp(c, context)
    const fields = new URLSearchParams(await readBody(c, 'application/x-www-form-urlencoded'))
    const handover = parseFields(handoverFields, Object.fromEntries(fields))
    const html = requireTemplate(wallet.page('/cross-app/index.html'))
    const { text, headers } = crossAppPage(html, app, context, handover)
    return c.html(text, 200, { ...headers, 'cache-control': 'no-store' })
  })

  addAppRoute('wallet', '/apps/:appId/recovery', async (c) => {
    const app = await requireApp(c, context)
    const html = requireTemplate(wallet.page('/recovery-window/index.html'))
    const name = JSON.stringify(['recovery', app.id])
    return cachedPage(name, app, html, () => recoveryPage(html, app, context))
  })

  addAppRoute('wallet', '/apps/:appId/embedded-wallets/export', async (c) => {
    const app = await requireApp(c, context)
    const html = requireTemplate(wallet.page('/export/index.html'))
    const name = JSON.stringify(['export', app.id])
    return cachedPage(name, app, html, () => exportPage(html, app, context), 'never')
  })

  for (const page of [...walletPages, openWindowPage]) {
    addAppRoute('wallet', `/apps/:appId/embedded-wallets/${page}`, async (c) => {
      const app = await requireApp(c, context)
      const html = requireTemplate(wallet.page(`/${page}/index.html`))
      const isolated = isIsolated(c)
      const name = JSON.stringify(['wallet page', page, app.id, isolated])
      return cachedPage(name, app, html, () => secondaryWalletPage(html, app, isolated, context), 'never')
    })
  }

  for (const name of [loaderName, moduleName] as const) {
    addRoute('dialog', `/loader/v1/${name}`, () => ({
      file: requireFile(loaders.newest(name)),
      cache: 'loaderAlias',
      headers: publicHeaders,
    }))
  }

  addRoute('dialog', '/loader/:folder/:file', async (c) => {
    const { folder = '', file = '' } = c.req.param()
    const shipped = loaders.shipped(folder, file)
    if (!shipped) await pace('pages', callerAddress(c))
    return {
      file: requireFile(shipped ?? (await loaders.stored(folder, file))),
      cache: 'immutable',
      headers: publicHeaders,
    }
  })

  addRoute('dialog', '/*', (c) => asset(requireFile(dialog.file(c.req.path))))

  addRoute('wallet', '/*', (c) => {
    const served = asset(requireFile(wallet.file(c.req.path)))
    return isVaultScript(c.req.path) ? { ...served, headers: vaultHeaders } : served
  })

  return () => [
    ...missingPage('The dialog', config.dialogDist, dialog.page('/index.html')),
    ...missingPage('The passkey page', config.dialogDist, dialog.page('/passkey.html'), 'passkey.html'),
    ...missingPage('The wallet frame', config.walletDist, wallet.page('/index.html')),
    ...missingPage(
      'The confirmation page',
      config.walletDist,
      wallet.page('/confirm/index.html'),
      'confirm/index.html',
    ),
    ...missingPage(
      'The cross-app wallet page',
      config.walletDist,
      wallet.page('/cross-app/index.html'),
      'cross-app/index.html',
    ),
    ...(loaders.newest(loaderName)
      ? []
      : [`The loader is not built: ${config.loaderDist}/${loaderName} is missing`]),
  ]
}

const asset = (file: BuiltFile): Served => ({ file, cache: file.hashed ? 'immutable' : 'revalidated' })

const notFound = () => new LatchkeyError('not_found', 'There is nothing here')

function requireFile(file: BuiltFile | undefined): BuiltFile {
  if (!file) throw notFound()
  return file
}

function missingPage(
  name: string,
  dist: string,
  html: string | undefined,
  file = 'index.html',
): readonly string[] {
  if (html === undefined) return [`${name} is not built: ${dist}/${file} is missing`]
  return hasConfigPlaceholder(html) ? [] : [`${name} has no placeholder for its config: ${dist}/${file}`]
}

async function requireApp(c: Context, context: ServerContext): Promise<App> {
  const id = c.req.param('appId')
  const app = v.is(appId, id) ? await context.apps.find(id) : undefined
  if (!app) throw new LatchkeyError('not_found', 'There is no app with this id')
  return app
}

function requireTemplate(html: string | undefined): string {
  if (html === undefined) throw new LatchkeyError('unavailable', 'This page is not built yet')
  return html
}

const isIsolated = (c: Context) => c.req.query('coi') === '1'
