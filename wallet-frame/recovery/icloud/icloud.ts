/**
 * Recovery by a record in the user's private database of the operator's CloudKit container, which only the
 * user can open. Apple's sign-in window posted the session to a window of this origin, which passed it on.
 * The web services accept the session only as a query parameter.
 * https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CloudFetch } from '../../shares/ports.ts'
import { fetchFromCloud, parseJson } from '../cloud/ask.ts'
import { createCloudRecovery, getCloudAddress } from '../cloud/cloud.ts'
import { type CloudFiles, type CloudProblem, cloudProblem, createFileName } from '../cloud/files.ts'
import type { FileOf } from '../recovery-method.ts'

const method = 'icloud'

export const icloud = createCloudRecovery(
  method,
  async ({ api, clouds }, call, { recoveryCloud: answer }) => {
    const address = getCloudAddress(clouds.addresses, method)
    if (answer?.method !== method) {
      throw new LatchkeyError('invalid_request_arguments', 'An iCloud session is required')
    }
    const {
      apiToken,
      containerIdentifier: container,
      environment,
    } = await api(recoveryRoutes.icloudConfiguration, call, { clientType: 'web' })
    const kit = { address, container, environment, apiToken, session: answer.session }
    return createCloudKitFiles(kit, clouds.fetch, call.signal)
  },
)

export type CloudKit = {
  address: string
  container: string
  environment: string
  apiToken: string
  session: string
}

const recordType = 'RecoveryFile'
const field = 'content'

const recordSchema = v.object({
  serverErrorCode: v.optional(v.string()),
  fields: v.optional(v.object({ [field]: v.optional(v.object({ value: v.string() })) })),
})
const answerSchema = v.object({ records: v.tuple([recordSchema]) })
const refusalSchema = v.object({ serverErrorCode: v.string() })
const problemByCode: Readonly<Record<string, CloudProblem>> = {
  AUTHENTICATION_FAILED: 'access_ended',
  AUTHENTICATION_REQUIRED: 'access_ended',
  NOT_FOUND: 'file_missing',
  UNKNOWN_ITEM: 'file_missing',
  QUOTA_EXCEEDED: 'no_space',
}

export function createCloudKitFiles(kit: CloudKit, fetch: CloudFetch, signal: AbortSignal): CloudFiles {
  async function callCloudKit(path: 'lookup' | 'modify', body: unknown) {
    const { address, container, environment, apiToken, session } = kit
    const url = new URL(
      `${address}/database/1/${encodeURIComponent(container)}/${environment}/private/records/${path}`,
    )
    url.searchParams.set('ckAPIToken', apiToken)
    url.searchParams.set('ckSession', session)
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const answer = await fetchFromCloud(fetch, url, init, signal)
    const json = parseJson(answer)
    const refusal = v.safeParse(refusalSchema, json)
    if (refusal.success) throw toCloudProblem(refusal.output.serverErrorCode)
    const parsed = v.safeParse(answerSchema, json)
    if (!parsed.success) throw cloudProblem('cloud_unreachable')
    const [record] = parsed.output.records
    if (record.serverErrorCode !== undefined) throw toCloudProblem(record.serverErrorCode)
    return record
  }

  const lookUp = (of: FileOf) => callCloudKit('lookup', { records: [{ recordName: createFileName(of) }] })
  const modify = (operationType: string, record: Readonly<Record<string, unknown>>) =>
    callCloudKit('modify', { operations: [{ operationType, record }] })

  return {
    async write(of, text) {
      await modify('forceReplace', {
        recordType,
        recordName: createFileName(of),
        fields: { [field]: { value: text } },
      })
    },
    async read(of) {
      const text = (await lookUp(of)).fields?.[field]?.value
      if (text === undefined) throw cloudProblem('file_missing')
      return text
    },
    async remove(of) {
      await modify('forceDelete', { recordName: createFileName(of) })
    },
  }
}

const toCloudProblem = (code: string) => cloudProblem(problemByCode[code] ?? 'cloud_unreachable')
