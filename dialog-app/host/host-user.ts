/** The user as host pages receive it, reduced to the public fields. */
import { toUser, type User, type UserRecord, userSchema } from '@latchkey/protocol'
import * as v from 'valibot'

export type HostUser = User
export const hostUser = (record: UserRecord): HostUser => v.parse(userSchema, toUser(record))
