/** The user as it crosses to the host: what a host may have of them, and nothing else. */
import { toUser, type User, type UserRecord, userSchema } from '@latchkey/protocol'
import * as v from 'valibot'

export type HostUser = User
export const hostUser = (record: UserRecord): HostUser => v.parse(userSchema, toUser(record))
