/** Two sites for browser checks: hosts with headers of any kind, and a dialog that misbehaves on request. */
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'

export const appId = 'lkdemo0000000000000000001'
const loader = join(import.meta.dirname, '..')

async function dialogScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['latchkey-source'] },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'dialog-page.ts'), formats: ['es'] },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  if (!output || !('output' in output)) throw new Error('The test dialog did not build')
  return output.output[0].code
}

export type Host = { readonly headers?: Readonly<Record<string, string>>; readonly html: string }

export async function startServers(hostPort: number, dialogPort: number) {
  const script = await dialogScript()
  const hosts = new Map<string, Host>()
  const statuses = new Map<string, string>()
  const frames: string[] = []
  const send = (
    response: ServerResponse,
    type: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ) => response.writeHead(200, { 'content-type': type, ...headers }).end(body)

  const host = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const page = hosts.get(pathname)
    if (pathname === '/host.js') send(response, 'text/javascript', 'window.hostScript = true')
    else if (pathname === '/index.js')
      send(response, 'text/javascript', readFileSync(join(loader, 'dist/index.js'), 'utf8'))
    else if (page) send(response, 'text/html', page.html, page.headers)
    else response.writeHead(404).end()
  })
  const dialog = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://dialog')
    const [, area, ...rest] = pathname.split('/')
    if (area === 'loader') {
      send(response, 'text/javascript', readFileSync(join(loader, 'dist/loader.js'), 'utf8'), {
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
    } else if (area === 'dialog.js')
      send(response, 'text/javascript', script, { 'cross-origin-resource-policy': 'cross-origin' })
    else if (area === 'api') {
      const status = statuses.get(rest[2] ?? '') ?? 'unknown_app'
      send(response, 'application/json', JSON.stringify({ status }), { 'access-control-allow-origin': '*' })
    } else if (area === 'apps') {
      frames.push(request.url ?? '')
      const app = rest[0] ?? ''
      const status = statuses.get(app)
      if (status === undefined) return response.writeHead(404).end('no such app')
      const isolated = searchParams.get('coi') === '1'
      send(
        response,
        'text/html',
        `<!doctype html><title>dialog</title><body style="background:transparent"><button id="ok">ok</button><button id="exit">exit</button>${
          app.startsWith('silent') ? '' : '<script type="module" src="/dialog.js"></script>'
        }`,
        {
          'content-security-policy': `frame-ancestors ${status === 'ok' ? (searchParams.get('origin') ?? '') : "'none'"}`,
          ...(isolated && {
            'cross-origin-embedder-policy': 'credentialless',
            'cross-origin-resource-policy': 'cross-origin',
          }),
        },
      )
    } else response.writeHead(404).end()
    return undefined
  })
  await Promise.all([
    new Promise<void>((resolve) => host.listen(hostPort, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => dialog.listen(dialogPort, '127.0.0.1', resolve)),
  ])
  return {
    hosts,
    statuses,
    frames,
    hostOrigin: `http://demo.localhost:${hostPort}`,
    dialogOrigin: `http://dialog.localhost:${dialogPort}`,
    close() {
      for (const server of [host, dialog]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
