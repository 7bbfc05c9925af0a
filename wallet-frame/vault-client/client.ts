/**
 * The page's client of the vault. Starts the worker on demand and ends it after a minute without an open
 * operation. Parses every response, and settles every call even if the worker fails.
 */
import { isErrorCode, LatchkeyError, walletLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import { untilAborted } from '../abort.ts'
import type { Clock } from '../clock.ts'
import {
  type VaultAnswer,
  type VaultInputs,
  vaultAnswerSchema,
  type vaultOutputs,
} from '../vault/contract.ts'

export type VaultWorker = {
  call: (request: unknown) => Promise<unknown>
  /** Rejects when the worker breaks; never resolves. */
  broken: Promise<never>
  end: () => void
}
type Schemas = Readonly<Record<string, v.GenericSchema>>
/** A client of a vault that accepts `Inputs` and returns `Outputs`. */
export type Client<Inputs extends Schemas, Outputs extends Schemas> = {
  /** Calls the vault. When the signal aborts, the promise rejects and the vault receives `stop`. */
  call: <Name extends keyof Inputs & keyof Outputs & string>(
    name: Name,
    input: v.InferInput<Inputs[Name]>,
    signal: AbortSignal,
  ) => Promise<v.InferOutput<Outputs[Name]>>
  isRunning: () => boolean
  end: () => void
}
export type VaultClient = Client<VaultInputs, typeof vaultOutputs>
type Running = {
  worker: VaultWorker
  /** Aborts when the vault ends, which rejects its pending calls. */
  ended: AbortController
  /** How long the vault stays open, as of its last response. */
  openForMs: number
}

/** The signal of `stop` calls, which no caller can abort. */
const neverAborted = new AbortController().signal

export function createVaultClient<Inputs extends Schemas, Outputs extends Schemas>({
  outputs,
  start,
  clock,
}: {
  outputs: Outputs
  start: () => VaultWorker
  clock: Clock
}): Client<Inputs, Outputs> {
  let running: Running | undefined
  let calls = 0
  let stopIdleTimer = () => {}

  function begin(): Running {
    const vault: Running = { worker: start(), ended: new AbortController(), openForMs: 0 }
    vault.worker.broken.catch(() => end(vault, 'The vault broke'))
    running = vault
    return vault
  }

  function end(vault: Running, why: string): void {
    if (running !== vault) return
    stopIdleTimer()
    running = undefined
    vault.worker.end()
    vault.ended.abort(new LatchkeyError('error', why))
  }

  /**
   * Restarts the idle timer after each call. No other call can be pending by then, because its deadline is
   * shorter.
   */
  function waitForIdleness(vault: Running): void {
    if (running !== vault) return
    stopIdleTimer()
    const idleMs = vault.openForMs + walletLimits.vaultIdleMs
    stopIdleTimer = clock.after(idleMs, () => end(vault, 'The vault was idle'))
  }

  /** Calls the vault. Ends a vault that misses the deadline, because its state is unknown. */
  async function callVault(
    vault: Running,
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const id = String(++calls)
    const stop = () => {
      callVault(vault, 'stop', { call: id }, neverAborted).catch(() => {})
    }
    stopIdleTimer()
    const stopDeadline = clock.after(walletLimits.callMs, () =>
      end(vault, 'The vault did not answer in time'),
    )
    signal.addEventListener('abort', stop)
    try {
      const response = vault.worker.call({ id, name, input })
      const answer = readAnswer(await untilAborted(untilAborted(response, vault.ended.signal), signal))
      vault.openForMs = answer.openForMs
      if (!answer.ok) throw vaultError(answer.error)
      return readOutput(outputs, name, answer.value)
    } finally {
      signal.removeEventListener('abort', stop)
      stopDeadline()
      waitForIdleness(vault)
    }
  }

  return {
    call: async (name, input, signal) => {
      signal.throwIfAborted()
      return callVault(running ?? begin(), name, input, signal) as Promise<
        v.InferOutput<Outputs[typeof name]>
      >
    },
    isRunning: () => running !== undefined,
    end: () => {
      if (running) end(running, 'The vault was ended')
    },
  }
}

function readAnswer(given: unknown): VaultAnswer {
  const answer = v.safeParse(vaultAnswerSchema, given)
  if (answer.success) return answer.output
  throw new LatchkeyError('error', 'The response of the vault could not be parsed')
}

function readOutput(outputs: Schemas, name: string, value: unknown): unknown {
  const schema = outputs[name]
  const output = schema && v.safeParse(schema, value)
  if (output?.success) return output.output
  throw new LatchkeyError('error', `The vault returned an invalid output for '${name}'`)
}

function vaultError({ code, message, details }: Extract<VaultAnswer, { ok: false }>['error']): LatchkeyError {
  return new LatchkeyError(isErrorCode(code) ? code : 'error', message, { details })
}
