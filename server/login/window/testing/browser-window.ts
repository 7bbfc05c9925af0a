/** A browser window with its cookies, and the dialog that opened it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { type Relay, startStatement, type WindowPurpose } from '@latchkey/protocol/api'
import { signEs256 } from '../../../kernel/keys/keys.ts'
import type { Server } from '../../../start/app.ts'

const origin = 'http://dialog.localhost:4000'
const host = 'dialog.localhost:4000'

const secret = () => randomBytes(36).toString('base64url')

/** Creates a handle and its secrets, like a dialog. */
export function newHandle() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const [handle, relaySecret] = [secret(), secret()]
  return {
    handle,
    relaySecret,
    startKey: privateKey,
    relay: {
      handle,
      challenge: createHash('sha256').update(relaySecret).digest('base64url'),
      key: point.toString('base64url'),
    } as Relay,
  }
}
export type NewHandle = ReturnType<typeof newHandle>
/** The parts of a handle with which its start page is opened and proved. */
export type Startable = { handle: string; startKey: KeyObject }

/** A signature by the key of a handle, over a given purpose, handle and nonce. */
export const proofOf = (
  { startKey }: Pick<Startable, 'startKey'>,
  purpose: WindowPurpose,
  handle: string,
  nonce = 'n'.repeat(43),
) => ({
  nonce,
  signature: signEs256(startKey, startStatement({ purpose, handle, nonce })).toString('base64url'),
})

export type Opened = {
  status: number
  html: string
  /** The next URL, from a redirect or from the page's script. */
  location: string | null
  headers: Headers
}

/** The headers of a browser whose page, one of ours, navigates to another. */
export const navigation = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
} as const
type Said = { [Name in keyof typeof navigation]?: string }

export function browserWindow(server: Server) {
  const cookies = new Map<string, string>()

  async function open(path: string, init: RequestInit = {}): Promise<Opened> {
    const response = await server.request(origin + path, {
      ...init,
      headers: {
        host,
        cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string> | undefined),
      },
    })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const { status, headers } = response
    const html = await response.text()
    return { status, html, location: headers.get('location') ?? dataIn(html, 'to'), headers }
  }

  const post = (path: string, fields: Readonly<Record<string, string>>, said: Said = {}) =>
    open(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...navigation, ...said },
      body: new URLSearchParams(fields).toString(),
    })

  /** The question of the page to the dialog that opened it. */
  function signed(by: Pick<Startable, 'startKey'>, { html }: Pick<Opened, 'html'>): string {
    const { purpose, handle, nonce } = JSON.parse(dataIn(html, 'question') ?? '{}')
    return proofOf(by, purpose, handle, nonce).signature
  }

  return {
    cookies,
    open,
    post,
    signed,
    /** Opens the page without the question to the dialog. */
    page: (purpose: string, handle: string, said: Said = {}) =>
      open(`/${purpose}/start/${handle}`, { headers: { ...navigation, ...said } }),
    /** Runs up to the page's next URL. */
    async start(purpose: WindowPurpose, login: Startable): Promise<Opened> {
      const path = `/${purpose}/start/${login.handle}`
      const page = await open(path, { headers: navigation })
      return page.status === 200 ? post(path, { signature: signed(login, page) }) : page
    },
  }
}

function dataIn(html: string, name: string): string | null {
  const [, text] = new RegExp(`data-${name}="([^"]*)"`).exec(html) ?? []
  return text?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&') ?? null
}
