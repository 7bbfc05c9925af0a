/** A step of the wallet: an operation of the vault, the server's token for it, and a second factor where one is wanted. */
import { LatchkeyError, type MfaMethodType, product } from '@latchkey/protocol'
import { walletTokenRoutes } from '@latchkey/protocol/api'
import { type WalletPurpose, walletPurposes } from '@latchkey/protocol/wallet'
import { createSecondFactor } from '../../mfa/second-factor.ts'
import type { FactorAnswer, StepCall, WalletPorts } from '../../shares/ports.ts'
import type { FactorProblem } from '../screen/state.ts'
import { isOver, type Session } from '../session/session.ts'

/** What is to be signed, as its user has approved it. */
export type Approved = { handle: string; digest: string }

export type StepAsked = {
  purpose: WalletPurpose
  /** Null where a wallet is to be made. */
  address: string | null
  approved?: Approved
  signal: AbortSignal
}

export type AskFactor = (problem: FactorProblem | undefined, signal: AbortSignal) => Promise<FactorAnswer>

export type Steps = {
  run: <T>(step: StepAsked, work: (ports: WalletPorts, call: StepCall) => Promise<T>) => Promise<T>
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
    { purpose, address, approved, signal }: StepAsked,
    factorAnswer: FactorAnswer,
    work: (ports: WalletPorts, call: StepCall) => Promise<T>,
  ): Promise<T> {
    const { operationId, publicKey } = await vault.call('begin', {}, signal)
    const operation = { id: operationId, step: 1 }
    try {
      const digest = approved?.digest ?? null
      const stated = { purpose, operation, address, digest, dialogKey: session.key(), appId }
      const { statement } = await vault.call('state', { ...stated, userId: session.user().id }, signal)
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
    /** What a person takes a while for is asked before a token is made, which is good for a minute. */
    async run(step, work) {
      let factorAnswer: FactorAnswer = {}
      if (walletPurposes[step.purpose].verified && methods().length > 0)
        factorAnswer = await askFactor(undefined, step.signal)
      for (let isAnew = false; ; ) {
        try {
          return await runOnce(step, factorAnswer, work)
        } catch (error) {
          const isVerified = factorAnswer.mfaMethod !== undefined
          const problem = problemOf(error, isVerified)
          if (problem !== undefined)
            factorAnswer = await askFactor(isVerified ? problem : undefined, step.signal)
          // A worker that ended, or a token that ran out on its way, has done nothing.
          else if (!isAnew && isBegunAnew(error)) isAnew = true
          else throw error
        }
      }
    },
  }
}

/** Gives the problem of a second factor, if the user may answer again. */
function problemOf(error: unknown, isVerified: boolean): FactorProblem | undefined {
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

const isBegunAnew = (error: unknown) =>
  error instanceof LatchkeyError && (error.code === 'vault_operation_unknown' || isOver(error))
