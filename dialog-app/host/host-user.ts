/** The user as it crosses to the host: what the contract has, and nothing else. */
import { toUser, type UserRecord } from '@latchkey/protocol'
import { hostUserSchema } from '@latchkey/protocol/host'
import * as v from 'valibot'

export type HostUser = v.InferOutput<typeof hostUserSchema>
export const hostUser = (record: UserRecord): HostUser => v.parse(hostUserSchema, toUser(record))
