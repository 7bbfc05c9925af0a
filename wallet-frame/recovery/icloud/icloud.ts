/**
 * Recovery by a record in the private database that the user has in the operator's CloudKit container, which nobody but
 * the user opens. Apple's own window gave the session to a window of this origin, which passed it on here; the web
 * services take it in the query of an address, and nowhere else.
 * https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CloudFetch } from '../../shares/ports.ts'
import { askCloud, jsonIn } from '../cloud/ask.ts'
import { addressOf, byCloud } from '../cloud/cloud.ts'
import { type CloudFiles, type CloudProblem, cloudProblem, fileName } from '../cloud/files.ts'
import type { FileOf } from '../recovery-method.ts'

const method = 'icloud'

export const icloud = byCloud(method, async ({ api, clouds }, call, { recoveryCloud: answer }) => {
  const address = addressOf(clouds.addresses, method)
  if (answer?.method !== method) {
    throw new LatchkeyError('invalid_request_arguments', 'A session of iCloud is needed')
  }
  const {
    apiToken,
    containerIdentifier: container,
    environment,
  } = await api(recoveryRoutes.icloudConfiguration, call, { clientType: 'web' })
  const kit = { address, container, environment, apiToken, session: answer.session }
  return cloudKitFiles(kit, clouds.fetch, call.signal)
})

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
const problemOfCode: Readonly<Record<string, CloudProblem>> = {
  AUTHENTICATION_FAILED: 'access_ended',
  AUTHENTICATION_REQUIRED: 'access_ended',
  NOT_FOUND: 'file_missing',
  UNKNOWN_ITEM: 'file_missing',
  QUOTA_EXCEEDED: 'no_space',
}

export function cloudKitFiles(kit: CloudKit, fetch: CloudFetch, signal: AbortSignal): CloudFiles {
  async function ask(path: 'lookup' | 'modify', body: unknown) {
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
    const answer = await askCloud(fetch, url, init, signal)
    const said = jsonIn(answer)
    const refusal = v.safeParse(refusalSchema, said)
    if (refusal.success) throw problemOf(refusal.output.serverErrorCode)
    const parsed = v.safeParse(answerSchema, said)
    if (!parsed.success) throw cloudProblem('cloud_unreachable')
    const [record] = parsed.output.records
    if (record.serverErrorCode !== undefined) throw problemOf(record.serverErrorCode)
    return record
  }

  const lookUp = (of: FileOf) => ask('lookup', { records: [{ recordName: fileName(of) }] })
  const modify = (operationType: string, record: Readonly<Record<string, unknown>>) =>
    ask('modify', { operations: [{ operationType, record }] })

  return {
    async write(of, text) {
      await modify('forceReplace', {
        recordType,
        recordName: fileName(of),
        fields: { [field]: { value: text } },
      })
    },
    async read(of) {
      const text = (await lookUp(of)).fields?.[field]?.value
      if (text === undefined) throw cloudProblem('file_missing')
      return text
    },
    async remove(of) {
      await modify('forceDelete', { recordName: fileName(of) })
    },
  }
}

const problemOf = (code: string) => cloudProblem(problemOfCode[code] ?? 'cloud_unreachable')
