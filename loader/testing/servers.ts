/** Two sites for browser tests: hosts with arbitrary headers, and a dialog that fails on request. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import { contentHash } from '../build/scripts.ts'

const dist = join(import.meta.dirname, '..', 'dist')
const readBuilt = (name: string) => readFileSync(join(dist, name), 'utf8')

async function dialogScript(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['latchkey-source'] },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'dialog-page.ts'), formats: ['es'] },
    },
  })
  const [output] = Array.isArray(result) ? result : [result]
  if (!output || !('output' in output)) throw new Error('The test dialog did not build')
  return output.output[0].code
}

/** Dynamic import for code that tests evaluate in a page, because Node compiles the tests' own imports. */
const hostScript = 'window.importModule = (address) => import(address)'

export type Host = { headers?: Readonly<Record<string, string>>; html: string }
/** The app's status, and the behavior of its dialog page. */
export type App = { status: string; page?: 'silent' | 'interstitial' | 'slow' }
/** The response to a request for the second file. */
export type SecondFile = 'whole' | 'altered' | 'absent' | 'hanging'

const buttons = '<button id="ok">ok</button><button id="exit">exit</button>'
const script = '<script type="module" src="/dialog.js"></script>'
const dialogHtml = (body: string) =>
  `<!doctype html><title>dialog</title><body style="background:transparent">${body}`
/** Makes no handshake and redirects after loading. The next page finishes loading only when its image does. */
const interstitialHtml =
  '<script>onload = () => setTimeout(() => location.replace(location + "&second=1"))</script>'
const slowHtml = `${buttons}<img src="/slow.png">${script}`

export async function startServers(hostPort: number, dialogPort: number) {
  const dialogCode = await dialogScript()
  const hosts = new Map<string, Host>()
  const apps = new Map<string, App>()
  const frames: string[] = []
  const slow: (() => void)[] = []
  let secondFile: SecondFile = 'whole'
  const send = (
    response: ServerResponse,
    type: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ) => response.writeHead(200, { 'content-type': type, ...headers }).end(body)
  const sendNotFound = (response: ServerResponse) => response.writeHead(404).end('not here')

  const host = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const page = hosts.get(pathname)
    if (pathname === '/host.js') send(response, 'text/javascript', hostScript)
    else if (pathname === '/white.css') send(response, 'text/css', 'html{background:white}')
    else if (['/index.js', '/more.js', '/errors.js'].includes(pathname)) {
      send(response, 'text/javascript', readBuilt(pathname.slice(1)))
    } else if (page) send(response, 'text/html', page.html, page.headers)
    else sendNotFound(response)
  })

  const sendLoader = (response: ServerResponse, code: string) =>
    send(response, 'text/javascript', code, {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })

  const sendSecondFile = (response: ServerResponse) => {
    switch (secondFile) {
      case 'whole':
        return sendLoader(response, readBuilt('loader-more.js'))
      case 'altered':
        return sendLoader(response, `${readBuilt('loader-more.js')};window.altered = true`)
      case 'absent':
        return sendNotFound(response)
      case 'hanging':
        return slow.push(() => sendNotFound(response))
    }
  }

  const renderBody = ({ page }: App, second: boolean) => {
    if (page === 'silent') return buttons
    if (page === 'interstitial') return second ? slowHtml : interstitialHtml
    return buttons + script
  }

  const sendDialog = (request: IncomingMessage, response: ServerResponse, id: string) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://dialog')
    frames.push(request.url ?? '')
    const app = apps.get(id)
    if (!app) return sendNotFound(response)
    const ancestors = app.status === 'ok' ? (searchParams.get('origin') ?? '') : "'none'"
    const finish = () =>
      send(response, 'text/html', dialogHtml(renderBody(app, searchParams.has('second'))), {
        'content-security-policy': `frame-ancestors ${ancestors}`,
        ...(searchParams.get('coi') === '1' && {
          'cross-origin-embedder-policy': 'credentialless',
          'cross-origin-resource-policy': 'cross-origin',
        }),
      })
    return app.page === 'slow' ? slow.push(finish) : finish()
  }

  const dialog = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://dialog')
    const [, area, ...rest] = pathname.split('/')
    switch (area) {
      case 'loader':
        if (pathname === '/loader/v1/loader.js') return sendLoader(response, readBuilt('loader.js'))
        if (pathname === '/loader/v1/latchkey.js') return sendLoader(response, readBuilt('latchkey.js'))
        if (pathname === `/loader/${contentHash(readBuilt('loader-more.js'))}/loader-more.js`)
          return sendSecondFile(response)
        return sendNotFound(response)
      case 'dialog.js':
        return send(response, 'text/javascript', dialogCode, {
          'cross-origin-resource-policy': 'cross-origin',
        })
      case 'slow.png':
        return slow.push(() => sendNotFound(response))
      case 'api': {
        const { status } = apps.get(rest[2] ?? '') ?? { status: 'unknown_app' }
        return send(response, 'application/json', JSON.stringify({ status }), {
          'access-control-allow-origin': '*',
        })
      }
      case 'apps':
        return sendDialog(request, response, rest[0] ?? '')
      default:
        return sendNotFound(response)
    }
  })

  await Promise.all([
    new Promise<void>((resolve) => host.listen(hostPort, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => dialog.listen(dialogPort, '127.0.0.1', resolve)),
  ])
  return {
    hosts,
    apps,
    /** The URLs of all frames, in order. */
    frames,
    hostOrigin: `http://demo.localhost:${hostPort}`,
    dialogOrigin: `http://dialog.localhost:${dialogPort}`,
    serveSecondFile(response: SecondFile) {
      secondFile = response
    },
    /** Sends all delayed responses. */
    finishSlow() {
      for (const finish of slow.splice(0)) finish()
    },
    close() {
      for (const server of [host, dialog]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
