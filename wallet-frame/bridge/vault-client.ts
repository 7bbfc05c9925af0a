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
  readonly replacedAtMs: number | undefined
  busy: number
  key?: string
}

export function createVaultClient({ start, clock }: { start: () => VaultWorker; clock: Clock }): VaultClient {
  let running: Running | undefined
  let begunBefore = false
  let stopIdleTimer = () => {}

  function begin(): Running {
    const begun: Running = { worker: start(), replacedAtMs: begunBefore ? clock.nowMs() : undefined, busy: 0 }
    begunBefore = true
    running = begun
    begun.worker.broken.catch(() => endIfRunning(begun))
    return begun
  }

  function endIfRunning(vault: Running): void {
    if (running !== vault) return
    stopIdleTimer()
    running = undefined
    vault.worker.end()
  }

  function release(vault: Running): void {
    vault.busy -= 1
    if (running !== vault || vault.busy > 0) return
    stopIdleTimer()
    stopIdleTimer = clock.after(walletLimits.vaultIdleMs, () => endIfRunning(vault))
  }

  async function callOf(vault: Running, request: unknown): Promise<VaultAnswer> {
    const late = Promise.withResolvers<never>()
    const stopDeadline = clock.after(walletLimits.callMs, () => {
      late.reject(new LatchkeyError('error', 'The vault did not answer in time'))
      // What a silent vault is doing is not known, so it does not go on doing it.
      endIfRunning(vault)
    })
    try {
      const answer = await Promise.race([vault.worker.call(request), vault.worker.broken, late.promise])
      return v.parse(vaultAnswerSchema, answer)
    } finally {
      stopDeadline()
    }
  }

  async function ask<Name extends VaultOperation>(
    operation: Name,
    input: VaultInput<Name>,
  ): Promise<VaultOutput<Name>> {
    const vault = running ?? begin()
    vault.busy += 1
    stopIdleTimer()
    try {
      const answer = await callOf(vault, { operation, input })
      if (!answer.ok) throw vaultError(answer.error, sealedForPredecessor(vault, operation))
      return outputOf(operation, answer.value)
    } finally {
      release(vault)
    }
  }

  /** A share that does not open in a young vault was sealed for the one before, while that token may be alive. */
  const sealedForPredecessor = ({ replacedAtMs }: Running, operation: VaultOperation) =>
    'vaultKey' in vaultContract[operation].input.entries &&
    replacedAtMs !== undefined &&
    clock.nowMs() - replacedAtMs < sessionLimits.walletTokenSeconds * 1_000

  return {
    ask,
    publicKey: async () => {
      const { publicKey } = await ask('publicKey', {})
      if (running) running.key = publicKey
      return publicKey
    },
    presentKey: () => {
      if (running?.key === undefined) throw keyUnknown()
      return running.key
    },
    end: () => {
      if (running) endIfRunning(running)
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
