/**
 * Creates the user's Solana wallet, and reads its account from the user afterwards. For a user with an Ethereum wallet,
 * that wallet derives it, if the app allows this.
 */
import {
  findEmbeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type UserRecord,
  type WalletAccount,
} from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createWalletCalls, type WalletCall } from '../../wallet/wallet-obstacles.ts'
import { createOnePerUser } from './one-per-user.ts'

type Ports = Pick<CapabilityPorts, 'session' | 'wallet' | 'analytics' | 'settings' | 'remedies'>

/** Runs the remedies for obstacles, such as a second factor that the user must verify. */
type Interrupt = WalletCall<unknown>['card']['interrupt']
export type SolanaCreation = {
  create: (user: UserRecord, interrupt: Interrupt) => Promise<WalletAccount>
  /** Creates the wallet without screens. Resolves after a failure too, because the login does not depend on it. */
  atLogin: () => Promise<void>
}

export function createSolanaCreation(ports: Ports): SolanaCreation {
  const onePerUser = createOnePerUser<WalletAccount>(ports.session)
  const create: SolanaCreation['create'] = async (user, interrupt) => {
    const ethereum = findEmbeddedWallet(user)
    if (findEmbeddedWallet(user, 'solana')) throw exists('The user has a Solana wallet')
    if (ethereum && !ports.settings().app.solanaBesideEthereum) {
      throw exists('A user who has an Ethereum wallet gets no Solana wallet')
    }
    if (ethereum?.imported) {
      throw new LatchkeyError('not_supported', 'An imported Ethereum wallet derives no Solana address')
    }
    return onePerUser(user, (signal) => createWallet(ports, ethereum, { signal, interrupt }))
  }
  return {
    create,
    async atLogin() {
      const user = await ports.session.user()
      if (user) await create(user, () => Promise.reject(withoutScreens())).catch(() => {})
    },
  }
}

const withoutScreens = () =>
  new LatchkeyError('user_rejected_request', 'A login does not ask the user for a Solana wallet')

const exists = (message: string) => new LatchkeyError('embedded_wallet_already_exists', message)

async function createWallet(
  { session, wallet, analytics, remedies }: Ports,
  ethereum: WalletAccount | undefined,
  card: WalletCall<unknown>['card'],
): Promise<WalletAccount> {
  const { signal } = card
  analytics('embedded_solana_wallet_creation_started')
  try {
    const solana = await wallet.solana()
    await createWalletCalls(remedies)({
      event: 'solana-wallet:create',
      account: ethereum,
      card,
      call: (verification) => solana.create({ signal, verification, ethereumAddress: ethereum?.address }),
    })
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
  'user_rejected_request',
])

function failure(cause: unknown): LatchkeyError {
  const error = toLatchkeyError(cause, 'error', 'Failed to create wallet')
  if (toldAsIs.has(error.code)) return error
  return new LatchkeyError('unknown_embedded_wallet_error', 'Failed to create wallet', {
    cause,
    details: { cause: error.code },
  })
}
