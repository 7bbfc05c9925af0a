/** One user's Google Drive and iCloud, by their documentation, for tests without a network. */
type Refusal = 'ended' | 'full' | 'down' | 'no rights'

const drive = 'https://www.googleapis.com'
const cloudKit = 'https://api.apple-cloudkit.com'
export const cloudAddresses = { 'google-drive': drive, icloud: cloudKit }

const driveRefusals: Readonly<Record<Refusal, () => Response>> = {
  ended: () => driveError(401, 'authError'),
  full: () => driveError(403, 'storageQuotaExceeded'),
  down: () => new Response('<h1>Sorry</h1>', { status: 503 }),
  'no rights': () => driveError(403, 'insufficientPermissions'),
}
const driveError = (code: number, reason: string) =>
  Response.json({ error: { code, errors: [{ domain: 'global', reason }] } }, { status: code })
const cloudKitRefusals: Readonly<Record<Refusal, () => Response>> = {
  ended: () => Response.json({ serverErrorCode: 'AUTHENTICATION_FAILED' }, { status: 421 }),
  full: () => Response.json({ serverErrorCode: 'QUOTA_EXCEEDED' }, { status: 413 }),
  down: () => new Response('<h1>Sorry</h1>', { status: 503 }),
  'no rights': () => Response.json({ serverErrorCode: 'ACCESS_DENIED' }, { status: 403 }),
}

export type Clouds = ReturnType<typeof emptyClouds>

export function emptyClouds() {
  /** The files of both clouds, by name. */
  const files = new Map<string, string>()
  /** The complete requests. */
  const asked: Request[] = []
  let refusal: Refusal | undefined

  async function onDrive(request: Request): Promise<Response> {
    if (refusal) return driveRefusals[refusal]()
    if (request.headers.get('authorization') !== 'Bearer drive-token') return driveRefusals.ended()
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/upload/drive/v3/files') {
      const [, metadata = '', content = ''] = (await request.text())
        .split(/--[0-9a-f-]{36}/)
        .map((part) => part.split('\r\n\r\n')[1]?.trimEnd() ?? '')
      const { name, parents } = JSON.parse(metadata)
      if (parents?.[0] !== 'appDataFolder') return driveError(404, 'notFound')
      files.set(name, content)
      return Response.json({ id: name })
    }
    if (pathname === '/drive/v3/files') {
      const [, name = ''] = /^name = '([^']+)'$/.exec(searchParams.get('q') ?? '') ?? []
      if (searchParams.get('spaces') !== 'appDataFolder') return driveError(404, 'notFound')
      return Response.json({ files: files.has(name) ? [{ id: name }] : [] })
    }
    const id = decodeURIComponent(pathname.replace('/drive/v3/files/', ''))
    const text = files.get(id)
    if (text === undefined) return driveError(404, 'notFound')
    if (request.method !== 'DELETE') return new Response(text)
    files.delete(id)
    return new Response(null, { status: 204 })
  }

  async function onCloudKit(request: Request): Promise<Response> {
    if (refusal) return cloudKitRefusals[refusal]()
    const { pathname, searchParams } = new URL(request.url)
    if (searchParams.get('ckSession') !== 'icloud-session') return cloudKitRefusals.ended()
    const at = '/database/1/iCloud.example.wallets/development/private/records/'
    if (searchParams.get('ckAPIToken') !== 'container-token' || !pathname.startsWith(at)) {
      return cloudKitRefusals['no rights']()
    }
    const { records, operations } = JSON.parse(await request.text())
    const record = (recordName: string) => {
      const value = files.get(recordName)
      const found = { recordName, fields: { content: { value } } }
      return value === undefined ? { recordName, serverErrorCode: 'NOT_FOUND' } : found
    }
    if (pathname.endsWith('/lookup')) return Response.json({ records: [record(records[0].recordName)] })
    const [operation] = operations
    const { recordName, fields } = operation.record
    if (operation.operationType === 'forceReplace') files.set(recordName, fields.content.value)
    else files.delete(recordName)
    return Response.json({ records: [{ recordName }] })
  }

  return {
    files,
    asked,
    refuse: (with_: Refusal | undefined) => {
      refusal = with_
    },
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const request = new Request(url, init)
      asked.push(request.clone())
      if (url.startsWith(`${drive}/`)) return onDrive(request)
      if (url.startsWith(`${cloudKit}/`)) return onCloudKit(request)
      throw new TypeError(`Nobody is at ${url}`)
    },
  }
}
