/**
 * The app folder API of Google Drive, below `/oauth/www.googleapis.com/`, for access tokens of the consent
 * page.
 * https://developers.google.com/workspace/drive/api/reference/rest/v3
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowCrossOrigin } from '../cross-origin.ts'
import type { FaultSwitch } from '../faults.ts'
import { type Call, type Route, readJson, readText, send, sendJson } from '../http.ts'
import type { Grants } from '../oauth/grants.ts'
import type { Drives } from './files.ts'

const driveScope = 'https://www.googleapis.com/auth/drive.appdata'
const folder = 'appDataFolder'

const refusals = {
  expired: [401, 'authError', 'Invalid Credentials'],
  forbidden: [403, 'insufficientPermissions', 'Insufficient Permission'],
  full: [403, 'storageQuotaExceeded', "The user's Drive storage quota has been exceeded."],
  missing: [404, 'notFound', 'File not found.'],
  wrong: [400, 'badRequest', 'Bad Request'],
} as const

const refuse = (response: ServerResponse, name: keyof typeof refusals) => {
  const [code, reason, message] = refusals[name]
  sendJson(response, { error: { code, message, errors: [{ domain: 'global', reason, message }] } }, code)
}

export const driveRoutes = (drives: Drives, grants: Grants, faults: FaultSwitch): readonly Route[] => {
  /** Returns the owner of the token, or undefined if it has already sent a response. */
  async function authenticate({ request, response }: Call): Promise<string | undefined> {
    const fault = await faults.afterStall('googleDrive')
    if (fault === 'failing') return void sendJson(response, { error: { code: 503 } }, 503)
    if (fault === 'expired') return void refuse(response, 'expired')
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const grant = grants.findByToken(token)
    if (grant === undefined) return void refuse(response, 'expired')
    if (!grant.access.scopes.includes(driveScope)) return void refuse(response, 'forbidden')
    if (fault === 'full' && request.method === 'POST') return void refuse(response, 'full')
    return `${grant.access.clientId}/${grant.access.subject}`
  }
  const route = (
    method: Route['method'],
    path: string,
    handle: (call: Call, owner: string) => Promise<void> | void,
  ): Route => ({
    method,
    path: new RegExp(`^/oauth/www\\.googleapis\\.com/${path}$`),
    handle: async (call) => {
      const owner = await authenticate(call)
      if (owner !== undefined) await handle(call, owner)
    },
  })

  const api = [
    route('GET', 'drive/v3/about', ({ response }, owner) =>
      sendJson(response, { user: { permissionId: owner.split('/')[1] } }),
    ),
    route('GET', 'drive/v3/files', ({ response, url: { searchParams } }, owner) => {
      const [, name] = /^name = '([^'\\]+)'$/.exec(searchParams.get('q') ?? '') ?? []
      if (searchParams.get('spaces') !== folder || name === undefined) return refuse(response, 'wrong')
      sendJson(response, { files: drives.findByName(owner, name).map(({ id }) => ({ id })) })
    }),
    route('POST', 'upload/drive/v3/files', async ({ request, response, url: { searchParams } }, owner) => {
      const [metadata, content] = await parseMultipart(request)
      const { name, parents } = Object(parseJson(metadata))
      const isRight = searchParams.get('uploadType') === 'multipart' && parents?.[0] === folder
      if (!isRight || typeof name !== 'string' || content === undefined) return refuse(response, 'wrong')
      sendJson(response, { id: drives.put(owner, name, content).id })
    }),
    route(
      'GET',
      'drive/v3/files/([\\w-]+)',
      ({ response, url: { searchParams }, parts: [id = ''] }, owner) => {
        const file = drives.get(owner, id)
        if (file === undefined || searchParams.get('alt') !== 'media') return refuse(response, 'missing')
        send(response, { type: 'application/json', content: file.content })
      },
    ),
    route('DELETE', 'drive/v3/files/([\\w-]+)', ({ response, parts: [id = ''] }, owner) => {
      if (!drives.remove(owner, id)) return refuse(response, 'missing')
      response.writeHead(204).end()
    }),
  ]

  /** Lists all files, or changes them: `cleared` deletes them, `foreign` assigns them to another wallet. */
  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/google-drive$/,
    handle: ({ response }) => sendJson(response, { files: drives.all() }),
  }
  const change: Route = {
    method: 'POST',
    path: /^\/api\/google-drive$/,
    handle: async ({ request, response }) => {
      const { files } = Object(await readJson(request))
      if (files === 'cleared') drives.clear()
      if (files === 'foreign') drives.rewrite(withForeignWallet)
      sendJson(response, { files: drives.all() })
    },
  }
  return [...allowCrossOrigin(api), inspect, change]
}

export const withForeignWallet = (content: string) =>
  JSON.stringify({ ...Object(parseJson(content)), wallet: 'wal_of_somebody_else' })

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Parses the text parts of a multipart body (RFC 2046). */
async function parseMultipart(request: IncomingMessage): Promise<readonly string[]> {
  const [, boundary] =
    /^multipart\/related; boundary=([\w-]+)$/.exec(request.headers['content-type'] ?? '') ?? []
  const text = await readText(request)
  if (boundary === undefined || text === undefined) return []
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, ''))
}
