/** What every app has, whatever its settings are: the capabilities that come at the start. */
import type { Capability } from '../contract/capability.ts'
import { codes } from './codes/codes.ts'
import { crossApp } from './cross-app/cross-app.ts'
import { email } from './email/email.ts'
import { announced } from './ethereum/announced.ts'
import { landing } from './landing/landing.ts'
import { oidc } from './oidc/oidc.ts'
import { refusals } from './refusals/refusals.ts'
import { terms } from './terms/terms.ts'
import { walletCreate } from './wallet-create/wallet-create.ts'

/** Steps after a login come in this order. */
export const atStart = [
  landing,
  codes,
  email,
  refusals,
  terms,
  walletCreate,
  announced,
  crossApp,
  oidc,
] as const satisfies readonly (Capability & { comes: 'at start' })[]
