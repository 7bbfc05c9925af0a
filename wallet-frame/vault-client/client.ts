/**
 * The page's end of the vault: starts the worker when it is needed, ends it after a minute without an open
 * operation, parses what it answers, and settles every call whatever becomes of the worker.
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
/** The client of a vault that takes `Inputs` and answers `Outputs`. */
export type Client<Inputs extends Schemas, Outputs extends Schemas> = {
  /** When the signal ends, so does the wait, and the vault is told to stop. */
  ask: <Name extends keyof Inputs & keyof Outputs & string>(
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
  /** Settles the calls that are under way when the vault ends. */
  ended: AbortController
  /** How long the vault stays open, as it last reported. */
  openForMs: number
}

/** The call `stop` has no caller that could leave, so its signal never aborts. */
const endless = new AbortController().signal

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
    const begun: Running = { worker: start(), ended: new AbortController(), openForMs: 0 }
    begun.worker.broken.catch(() => end(begun, 'The vault broke'))
    running = begun
    return begun
  }

  function end(vault: Running, why: string): void {
    if (running !== vault) return
    stopIdleTimer()
    running = undefined
    vault.worker.end()
    vault.ended.abort(new LatchkeyError('error', why))
  }

  /** Counted from the last call's end. None is under way by then: a call's own deadline is shorter. */
  function waitForIdleness(vault: Running): void {
    if (running !== vault) return
    stopIdleTimer()
    const idleMs = vault.openForMs + walletLimits.vaultIdleMs
    stopIdleTimer = clock.after(idleMs, () => end(vault, 'The vault was idle'))
  }

  /** What a vault that misses its deadline is doing is not known, so it does not go on doing it. */
  async function askOf(vault: Running, name: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    const id = String(++calls)
    const stop = () => {
      askOf(vault, 'stop', { call: id }, endless).catch(() => {})
    }
    stopIdleTimer()
    const stopDeadline = clock.after(walletLimits.callMs, () =>
      end(vault, 'The vault did not answer in time'),
    )
    signal.addEventListener('abort', stop)
    try {
      const given = vault.worker.call({ id, name, input })
      const answer = readAnswer(await untilAborted(untilAborted(given, vault.ended.signal), signal))
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
    ask: async (name, input, signal) => {
      signal.throwIfAborted()
      return askOf(running ?? begin(), name, input, signal) as Promise<v.InferOutput<Outputs[typeof name]>>
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
  throw new LatchkeyError('error', 'The answer of the vault could not be read')
}

function readOutput(outputs: Schemas, name: string, value: unknown): unknown {
  const schema = outputs[name]
  const output = schema && v.safeParse(schema, value)
  if (output?.success) return output.output
  throw new LatchkeyError('error', `The vault answered something else than '${name}' has`)
}

function vaultError({ code, message, details }: Extract<VaultAnswer, { ok: false }>['error']): LatchkeyError {
  return new LatchkeyError(isErrorCode(code) ? code : 'error', message, { details })
}
