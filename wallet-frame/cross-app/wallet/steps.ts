/**
 * Runs a step of a wallet operation: a vault operation, the server's token for it, and a second factor if
 * required.
 */
import { LatchkeyError, type MfaMethodType, product } from '@latchkey/protocol'
import { walletTokenRoutes } from '@latchkey/protocol/api'
import { type WalletPurpose, walletPurposes } from '@latchkey/protocol/wallet'
import { createSecondFactor } from '../../mfa/second-factor.ts'
import type { FactorAnswer, StepCall, WalletPorts } from '../../shares/ports.ts'
import type { FactorProblem } from '../screen/state.ts'
import { isOver, type Session } from '../session/session.ts'

/** A confirmation that the user approved. */
export type Approved = { handle: string; digest: string }

export type StepOptions = {
  purpose: WalletPurpose
  /** Null if a wallet is to be created. */
  address: string | null
  approved?: Approved
  signal: AbortSignal
}

export type AskFactor = (problem: FactorProblem | undefined, signal: AbortSignal) => Promise<FactorAnswer>

export type Steps = {
  run: <T>(step: StepOptions, work: (ports: WalletPorts, call: StepCall) => Promise<T>) => Promise<T>
}

export function createSteps(ports: {
  wallet: WalletPorts
  session: Pick<Session, 'api' | 'user' | 'key'>
  methods: () => readonly MfaMethodType[]
  askFactor: AskFactor
}): Steps {
  const { wallet, session, methods, askFactor } = ports
  const { appId, vault } = wallet
  const factor = createSecondFactor(wallet)

  async function runOnce<T>(
    { purpose, address, approved, signal }: StepOptions,
    factorAnswer: FactorAnswer,
    work: (ports: WalletPorts, call: StepCall) => Promise<T>,
  ): Promise<T> {
    const { operationId, publicKey } = await vault.call('begin', {}, signal)
    const operation = { id: operationId, step: 1 }
    try {
      const digest = approved?.digest ?? null
      const claims = { purpose, operation, address, digest, dialogKey: session.key(), appId }
      const { statement } = await vault.call('state', { ...claims, userId: session.user().id }, signal)
      const { token } = await session.api(
        walletTokenRoutes.walletToken,
        { signal, headers: { [product.headers.device]: statement } },
        { publicKey, operation, purpose, address, confirmation: approved?.handle ?? null },
      )
      const call = { token, operation, signal }
      return await work(wallet, { ...call, withFactor: (ask) => factor.use(call, factorAnswer, ask) })
    } finally {
      factor.forget(operationId)
      vault.call('end', { operationId }, new AbortController().signal).catch(() => {})
    }
  }

  return {
    /** Runs a step. Asks for the second factor first, because a token expires after a minute. */
    async run(step, work) {
      let factorAnswer: FactorAnswer = {}
      if (walletPurposes[step.purpose].verified && methods().length > 0)
        factorAnswer = await askFactor(undefined, step.signal)
      for (let isRetry = false; ; ) {
        try {
          return await runOnce(step, factorAnswer, work)
        } catch (error) {
          const isVerified = factorAnswer.mfaMethod !== undefined
          const problem = toFactorProblem(error, isVerified)
          if (problem !== undefined)
            factorAnswer = await askFactor(isVerified ? problem : undefined, step.signal)
          // A worker that ended or a token that expired has had no effect, so one retry is safe.
          else if (!isRetry && isRetriable(error)) isRetry = true
          else throw error
        }
      }
    },
  }
}

/** Returns the problem of a second factor that the user may answer again. */
function toFactorProblem(error: unknown, isVerified: boolean): FactorProblem | undefined {
  if (!(error instanceof LatchkeyError)) return undefined
  switch (error.code) {
    case 'missing_or_invalid_mfa':
    case 'expired_or_invalid_mfa_token':
      return 'wrong'
    case 'mfa_verification_max_attempts_reached':
      return isVerified ? 'max-attempts' : undefined
    default:
      return undefined
  }
}

const isRetriable = (error: unknown) =>
  error instanceof LatchkeyError && (error.code === 'vault_operation_unknown' || isOver(error))
