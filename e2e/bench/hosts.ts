/** Host pages of the bench: one with the one-line embed, and one that frames a bare field of another site. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { appId, type Stack } from '../stack/stack.ts'

export type Hosts = {
  origin: string
  bare: string
  cold: string
  preloaded: string
  /** The same two pages, for an app with every login method. */
  everyMethod: { cold: string; preloaded: string }
  /** Returns a page that frames the given address. */
  framing: (address: string) => string
  close: () => void
}

const everyMethod = [
  ...['apple', 'discord', 'github', 'google', 'linkedin', 'spotify', 'instagram', 'twitter', 'tiktok'].map(
    (provider) => `${provider}_oauth=true`,
  ),
  ...['sms', 'wallet', 'farcaster', 'passkey'].map((method) => `${method}_auth=true`),
  'telegram_auth_config={"bot_id":"110201543","bot_name":"fieldnotes_bot","link_enabled":true,"seamless_auth_enabled":true}',
  'telegram_auth=true',
]

export async function openHosts(stack: Stack, port: number): Promise<Hosts> {
  const origin = `http://bench.localhost:${port}`
  await stack.app('origins', appId, 'add', origin)
  // Several parts of a run open their hosts on one stack.
  const ofMany = `lkbench${randomUUID().replaceAll('-', '').slice(0, 18)}`
  await stack.app('create', '--id', ofMany, '--name', 'Fieldnotes', '--origin', origin)
  await stack.app('set', ofMany, ...everyMethod)
  const pages: Readonly<Record<string, (query: URLSearchParams) => string>> = {
    '/bare': () => bareHost(`http://blank.localhost:${port}/blank`),
    '/blank': () =>
      '<!doctype html><input type="email"><script>document.querySelector("input").focus()</script>',
    '/frame': (query) => `<!doctype html><iframe src="${query.get('src')}"></iframe>`,
    '/': (query) => hostPage(stack.dialogOrigin, query.get('app') ?? appId, query.get('preload') ?? 'never'),
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const page = pages[pathname]
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page?.(searchParams))
  })
  server.listen(port, '127.0.0.1')
  return {
    origin,
    bare: `${origin}/bare`,
    cold: `${origin}/?preload=never`,
    preloaded: `${origin}/?preload=now`,
    everyMethod: {
      cold: `${origin}/?preload=never&app=${ofMany}`,
      preloaded: `${origin}/?preload=now&app=${ofMany}`,
    },
    framing: (address) => `${origin}/frame?src=${encodeURIComponent(address)}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const hostPage = (dialogOrigin: string, id: string, preload: string) => `<!doctype html><title>Bench</title>
<button id="open">Log in</button> <button id="sign">Sign</button>
<script src="${dialogOrigin}/loader/v1/loader.js" data-app-id="${id}" data-preload="${preload}"></script>
<script>
  const on = (id, call, moment) => document.getElementById(id).addEventListener('click', () =>
    call().then(() => self.stamp?.(moment), (error) => { document.title = error.code }))
  on('open', () => latchkey.login(), 'loggedIn')
  on('sign', () => latchkey.signMessage('Three curlews, calling'), 'signed')
  ${preload === 'never' ? '' : 'latchkey.ready.then(() => { window.settled = true })'}
</script>`

const bareHost = (src: string) => `<!doctype html><title>Bench</title><button id="open">Open</button>
<script>
  document.querySelector('#open').addEventListener('click', () => {
    const frame = document.createElement('iframe')
    frame.src = ${JSON.stringify(src)}
    frame.addEventListener("load", () => frame.contentWindow.focus())
    document.body.append(frame)
  })
</script>`
