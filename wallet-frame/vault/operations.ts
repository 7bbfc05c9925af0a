/**
 * The operations of the vault: each has a key pair, to which the server seals what it releases for the operation.
 *
 * What is released for a step opens in that step alone (its number is in the associated data), and a step is done
 * once: the next one has a greater number. The key pair goes with the last step of its kind, when the operation is
 * ended, or at its deadline; while it waits for a person it is all that is kept, without a share or a secret.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { OperationStep, SealedShare, ShareContext, WalletPurpose } from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import type { Clock } from '../clock.ts'
import { makeVaultKey, type VaultKey } from './sealing.ts'
import type { SecretBytes } from './secret-bytes.ts'

/** Whole base64url characters, and no other length than the entropy's, which the search for secrets replaces. */
const ID_BYTES = 18

type KindRule = {
  readonly steps: number
  /** How much that was sealed for a step it opens, one after the other. A step that opens nothing is done when it is begun. */
  readonly opens: number
  /** What is released for it has to be for this. */
  readonly purpose: WalletPurpose
}

/** What an operation may be for, which its first step says. */
export const operationKinds = {
  create: { steps: 1, opens: 0, purpose: 'create' },
  /** A key that was brought along. */
  import: { steps: 1, opens: 1, purpose: 'import' },
  connect: { steps: 1, opens: 0, purpose: 'connect' },
  recover: { steps: 1, opens: 1, purpose: 'recover' },
  sign: { steps: 1, opens: 1, purpose: 'sign' },
  'farcaster-signer': { steps: 1, opens: 1, purpose: 'farcaster-signer' },
  'farcaster-sign': { steps: 1, opens: 1, purpose: 'farcaster-sign' },
  /** The password. */
  'create-with-password': { steps: 1, opens: 1, purpose: 'create' },
  /** The key, then the password. */
  'import-with-password': { steps: 1, opens: 2, purpose: 'import' },
  /** The password, then what the server released. */
  'recover-with-password': { steps: 1, opens: 2, purpose: 'recover' },
  /** The password and what the server released, then what it read back. */
  'set-password': { steps: 1, opens: 3, purpose: 'set-recovery' },
  /** What the server released, then what it read back. */
  'set-file': { steps: 1, opens: 2, purpose: 'set-recovery' },
  /** What a passkey gave. */
  'create-with-passkey': { steps: 1, opens: 1, purpose: 'create' },
  /** The key, then what a passkey gave. */
  'import-with-passkey': { steps: 1, opens: 2, purpose: 'import' },
  /** What a passkey gave, then what the server released. */
  'recover-with-passkey': { steps: 1, opens: 2, purpose: 'recover' },
  /** What a passkey gave and what the server released, then what it read back. */
  'set-passkey': { steps: 1, opens: 3, purpose: 'set-recovery' },
} as const satisfies Readonly<Record<string, KindRule>>
export type OperationKind = keyof typeof operationKinds

/** Opens what was released for one step. */
export type OpenReleased = (
  sealed: SealedShare,
  context: ShareContext,
  /** What is about to be signed, where that is what it was released for. */
  digest?: string | null,
) => Promise<SecretBytes>

/** Opens what was given for one step: a password, what a passkey gave, or a key. */
export type OpenGiven = (sealed: SealedShare) => Promise<SecretBytes>

type Operation<Kind> = {
  readonly key: VaultKey
  readonly diesAtMs: number
  readonly stopDeadline: () => void
  kind: Kind | undefined
  stepsDone: number
  lastStep: number
  /** The step that has opened some of what it opens, and how much. */
  underWay: { readonly step: number; readonly opened: number } | undefined
  /** What a later part of the step needs: it can not be exported. */
  kept: CryptoKey | undefined
}
export type Operations<Kind> = {
  readonly begin: () => Promise<{ readonly operationId: string; readonly publicKey: string }>
  readonly end: (operationId: string) => void
  /** The public half of the key of an operation that is open. */
  readonly keyOf: (operationId: string) => string
  /** Refuses a step that can not be done, before anything is asked of the server for it. Answers what is sealed to. */
  readonly enter: (step: OperationStep, kind: Kind) => { readonly publicKey: string }
  /** Does a step that opens, or a part of it: what the answer opens is for the one who took it. */
  readonly take: (step: OperationStep, kind: Kind) => OpenReleased
  readonly takePassword: (step: OperationStep, kind: Kind) => OpenGiven
  readonly takePasskey: (step: OperationStep, kind: Kind) => OpenGiven
  readonly takeImported: (step: OperationStep, kind: Kind) => OpenGiven
  /** A key for the parts of this step that come after; it goes with the operation. */
  readonly keep: (step: OperationStep, kind: Kind, key: CryptoKey) => void
  readonly kept: (step: OperationStep, kind: Kind) => CryptoKey
  /** How long an operation may still be open; 0 when none is. */
  readonly openForMs: () => number
}

export function createOperations<Kind extends string>(
  kinds: Readonly<Record<Kind, KindRule>>,
  clock: Clock,
): Operations<Kind> {
  const open = new Map<string, Operation<Kind>>()

  function end(operationId: string): void {
    open.get(operationId)?.stopDeadline()
    open.delete(operationId)
  }

  /** A timer may be late, as after a machine slept: the deadline holds without it. */
  function find({ id, step }: OperationStep, kind: Kind): Operation<Kind> {
    const operation = open.get(id)
    if (!operation || operation.diesAtMs <= clock.nowMs()) throw unknownOperation()
    if (step <= operation.lastStep || (operation.kind ?? kind) !== kind) throw unknownOperation()
    if (operation.underWay && operation.underWay.step !== step) throw unknownOperation()
    operation.kind = kind
    return operation
  }

  function use({ id, step }: OperationStep, kind: Kind, operation: Operation<Kind>): void {
    const opened = (operation.underWay?.opened ?? 0) + 1
    operation.underWay = { step, opened }
    if (opened < kinds[kind].opens) return
    operation.underWay = undefined
    operation.lastStep = step
    operation.stepsDone += 1
    if (operation.stepsDone >= kinds[kind].steps) end(id)
  }

  function take(step: OperationStep, kind: Kind): VaultKey {
    const operation = find(step, kind)
    use(step, kind, operation)
    return operation.key
  }

  return {
    async begin() {
      const key = await makeVaultKey()
      const operationId = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(ID_BYTES)))
      open.set(operationId, {
        key,
        diesAtMs: clock.nowMs() + walletLimits.operationMs,
        stopDeadline: clock.after(walletLimits.operationMs, () => end(operationId)),
        kind: undefined,
        stepsDone: 0,
        lastStep: 0,
        underWay: undefined,
        kept: undefined,
      })
      return { operationId, publicKey: key.publicKey }
    },
    end,
    keyOf(operationId) {
      const operation = open.get(operationId)
      if (!operation || operation.diesAtMs <= clock.nowMs()) throw unknownOperation()
      return operation.key.publicKey
    },
    enter(step, kind) {
      const operation = find(step, kind)
      if (kinds[kind].opens === 0) use(step, kind, operation)
      return { publicKey: operation.key.publicKey }
    },
    take(step, kind) {
      const key = take(step, kind)
      const { purpose } = kinds[kind]
      return (sealed, context, digest = null) =>
        key.open(sealed, context, { operation: step, purpose, digest })
    },
    takePassword(step, kind) {
      const key = take(step, kind)
      return (sealed) => key.openPassword(sealed, step)
    },
    takePasskey(step, kind) {
      const key = take(step, kind)
      return (sealed) => key.openPasskey(sealed, step)
    },
    takeImported(step, kind) {
      const key = take(step, kind)
      return (sealed) => key.openImported(sealed, step)
    },
    keep(step, kind, key) {
      find(step, kind).kept = key
    },
    kept(step, kind) {
      const { kept } = find(step, kind)
      if (!kept) throw unknownOperation()
      return kept
    },
    openForMs: () => Math.max(0, ...[...open.values()].map(({ diesAtMs }) => diesAtMs - clock.nowMs())),
  }
}

const unknownOperation = () =>
  new LatchkeyError('vault_operation_unknown', 'The vault has no such step to do; begin another operation')
