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
import type { Pace } from '../../kernel/http/pace.ts'
import { vaultPolicy } from '../../kernel/http/pages/headers.ts'
import { assertOpenedByUs } from '../../kernel/http/pages/opened-by.ts'
import { loaderName, openLoaders } from '../loaders/loaders.ts'
import {
  authorizePage,
  confirmPage,
  createPageMemory,
  crossAppPage,
  dialogPage,
  exportPage,
  framingOf,
  ownWalletPage,
  type PageCheck,
  passkeyPage,
  previewPage,
  recoveryPage,
  refusalPage,
  walletPage,
} from './pages.ts'
import { notModified, type Served, serveFile } from './serve-file.ts'
import { hasPlaceForConfig } from './template.ts'

const vaultScript = /^\/(?:(?:export|import)-)?vault-[A-Za-z0-9_-]+\.js$/

const publicHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
const vaultHeaders = {
  'content-security-policy': vaultPolicy,
  // An isolated page starts only workers that say the same.
  'cross-origin-embedder-policy': 'require-corp',
}

export function mountPages(hono: Hono<HttpEnv>, context: ServerContext, pace: Pace): PageCheck {
  const { config } = context
  const addressOf = createClientAddress(config.trustedProxies)
  const dialog = watchBuiltFolder(config.dialogDist, 'index.html')
  const wallet = watchBuiltFolder(config.walletDist, 'index.html')
  const loaders = openLoaders(context)
  const remembered = createPageMemory()
  const addressOfCaller = (c: Context<HttpEnv>) =>
    addressOf(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))

  /** Adds a path of one hostname; on another one it does not exist. */
  const on = (site: Site, pattern: string, find: (c: Context<HttpEnv>) => Promise<Served> | Served) => {
    hono.get(pattern, async (c, next) => {
      if (c.get('site') !== site) return next()
      c.set('pattern', pattern)
      const served = await find(c)
      return notModified(c, served) ?? serveFile(served)(c, next)
    })
  }

  /** Adds a path of an app. The app is looked up and its page is made, so whoever asks for many waits before that. */
  const onApp = (site: Site, pattern: string, find: (c: Context<HttpEnv>) => Promise<Served>) =>
    on(site, pattern, async (c) => {
      await pace('pages', addressOfCaller(c))
      return find(c)
    })

  onApp('dialog', '/apps/:appId/dialog', async (c) => {
    const app = await appOf(c, context)
    const isWaitedFor = c.req.query('open') === '1'
    const html = templateOf(
      (isWaitedFor ? dialog.page('/open.html') : undefined) ?? dialog.page('/index.html'),
    )
    const framing = framingOf(app, c.req.query('origin'))
    if (framing.by === 'stranger') return refusalPage
    const hostOrigin = framing.by === 'host' ? framing.origin : null
    const frame = { hostOrigin, isolated: isIsolated(c) }
    if (framing.by === 'host' && framing.isPreview) {
      return previewPage(await dialogPage(html, app, frame, context))
    }
    const name = JSON.stringify(['dialog', app.id, frame, isWaitedFor])
    return remembered(name, app, html, () => dialogPage(html, app, frame, context))
  })

  onApp('dialog', '/apps/:appId/passkey/:handle', async (c) => {
    assertOpenedByUs(c)
    const app = await appOf(c, context)
    if (!v.is(oneUse, c.req.param('handle'))) throw nothingHere()
    const html = templateOf(dialog.page('/passkey.html'))
    const name = JSON.stringify(['passkey', app.id])
    return remembered(name, app, html, () => passkeyPage(html, app, context), 'never')
  })

  onApp('dialog', '/apps/:appId/authorize', async (c) => {
    const app = await appOf(c, context)
    if (!app.config.crossAppProvider) throw nothingHere()
    const html = templateOf(dialog.page('/index.html'))
    const name = JSON.stringify(['authorize', app.id])
    return remembered(name, app, html, () => authorizePage(html, app, context))
  })

  onApp('wallet', '/apps/:appId/embedded-wallets', async (c) => {
    const app = await appOf(c, context)
    const html = templateOf(wallet.page('/index.html'))
    const isolated = isIsolated(c)
    const name = JSON.stringify(['wallet', app.id, isolated])
    return remembered(name, app, html, () => walletPage(html, app, isolated, context))
  })

  onApp('wallet', '/apps/:appId/confirm', async (c) => {
    const app = await appOf(c, context)
    const html = templateOf(wallet.page('/confirm/index.html'))
    const name = JSON.stringify(['confirm', app.id])
    return remembered(name, app, html, () => confirmPage(html, app, context))
  })

  onApp('wallet', '/apps/:appId/cross-app', async (c) => {
    const app = await appOf(c, context)
    const html = templateOf(wallet.page('/cross-app/index.html'))
    const name = JSON.stringify(['cross-app', app.id])
    return remembered(name, app, html, () => crossAppPage(html, app, context))
  })

  /** A login comes from the dialog's origin, so whoever posts it: what it is worth the page finds out. */
  const sessionPath = '/apps/:appId/cross-app/session'
  hono.post(sessionPath, async (c, next) => {
    if (c.get('site') !== 'wallet') return next()
    c.set('pattern', sessionPath)
    await pace('changes', addressOfCaller(c))
    const app = await appOf(c, context)
    const fields = new URLSearchParams(await readBody(c, 'application/x-www-form-urlencoded'))
    const handover = parseFields(handoverFields, Object.fromEntries(fields))
    const html = templateOf(wallet.page('/cross-app/index.html'))
    const { text, headers } = crossAppPage(html, app, context, handover)
    return c.html(text, 200, { ...headers, 'cache-control': 'no-store' })
  })

  onApp('wallet', '/apps/:appId/recovery', async (c) => {
    const app = await appOf(c, context)
    const html = templateOf(wallet.page('/recovery-window/index.html'))
    const name = JSON.stringify(['recovery', app.id])
    return remembered(name, app, html, () => recoveryPage(html, app, context))
  })

  onApp('wallet', '/apps/:appId/embedded-wallets/export', async (c) => {
    const app = await appOf(c, context)
    const html = templateOf(wallet.page('/export/index.html'))
    const name = JSON.stringify(['export', app.id])
    return remembered(name, app, html, () => exportPage(html, app, context), 'never')
  })

  for (const page of [...walletPages, openWindowPage]) {
    onApp('wallet', `/apps/:appId/embedded-wallets/${page}`, async (c) => {
      const app = await appOf(c, context)
      const html = templateOf(wallet.page(`/${page}/index.html`))
      const isolated = isIsolated(c)
      const name = JSON.stringify(['wallet page', page, app.id, isolated])
      return remembered(name, app, html, () => ownWalletPage(html, app, isolated, context), 'never')
    })
  }

  on('dialog', `/loader/v1/${loaderName}`, () => ({
    file: found(loaders.newest()),
    cache: 'loaderAlias',
    headers: publicHeaders,
  }))

  on('dialog', '/loader/:folder/:file', async (c) => {
    const { folder = '', file = '' } = c.req.param()
    const shipped = loaders.shipped(folder, file)
    if (!shipped) await pace('pages', addressOfCaller(c))
    return {
      file: found(shipped ?? (await loaders.stored(folder, file))),
      cache: 'immutable',
      headers: publicHeaders,
    }
  })

  on('dialog', '/*', (c) => asset(found(dialog.file(c.req.path))))

  on('wallet', '/*', (c) => {
    const served = asset(found(wallet.file(c.req.path)))
    return vaultScript.test(c.req.path) ? { ...served, headers: vaultHeaders } : served
  })

  return () => [
    ...missingPage('The dialog', config.dialogDist, dialog.page('/index.html')),
    ...missingPage('The page of passkeys', config.dialogDist, dialog.page('/passkey.html'), 'passkey.html'),
    ...missingPage('The wallet frame', config.walletDist, wallet.page('/index.html')),
    ...missingPage(
      'The page of confirmations',
      config.walletDist,
      wallet.page('/confirm/index.html'),
      'confirm/index.html',
    ),
    ...missingPage(
      'The page of wallets across apps',
      config.walletDist,
      wallet.page('/cross-app/index.html'),
      'cross-app/index.html',
    ),
    ...(loaders.newest() ? [] : [`The loader is not built: ${config.loaderDist}/${loaderName} is missing`]),
  ]
}

const asset = (file: BuiltFile): Served => ({ file, cache: file.hashed ? 'immutable' : 'revalidated' })

const nothingHere = () => new LatchkeyError('not_found', 'There is nothing here')

function found(file: BuiltFile | undefined): BuiltFile {
  if (!file) throw nothingHere()
  return file
}

function missingPage(
  name: string,
  dist: string,
  html: string | undefined,
  file = 'index.html',
): readonly string[] {
  if (html === undefined) return [`${name} is not built: ${dist}/${file} is missing`]
  return hasPlaceForConfig(html) ? [] : [`${name} has no place for its config: ${dist}/${file}`]
}

async function appOf(c: Context, context: ServerContext): Promise<App> {
  const id = c.req.param('appId')
  const app = v.is(appId, id) ? await context.apps.find(id) : undefined
  if (!app) throw new LatchkeyError('not_found', 'There is no app with this id')
  return app
}

function templateOf(html: string | undefined): string {
  if (html === undefined) throw new LatchkeyError('unavailable', 'This page is not built yet')
  return html
}

const isIsolated = (c: Context) => c.req.query('coi') === '1'
