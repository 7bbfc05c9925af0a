/** What a wallet call works with. */
import type { OperationStep } from '@latchkey/protocol/wallet'
import type { VaultClient } from '../vault-client/client.ts'
import type { Api, ApiCaller } from './transport.ts'

export type WalletPorts = { readonly appId: string; readonly api: Api; readonly vault: VaultClient }

/** One step of an operation, for a caller who may leave. */
export type StepCall = ApiCaller & { readonly operation: OperationStep }
