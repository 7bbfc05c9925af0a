/** The registry of recovery methods. */
import type {
  OwnRecovery,
  ShareContext,
  StoredOwnRecovery,
  StoredRecoveryShare,
} from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../../kernel/context.ts'
import type { SealingKey } from '../../../kernel/keys/keys.ts'
import type { App } from '../../../kernel/ports.ts'
import type { SealTarget } from '../sealing.ts'
import type { Wallet } from '../store.ts'
import { automatic } from './automatic/method.ts'
import { cloud } from './cloud/method.ts'
import {
  type OwnRecoveryMethod,
  type OwnRecoveryName,
  type RecoveryInputs,
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

/** Returns the wallet columns for a recovery. `share` names the generation that is stored. */
export async function storeRecovery<Name extends RecoveryName>(
  context: ServerContext,
  key: SealingKey,
  share: ShareContext,
  name: Name,
  input: RecoveryInputs[Name],
): Promise<StoredColumns> {
  return { recovery_method: name, ...(await methods[name].store(context, key, share, input)) }
}

export const readBackRecovery = (
  name: OwnRecovery['method'],
  context: ServerContext,
  step: SealTarget,
  stored: string,
  share: ShareContext,
): Promise<StoredOwnRecovery> => ownMethods[name].readBack(context, step, stored, share)

/** Throws if the app does not allow the recovery method for a new or an existing wallet. */
export function assertMethodAllowed(
  { config }: App,
  name: StoredRecoveryShare['method'],
  isNew: boolean,
): void {
  if (!methods[name].isAllowed(config.embeddedWalletConfig, isNew)) throw recoveryNotAllowed()
}

/** Whether the recovery share is released without proof of a password or passkey. */
export const hasOpenRelease = ({ recovery_method: name }: Wallet): boolean => methods[name].release === 'open'
