/**
 * The built wallet frame for browser tests: a host page, a dialog page in it, and the frame in that, on three
 * sites, with the production policies. The server is that of the unit tests.
 */

import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { product, type WalletInlineConfig } from '@latchkey/protocol'
import { walletPages } from '@latchkey/protocol/wallet'
import { build } from 'vite'
import { walletServer } from '../server/wallet-server.ts'
import { frameDist } from './build-frame.ts'

export const appId = 'a'.repeat(25)

const pagePolicy = (ancestors: readonly string[]) =>
  `default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors.join(' ')}; require-trusted-types-for 'script'; trusted-types ${product.trustedTypesPolicy}`
const ownPagePolicy = (ancestors: readonly string[]) =>
  pagePolicy(ancestors).replace("connect-src 'self'", "connect-src 'none'; style-src 'self'")
const vaultPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src 'none'; connect-src 'none'"

export async function openStage(port: number) {
  const originOf = (name: string) => `http://${name}.localhost:${port}`
  const server = await walletServer(appId)
  const dialogScript = await buildDialogPage()
  const index = await readFile(join(frameDist, 'index.html'), 'utf8')
  const pages = new Map<string, string>(
    await Promise.all(
      [...walletPages, 'export'].map(
        async (page) =>
          [
            `/apps/${appId}/embedded-wallets/${page}`,
            await readFile(join(frameDist, page, 'index.html'), 'utf8'),
          ] as const,
      ),
    ),
  )
  /** Simulates a proxy that strips policies, which must not open the frame to other sites. */
  let stripsPolicies = false
  /** Paths that code in the vault tried to reach. */
  const exits: string[] = []
  const config: WalletInlineConfig = {
    appId,
    appName: 'Fieldnotes',
    dialogOrigin: originOf('dialog'),
    hostOrigins: [originOf('host'), originOf('other-host')],
    apiOrigin: originOf('wallet'),
    clouds: {},
    hostKeyImport: false,
  }

  async function walletSite(url: URL, request: IncomingMessage, response: ServerResponse) {
    if (url.pathname.startsWith('/api/'))
      return answer(response, await server.serve(await requestOf(request, url)))
    const security = (policy: string) => (stripsPolicies ? {} : { 'content-security-policy': policy })
    if (url.pathname === `/apps/${appId}/embedded-wallets`) {
      const html = index.replace('>{}<', `>${JSON.stringify(config)}<`)
      const policy = pagePolicy([config.dialogOrigin, ...config.hostOrigins])
      return send(response, 'text/html', html, { ...security(policy), 'referrer-policy': 'no-referrer' })
    }
    const page = pages.get(url.pathname)
    if (page) {
      const html = page.replace('>{}<', `>${JSON.stringify(config)}<`)
      return send(
        response,
        'text/html',
        html,
        security(
          ownPagePolicy(
            url.pathname.endsWith('/export') ? ["'none'"] : [config.dialogOrigin, ...config.hostOrigins],
          ),
        ),
      )
    }
    const policy = /^\/(?:(?:export|import)-)?vault-/.test(url.pathname) ? vaultPolicy : "default-src 'none'"
    const type = url.pathname.endsWith('.css') ? 'text/css' : 'text/javascript'
    return send(response, type, await readFile(join(frameDist, url.pathname)), security(policy))
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    if (url.pathname === '/exit') {
      exits.push(url.pathname)
      return send(response, 'text/javascript', 'postMessage(1)')
    }
    if (url.hostname === 'wallet.localhost') return walletSite(url, request, response)
    if (url.pathname === '/dialog.js') return send(response, 'text/javascript', dialogScript)
    const frame =
      url.hostname === 'dialog.localhost' || url.searchParams.has('as-dialog')
        ? `${originOf('wallet')}/apps/${appId}/embedded-wallets?caid=analytics_1&client_id=client_1`
        : originOf('dialog')
    const script = frame.includes('embedded-wallets')
      ? '<script type="module" src="/dialog.js"></script>'
      : ''
    return send(
      response,
      'text/html',
      `<!doctype html><title>Page</title><iframe src="${frame}"></iframe>${script}`,
    )
  }

  const http = createServer((request, response) => {
    serve(request, response).catch(() => response.writeHead(404).end())
  })
  http.on('upgrade', (request, socket) => {
    exits.push(request.url ?? '')
    socket.destroy()
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  return {
    server,
    originOf,
    exits,
    configure: (change: Partial<WalletInlineConfig>) => Object.assign(config, change),
    stripPolicies: (strips: boolean) => {
      stripsPolicies = strips
    },
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  }
}

async function buildDialogPage(): Promise<string> {
  const entry = join(import.meta.dirname, 'dialog-page.ts')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['latchkey-source'] },
    build: { write: false, lib: { entry, formats: ['es'], fileName: 'dialog' } },
  })
  const [first] = Array.isArray(built) ? built : [built]
  const chunk = first && 'output' in first ? first.output[0] : undefined
  if (chunk?.type !== 'chunk') throw new Error('The dialog page was not built')
  return chunk.code
}

const send = (
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
) =>
  response.writeHead(200, { 'content-type': type, 'x-content-type-options': 'nosniff', ...headers }).end(body)

async function requestOf(request: IncomingMessage, url: URL): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const method = request.method ?? 'GET'
  return new Request(url, { method, headers, ...(method !== 'GET' && { body: Buffer.concat(chunks) }) })
}

const answer = async (response: ServerResponse, given: Response) =>
  response.writeHead(given.status, { 'content-type': 'application/json' }).end(await given.text())
