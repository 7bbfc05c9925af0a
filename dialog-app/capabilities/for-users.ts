/** What only somebody who is logged in has a use for. */
import { linking } from './linking/linking.ts'
import { recovery } from './recovery/recovery.ts'
import { sign } from './sign/sign.ts'
import { signedIn } from './signed-in/signed-in.ts'

export const forUsers = [linking, recovery, sign, signedIn] as const
