/** CloudKit's errors of a record within a successful response. */
import { expect, it } from 'vitest'
import { createCloudKitFiles } from './icloud.ts'

const file = { address: '0xA', generation: 2 } as const
const kit = {
  address: 'https://api.apple-cloudkit.com',
  container: 'iCloud.example.wallets',
  environment: 'development',
  apiToken: 'container-token',
  session: 'icloud-session',
} as const

const answering = (record: object) =>
  createCloudKitFiles(kit, async () => Response.json({ records: [record] }), new AbortController().signal)
const refusal = (reason: string) => expect.objectContaining({ code: 'error', details: { reason } })

it.each([
  ['QUOTA_EXCEEDED', 'no_space'],
  ['AUTHENTICATION_REQUIRED', 'access_ended'],
  ['CONFLICT', 'cloud_unreachable'],
])('maps a failed write (%s) to its problem', async (serverErrorCode, reason) => {
  await expect(answering({ serverErrorCode }).write(file, 'text')).rejects.toEqual(refusal(reason))
  await expect(answering({}).write(file, 'text')).resolves.toBeUndefined()
})

it('reports a missing record as a missing file, and an unreadable one as unreachable', async () => {
  await expect(answering({ serverErrorCode: 'UNKNOWN_ITEM' }).read(file)).rejects.toEqual(
    refusal('file_missing'),
  )
  await expect(answering({ serverErrorCode: 'TRY_AGAIN_LATER' }).read(file)).rejects.toEqual(
    refusal('cloud_unreachable'),
  )
  expect(await answering({ fields: { content: { value: 'text' } } }).read(file)).toBe('text')
})
