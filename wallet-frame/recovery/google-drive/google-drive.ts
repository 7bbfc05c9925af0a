/**
 * Recovery by a file in the app's hidden folder of the user's Google Drive. Other apps cannot read it, and
 * the user sees only its size. The access token is redeemed here and does not leave this page.
 * https://developers.google.com/workspace/drive/api/guides/appdata
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CloudFetch } from '../../shares/ports.ts'
import { type CloudAnswer, fetchFromCloud, parseJson } from '../cloud/ask.ts'
import { createCloudRecovery, getCloudAddress } from '../cloud/cloud.ts'
import { type CloudFiles, type CloudProblem, cloudProblem, createFileName } from '../cloud/files.ts'
import type { FileOf } from '../recovery-method.ts'

const method = 'google-drive'

export const googleDrive = createCloudRecovery(
  method,
  async ({ api, clouds }, call, { recoveryCloud: answer }) => {
    const address = getCloudAddress(clouds.addresses, method)
    if (answer?.method !== method) {
      throw new LatchkeyError('invalid_request_arguments', 'An authorization code of Google is required')
    }
    const { accessToken } = await api(recoveryRoutes.authenticateCloudRecovery, call, {
      ...answer.code,
      provider: method,
    })
    return createDriveFiles(address, accessToken, clouds.fetch, call.signal)
  },
)

const listSchema = v.object({ files: v.array(v.object({ id: v.string() })) })
const refusalSchema = v.object({
  error: v.object({ errors: v.optional(v.array(v.object({ reason: v.optional(v.string()) })), []) }),
})
const problemByReason: Readonly<Record<string, CloudProblem>> = {
  storageQuotaExceeded: 'no_space',
  insufficientPermissions: 'access_ended',
  insufficientFilePermissions: 'access_ended',
}
const problemByStatus: Readonly<Record<number, CloudProblem>> = { 401: 'access_ended', 404: 'file_missing' }

export function createDriveFiles(
  address: string,
  token: string,
  fetch: CloudFetch,
  signal: AbortSignal,
): CloudFiles {
  const headers = { authorization: `Bearer ${token}` }

  async function callDrive(
    path: string,
    query: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<CloudAnswer> {
    const url = new URL(address + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const answer = await fetchFromCloud(
      fetch,
      url,
      { ...init, headers: { ...headers, ...init.headers } },
      signal,
    )
    if (answer.status >= 200 && answer.status < 300) return answer
    throw cloudProblem(toCloudProblem(answer))
  }

  async function findFiles(of: FileOf): Promise<readonly string[]> {
    const answer = await callDrive('/drive/v3/files', {
      spaces: 'appDataFolder',
      q: `name = '${createFileName(of)}'`,
      orderBy: 'createdTime desc',
      fields: 'files(id)',
    })
    const list = v.safeParse(listSchema, parseJson(answer))
    if (!list.success) throw cloudProblem('cloud_unreachable')
    return list.output.files.map(({ id }) => encodeURIComponent(id))
  }

  return {
    async write(of, text) {
      const boundary = crypto.randomUUID()
      const part = (json: string) => `--${boundary}\r\ncontent-type: application/json\r\n\r\n${json}\r\n`
      const metadata = JSON.stringify({ name: createFileName(of), parents: ['appDataFolder'] })
      await callDrive(
        '/upload/drive/v3/files',
        { uploadType: 'multipart', fields: 'id' },
        {
          method: 'POST',
          headers: { 'content-type': `multipart/related; boundary=${boundary}` },
          body: `${part(metadata)}${part(text)}--${boundary}--`,
        },
      )
    },
    async read(of) {
      const [id] = await findFiles(of)
      if (id === undefined) throw cloudProblem('file_missing')
      return (await callDrive(`/drive/v3/files/${id}`, { alt: 'media' })).text
    },
    async remove(of) {
      for (const id of await findFiles(of)) await callDrive(`/drive/v3/files/${id}`, {}, { method: 'DELETE' })
    },
  }
}

function toCloudProblem(answer: CloudAnswer): CloudProblem {
  const refusal = v.safeParse(refusalSchema, parseJson(answer))
  const [first] = refusal.success ? refusal.output.error.errors : []
  return problemByReason[first?.reason ?? ''] ?? problemByStatus[answer.status] ?? 'cloud_unreachable'
}
