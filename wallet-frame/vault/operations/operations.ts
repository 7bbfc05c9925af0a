/**
 * The operations of the vault: each has a key pair, to which the server seals what it releases for the operation.
 *
 * What is sealed for a step opens in that step alone (its number is in the associated data), and a step is done once:
 * the next one has a greater number. All that is known at once comes in one call, and the call is what is used: the
 * first of its inputs that is opened takes it, the others open with it, and no call opens anything in its place again.
 * The key pair goes with the last step of its kind, when the operation is ended, or at its deadline; while it waits for
 * a person it is all that is kept, without a share or a secret.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { OperationStep, SealedShare, ShareContext, WalletPurpose } from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import type { Clock } from '../../clock.ts'
import type { SecretBytes } from '../keys/secret-bytes.ts'
import { makeVaultKey, type VaultKey } from '../shares/sealing.ts'

/** Whole base64url characters, and no other length than the entropy's, which the search for secrets replaces. */
const ID_BYTES = 18

/** The requests of the vault that open what was sealed for a step. */
export type StepRequest =
  | 'create'
  | 'recover'
  | 'unlock'
  | 'recoverUnlocked'
  | 'recoverByPasskey'
  | 'reshare'
  | 'confirm'
  | 'sign'
  | 'farcasterSigner'

type KindRule = {
  steps: number
  /**
   * The requests that do a step, in their order, each once. There are two where the second needs what the server
   * answers to what the first one made. A step without any opens nothing, and is done when it is entered.
   */
  requests: readonly StepRequest[]
  /** The purpose that a released share must have been sealed for. */
  purpose: WalletPurpose
}

/** The kinds of operations; the first step of an operation names its kind. */
export const operationKinds = {
  create: { steps: 1, requests: [], purpose: 'create' },
  /** A key that was brought along. */
  import: { steps: 1, requests: ['create'], purpose: 'import' },
  connect: { steps: 1, requests: [], purpose: 'connect' },
  recover: { steps: 1, requests: ['recover'], purpose: 'recover' },
  sign: { steps: 1, requests: ['sign'], purpose: 'sign' },
  'farcaster-signer': { steps: 1, requests: ['farcasterSigner'], purpose: 'farcaster-signer' },
  'farcaster-sign': { steps: 1, requests: ['farcasterSigner'], purpose: 'farcaster-sign' },
  'create-with-password': { steps: 1, requests: ['create'], purpose: 'create' },
  'import-with-password': { steps: 1, requests: ['create'], purpose: 'import' },
  /** The server releases the shares for what the vault makes of the password. */
  'recover-with-password': { steps: 1, requests: ['unlock', 'recoverUnlocked'], purpose: 'recover' },
  /** The second request reads the new share back from where it is stored and tests it. */
  'set-password': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
  'set-file': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
  'create-with-passkey': { steps: 1, requests: ['create'], purpose: 'create' },
  'import-with-passkey': { steps: 1, requests: ['create'], purpose: 'import' },
  'recover-with-passkey': { steps: 1, requests: ['recoverByPasskey'], purpose: 'recover' },
  'set-passkey': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
} as const satisfies Readonly<Record<string, KindRule>>
export type OperationKind = keyof typeof operationKinds

/** Opens what was released for one step. */
export type OpenReleased = (
  sealed: SealedShare,
  context: ShareContext,
  /** The digest that is about to be signed, if the share was released for a signature. */
  digest?: string | null,
) => Promise<SecretBytes>

/** Opens what was given for one step: a password, what a passkey gave, or a key. */
export type OpenSealed = (sealed: SealedShare) => Promise<SecretBytes>

/** The sealed inputs of one call. Nothing is used before the first of them is opened. */
export type SealedInputs = {
  openReleased: OpenReleased
  openPassword: OpenSealed
  openPasskey: OpenSealed
  openImported: OpenSealed
  /** A key for the request of this step that comes after, where there is one; it goes with the operation. */
  storeKey: (key: CryptoKey) => void
  /** The key that the request before has stored. */
  storedKey: () => CryptoKey
}

type Operation<Kind> = {
  key: VaultKey
  diesAtMs: number
  stopDeadline: () => void
  kind: Kind | undefined
  stepsDone: number
  lastStep: number
  /** The step whose first request was made, and the one that is to come. */
  underWay: { step: number; next: StepRequest } | undefined
  /** A key that cannot be exported, which the next request needs. */
  storedKey: CryptoKey | undefined
}
export type Operations<Kind> = {
  begin: () => Promise<{ operationId: string; publicKey: string }>
  end: (operationId: string) => void
  /** The public half of the key of an operation that is open. */
  keyOf: (operationId: string) => string
  /** Refuses a step that can not be done, before anything is asked of the server for it. Answers what is sealed to. */
  enter: (step: OperationStep, kind: Kind) => { publicKey: string }
  inputsOf: (step: OperationStep, kind: Kind, request: StepRequest) => SealedInputs
  /** How long an operation may still be open; 0 when none is. */
  openForMs: () => number
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

  function finish({ id, step }: OperationStep, kind: Kind, operation: Operation<Kind>): void {
    operation.underWay = undefined
    operation.lastStep = step
    operation.stepsDone += 1
    if (operation.stepsDone >= kinds[kind].steps) end(id)
  }

  /** Uses the request up. */
  function use(step: OperationStep, kind: Kind, request: StepRequest) {
    const operation = find(step, kind)
    const { requests } = kinds[kind]
    if (request !== (operation.underWay?.next ?? requests[0])) throw unknownOperation()
    const { key, storedKey } = operation
    const next = requests[requests.indexOf(request) + 1]
    if (next === undefined) finish(step, kind, operation)
    else operation.underWay = { step: step.step, next }
    return { key, storedKey, next }
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
        storedKey: undefined,
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
      if (kinds[kind].requests.length === 0) finish(step, kind, operation)
      return { publicKey: operation.key.publicKey }
    },
    inputsOf(step, kind, request) {
      let used: ReturnType<typeof use> | undefined
      const useOnce = () => {
        used ??= use(step, kind, request)
        return used
      }
      const { purpose } = kinds[kind]
      return {
        openReleased: async (sealed, context, digest = null) =>
          useOnce().key.open(sealed, context, { operation: step, purpose, digest }),
        openPassword: async (sealed) => useOnce().key.openPassword(sealed, step),
        openPasskey: async (sealed) => useOnce().key.openPasskey(sealed, step),
        openImported: async (sealed) => useOnce().key.openImported(sealed, step),
        storeKey(key) {
          // Throws where the operation was ended meanwhile.
          if (useOnce().next !== undefined) find(step, kind).storedKey = key
        },
        storedKey() {
          const { storedKey } = useOnce()
          if (!storedKey) throw unknownOperation()
          return storedKey
        },
      }
    },
    openForMs: () => Math.max(0, ...[...open.values()].map(({ diesAtMs }) => diesAtMs - clock.nowMs())),
  }
}

const unknownOperation = () =>
  new LatchkeyError('vault_operation_unknown', 'The vault has no such step to do; begin another operation')
