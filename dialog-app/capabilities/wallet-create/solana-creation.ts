/** Creates the user's Solana wallet, and reads its account from the user afterwards. */
import {
  findEmbeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type UserRecord,
  type WalletAccount,
} from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { DialogServices } from '../../app/services.ts'
import { createOnePerUser } from './one-per-user.ts'

type Ports = Pick<DialogServices, 'session' | 'wallet' | 'analytics'>

export function createSolanaCreation(ports: Ports): (user: UserRecord) => Promise<WalletAccount> {
  const onePerUser = createOnePerUser<WalletAccount>(ports.session)
  return (user) => {
    refuseSecond(user)
    return onePerUser(user, (signal) => create(ports, signal))
  }
}

function refuseSecond(user: UserRecord): void {
  if (findEmbeddedWallet(user, 'solana')) throw exists('The user has a Solana wallet')
  if (findEmbeddedWallet(user)) throw exists('A user who has an Ethereum wallet gets no Solana wallet')
}
const exists = (message: string) => new LatchkeyError('embedded_wallet_already_exists', message)

async function create({ session, wallet, analytics }: Ports, signal: AbortSignal): Promise<WalletAccount> {
  analytics('embedded_solana_wallet_creation_started')
  try {
    const solana = await wallet.solana()
    await solana.create({ signal })
    signal.throwIfAborted()
    const state = session.state()
    const existingWallet =
      state.status === 'authenticated' ? findEmbeddedWallet(state.user, 'solana') : undefined
    const account = existingWallet ?? (await reloaded(session, signal))
    analytics('embedded_solana_wallet_creation_completed')
    return account
  } catch (cause) {
    const error = failure(cause)
    analytics('embedded_solana_wallet_creation_failed', failurePayload(error))
    throw error
  }
}

async function reloaded(session: Ports['session'], signal: AbortSignal): Promise<WalletAccount> {
  const user = await session.reloadUser({ signal })
  const account = user && findEmbeddedWallet(user, 'solana')
  if (account) return account
  throw new LatchkeyError('embedded_wallet_not_found', 'The new Solana wallet is no account of the user')
}

/** Errors that the caller receives unchanged, because they describe the user or the app, not a failure. */
const toldAsIs: ReadonlySet<string> = new Set([
  'embedded_wallet_already_exists',
  'disallowed_recovery_method',
])

function failure(cause: unknown): LatchkeyError {
  const error = toLatchkeyError(cause, 'error', 'Failed to create wallet')
  if (toldAsIs.has(error.code)) return error
  return new LatchkeyError('unknown_embedded_wallet_error', 'Failed to create wallet', {
    cause,
    details: { cause: error.code },
  })
}
