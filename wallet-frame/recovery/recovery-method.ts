/** What each way back to a wallet has: its folder beside this file, and a row in `recovery/index.ts`. */
import type { RouteBody, walletRoutes } from '@latchkey/protocol/api'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import type { OperationKind, VaultOutput } from '../vault/contract.ts'

/** What a user may have to give, by its name in the call. */
export type RecoveryInput = 'recoveryPassword' | 'recoveryAccessToken' | 'recoveryPin'
export type RecoveryGiven = { readonly [Input in RecoveryInput]?: string }

type Kept = Pick<RouteBody<typeof walletRoutes.commitWallet>, 'recoveryMethod' | 'recoveryShare'>

export type RecoveryMethodPart = {
  /** What it asks of the user; a call without it is refused. */
  readonly asks: readonly RecoveryInput[]
  /** What it sends with a new wallet, so that the recovery share can come back. */
  readonly keep: (made: VaultOutput<'create'>) => Kept
  /** The vault's operation for a recovery: its row in `operationKinds` says how many steps it has. */
  readonly operation: OperationKind
  /** Sends what it needs to get both shares, and has the vault make this device's from them. Answers the address. */
  readonly recover: (
    ports: WalletPorts,
    call: StepCall,
    wanted: { readonly address: string; readonly given: RecoveryGiven },
  ) => Promise<string>
}
