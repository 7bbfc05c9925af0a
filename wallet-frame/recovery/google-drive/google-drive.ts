/**
 * Recovery by a file in the folder of an app in the user's Google Drive, which no other app sees and its user only as a
 * size. The token that opens the folder is redeemed here, and nobody else in the browser has it.
 * https://developers.google.com/workspace/drive/api/guides/appdata
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CloudFetch } from '../../shares/ports.ts'
import { askCloud, type CloudAnswer, jsonIn } from '../cloud/ask.ts'
import { addressOf, byCloud } from '../cloud/cloud.ts'
import { type CloudFiles, type CloudProblem, cloudProblem, fileName } from '../cloud/files.ts'
import type { FileOf } from '../recovery-method.ts'

const method = 'google-drive'

export const googleDrive = byCloud(method, async ({ api, clouds }, call, { recoveryCloud: answer }) => {
  const address = addressOf(clouds.addresses, method)
  if (answer?.method !== method) {
    throw new LatchkeyError('invalid_request_arguments', 'A code of Google is needed')
  }
  const { accessToken } = await api(recoveryRoutes.authenticateCloudRecovery, call, {
    ...answer.code,
    provider: method,
  })
  return driveFiles(address, accessToken, clouds.fetch, call.signal)
})

const listSchema = v.object({ files: v.array(v.object({ id: v.string() })) })
const refusalSchema = v.object({
  error: v.object({ errors: v.optional(v.array(v.object({ reason: v.optional(v.string()) })), []) }),
})
const problemOfReason: Readonly<Record<string, CloudProblem>> = {
  storageQuotaExceeded: 'no_space',
  insufficientPermissions: 'access_ended',
  insufficientFilePermissions: 'access_ended',
}
const problemOfStatus: Readonly<Record<number, CloudProblem>> = { 401: 'access_ended', 404: 'file_missing' }

export function driveFiles(
  address: string,
  token: string,
  fetch: CloudFetch,
  signal: AbortSignal,
): CloudFiles {
  const headers = { authorization: `Bearer ${token}` }

  async function ask(
    path: string,
    query: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<CloudAnswer> {
    const url = new URL(address + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const answer = await askCloud(fetch, url, { ...init, headers: { ...headers, ...init.headers } }, signal)
    if (answer.status >= 200 && answer.status < 300) return answer
    throw cloudProblem(problemIn(answer))
  }

  async function find(of: FileOf): Promise<readonly string[]> {
    const found = await ask('/drive/v3/files', {
      spaces: 'appDataFolder',
      q: `name = '${fileName(of)}'`,
      orderBy: 'createdTime desc',
      fields: 'files(id)',
    })
    const list = v.safeParse(listSchema, jsonIn(found))
    if (!list.success) throw cloudProblem('cloud_unreachable')
    return list.output.files.map(({ id }) => encodeURIComponent(id))
  }

  return {
    async write(of, text) {
      const boundary = crypto.randomUUID()
      const part = (json: string) => `--${boundary}\r\ncontent-type: application/json\r\n\r\n${json}\r\n`
      const metadata = JSON.stringify({ name: fileName(of), parents: ['appDataFolder'] })
      await ask(
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
      const [id] = await find(of)
      if (id === undefined) throw cloudProblem('file_missing')
      return (await ask(`/drive/v3/files/${id}`, { alt: 'media' })).text
    },
    async remove(of) {
      for (const id of await find(of)) await ask(`/drive/v3/files/${id}`, {}, { method: 'DELETE' })
    },
  }
}

function problemIn(answer: CloudAnswer): CloudProblem {
  const refusal = v.safeParse(refusalSchema, jsonIn(answer))
  const [first] = refusal.success ? refusal.output.error.errors : []
  return problemOfReason[first?.reason ?? ''] ?? problemOfStatus[answer.status] ?? 'cloud_unreachable'
}
