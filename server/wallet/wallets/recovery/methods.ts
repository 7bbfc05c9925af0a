/** The ways to recover a wallet, a line each. */
import type {
  OwnRecovery,
  ShareContext,
  StoredOwnRecovery,
  StoredRecoveryShare,
} from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../../kernel/context.ts'
import type { SealingKey } from '../../../kernel/keys/keys.ts'
import type { App } from '../../../kernel/ports.ts'
import type { SealedFor } from '../sealing.ts'
import type { Wallet } from '../store.ts'
import { automatic } from './automatic/method.ts'
import { cloud } from './cloud/method.ts'
import {
  type GivenRecoveries,
  type OwnRecoveryMethod,
  type OwnRecoveryName,
  type RecoveryMethod,
  type RecoveryName,
  recoveryNotAllowed,
  type StoredRecovery,
} from './method.ts'
import { passkey } from './passkey/method.ts'
import { password } from './password/method.ts'

const ownMethods: { [Name in OwnRecoveryName]: OwnRecoveryMethod<Name> } = {
  'user-passcode': password,
  'google-drive': cloud('google-drive'),
  icloud: cloud('icloud'),
  passkey,
}
const methods: { [Name in RecoveryName]: RecoveryMethod<Name> } = {
  latchkey: automatic,
  ...ownMethods,
}

export type StoredColumns = StoredRecovery & Pick<Wallet, 'recovery_method'>

/** `share` is of the generation that is stored. */
export async function storeRecovery<Name extends RecoveryName>(
  context: ServerContext,
  key: SealingKey,
  share: ShareContext,
  name: Name,
  given: GivenRecoveries[Name],
): Promise<StoredColumns> {
  return { recovery_method: name, ...(await methods[name].store(context, key, share, given)) }
}

export const readBackRecovery = (
  name: OwnRecovery['method'],
  context: ServerContext,
  step: SealedFor,
  stored: string,
  share: ShareContext,
): Promise<StoredOwnRecovery> => ownMethods[name].readBack(context, step, stored, share)

/** What the app has on for wallets that are made, and for those that are there. */
export function assertMethodAllowed(
  { config }: App,
  name: StoredRecoveryShare['method'],
  isNew: boolean,
): void {
  if (!methods[name].isAllowed(config.embeddedWalletConfig, isNew)) throw recoveryNotAllowed()
}

/** Whoever recovers by it shows first that they have what opens it. */
export const isReleasedOpenly = ({ recovery_method: name }: Wallet): boolean =>
  methods[name].release === 'open'
