/**
 * The page's end of the vault: starts the worker when it is needed, ends it after a minute of idleness, and
 * settles every call whatever becomes of the worker.
 *
 * A new worker is a new key pair, so a wallet token and what the server sealed for it are good for one vault.
 */
import { isErrorCode, LatchkeyError, sessionLimits, walletLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import {
  type VaultAnswer,
  type VaultContract,
  type VaultInput,
  type VaultOperation,
  type VaultOutput,
  vaultAnswerSchema,
  vaultContract,
} from '../vault/contract.ts'

export type VaultWorker = {
  readonly call: (request: unknown) => Promise<unknown>
  /** Rejects when the worker breaks; never resolves. */
  readonly broken: Promise<never>
  readonly end: () => void
}
export type Clock = {
  readonly nowMs: () => number
  /** Answers how to call it off. */
  readonly after: (ms: number, run: () => void) => () => void
}
export type VaultClient = {
  /** The key of the running vault, which is started if need be. */
  readonly publicKey: () => Promise<string>
  /** The key that a token can have been made for; else `vault_key_unknown`. */
  readonly presentKey: () => string
  readonly ask: <Name extends VaultOperation>(
    operation: Name,
    input: VaultInput<Name>,
  ) => Promise<VaultOutput<Name>>
  readonly end: () => void
}
type Running = {
  readonly worker: VaultWorker
  /** Settles the calls that are under way when the vault ends. */
  readonly ended: PromiseWithResolvers<never>
  readonly replacedAtMs: number | undefined
  key?: string
}

export function createVaultClient({ start, clock }: { start: () => VaultWorker; clock: Clock }): VaultClient {
  let running: Running | undefined
  let begunBefore = false
  let stopIdleTimer = () => {}

  function begin(): Running {
    const begun: Running = {
      worker: start(),
      ended: Promise.withResolvers(),
      replacedAtMs: begunBefore ? clock.nowMs() : undefined,
    }
    begun.ended.promise.catch(() => {})
    begun.worker.broken.catch(() => end(begun, 'The vault broke'))
    begunBefore = true
    running = begun
    return begun
  }

  function end(vault: Running, why: string): void {
    if (running !== vault) return
    stopIdleTimer()
    running = undefined
    vault.worker.end()
    vault.ended.reject(new LatchkeyError('error', why))
  }

  /** Counted from the last call's end. None is under way by then: a call's own deadline is shorter. */
  function waitForIdleness(vault: Running): void {
    if (running !== vault) return
    stopIdleTimer()
    stopIdleTimer = clock.after(walletLimits.vaultIdleMs, () => end(vault, 'The vault was idle'))
  }

  /** What a vault that misses its deadline is doing is not known, so it does not go on doing it. */
  async function askOf<Name extends VaultOperation>(
    vault: Running,
    operation: Name,
    input: VaultInput<Name>,
  ) {
    stopIdleTimer()
    const stopDeadline = clock.after(walletLimits.callMs, () =>
      end(vault, 'The vault did not answer in time'),
    )
    try {
      const given = await Promise.race([vault.worker.call({ operation, input }), vault.ended.promise])
      const answer = v.parse(vaultAnswerSchema, given)
      if (!answer.ok) throw vaultError(answer.error, sealedForPredecessor(vault, operation))
      return outputOf(operation, answer.value)
    } finally {
      stopDeadline()
      waitForIdleness(vault)
    }
  }

  /** A share that does not open in a young vault was sealed for the one before, while that token may be alive. */
  const sealedForPredecessor = ({ replacedAtMs }: Running, operation: VaultOperation) =>
    'vaultKey' in vaultContract[operation].input.entries &&
    replacedAtMs !== undefined &&
    clock.nowMs() - replacedAtMs < sessionLimits.walletTokenSeconds * 1_000

  return {
    ask: async (operation, input) => askOf(running ?? begin(), operation, input),
    publicKey: async () => {
      const vault = running ?? begin()
      const { publicKey } = await askOf(vault, 'publicKey', {})
      vault.key = publicKey
      return publicKey
    },
    presentKey: () => {
      if (running?.key === undefined) throw keyUnknown()
      return running.key
    },
    end: () => {
      if (running) end(running, 'The vault was ended')
    },
  }
}

const outputOf = <Name extends VaultOperation>(operation: Name, value: unknown): VaultOutput<Name> =>
  v.parse<VaultContract[Name]['output']>(vaultContract[operation].output, value)

function vaultError(
  error: Extract<VaultAnswer, { ok: false }>['error'],
  forPredecessor: boolean,
): LatchkeyError {
  if (forPredecessor && error.code === 'envelope_refused') return keyUnknown()
  const { code, message, details } = error
  return new LatchkeyError(isErrorCode(code) ? code : 'error', message, { details })
}

const keyUnknown = () => new LatchkeyError('vault_key_unknown', 'The vault began anew; ask for its key again')
