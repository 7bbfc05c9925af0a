import { appId, LatchkeyError } from '@latchkey/protocol'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { App } from '../apps/apps.ts'
import type { ServerContext } from '../context.ts'
import { vaultPolicy } from '../http/headers.ts'
import type { HttpEnv } from '../http/mount.ts'
import type { Site } from '../http/sites.ts'
import { pageLimits } from '../limits.ts'
import { watchBuiltFolder } from './built-files.ts'
import { openLoaderReleases } from './loader-releases.ts'
import {
  createPageMemory,
  dialogPage,
  framingOf,
  type Page,
  type PageCheck,
  refusalPage,
  walletPage,
} from './pages.ts'
import { immutable, revalidated, serveFile } from './serve-file.ts'
import { hasPlaceForConfig } from './template.ts'

const vaultScript = /^\/vault-[A-Za-z0-9_-]+\.js$/
const notHere = () => new LatchkeyError('not_found', 'There is nothing here')

export function mountPages(hono: Hono<HttpEnv>, context: ServerContext): PageCheck {
  const { config } = context
  const dialog = watchBuiltFolder(config.dialogDist, 'index.html')
  const wallet = watchBuiltFolder(config.walletDist, 'index.html')
  const loaderFolder = watchBuiltFolder(config.loaderDist, 'loader.js')
  const loader = openLoaderReleases(config.loaderDist, loaderFolder)
  const remembered = createPageMemory()

  const on = (
    site: Site,
    pattern: string,
    answer: (http: Context<HttpEnv>) => Promise<Response> | Response,
  ) => {
    hono.get(pattern, (http, next) => {
      if (http.get('site') !== site) return next()
      http.set('pattern', pattern)
      return answer(http)
    })
  }

  on('dialog', '/apps/:appId/dialog', async (http) => {
    const app = await appOf(http, context)
    const html = templateOf(dialog.text('/index.html'))
    const framing = framingOf(app, http.req.query('origin'))
    if (framing.by === 'stranger') return servePage(http, refusalPage)
    const hostOrigin = framing.by === 'host' ? framing.origin : null
    const place = { hostOrigin, isolated: isIsolated(http) }
    const name = JSON.stringify(['dialog', app.id, place])
    return servePage(
      http,
      remembered(name, app, html, () => dialogPage(html, app, place, context)),
    )
  })

  on('wallet', '/apps/:appId/embedded-wallets', async (http) => {
    const app = await appOf(http, context)
    const html = templateOf(wallet.text('/index.html'))
    const isolated = isIsolated(http)
    const name = JSON.stringify(['wallet', app.id, isolated])
    return servePage(
      http,
      remembered(name, app, html, () => walletPage(html, app, isolated, config)),
    )
  })

  on('dialog', '/loader/:version/loader.js', (http) => {
    const version = http.req.param('version') ?? ''
    const isAlias = version === 'v1'
    const file = isAlias ? loader.newest() : loader.version(version)
    if (!file) throw notHere()
    http.header('access-control-allow-origin', '*')
    http.header('cross-origin-resource-policy', 'cross-origin')
    const cacheControl = isAlias ? `public, max-age=${pageLimits.loaderAliasMaxAgeSeconds}` : immutable
    return serveFile(http, file, { cacheControl })
  })

  for (const [site, folder] of [
    ['dialog', dialog],
    ['wallet', wallet],
  ] as const) {
    on(site, '/*', (http) => {
      const { path } = http.req
      const file = path === '/index.html' ? undefined : folder.file(path)
      if (!file) throw notHere()
      if (site === 'wallet' && vaultScript.test(path)) {
        http.header('content-security-policy', vaultPolicy)
        // An isolated page starts only workers that say the same.
        http.header('cross-origin-embedder-policy', 'require-corp')
      }
      return serveFile(http, file, { cacheControl: file.hashed ? immutable : revalidated })
    })
  }

  return () => [
    ...missingPage('The dialog', config.dialogDist, dialog.text('/index.html')),
    ...missingPage('The wallet frame', config.walletDist, wallet.text('/index.html')),
    ...(loader.newest() ? [] : [`The loader is not built: ${config.loaderDist}/loader.js is missing`]),
  ]
}

function missingPage(name: string, dist: string, html: string | undefined): readonly string[] {
  if (html === undefined) return [`${name} is not built: ${dist}/index.html is missing`]
  return hasPlaceForConfig(html) ? [] : [`${name} has no place for its config: ${dist}/index.html`]
}

async function appOf(http: Context, context: ServerContext): Promise<App> {
  const id = http.req.param('appId')
  const app = v.is(appId, id) ? await context.apps.find(id) : undefined
  if (!app) throw new LatchkeyError('not_found', 'There is no app with this id')
  return app
}

function templateOf(html: string | undefined): string {
  if (html === undefined) throw new LatchkeyError('unavailable', 'This page is not built yet')
  return html
}

const isIsolated = (http: Context) => http.req.query('coi') === '1'

function servePage(http: Context, { file, policy, status, isolated }: Page): Response {
  http.header('content-security-policy', policy)
  if (isolated) {
    http.header('cross-origin-embedder-policy', 'credentialless')
    http.header('cross-origin-resource-policy', 'cross-origin')
  }
  return serveFile(http, file, { cacheControl: revalidated, status })
}
