/**
 * The operations of the vault. Each has a key pair, to which the server seals what it releases for the operation.
 *
 * A sealed input opens in one step only, because its step number is in the associated data. Steps are done once,
 * in ascending order. Each request of a step is one call and carries all its inputs. Opening the first input
 * consumes the request; the other inputs of the same call still open, and no later call can repeat it.
 *
 * The key pair is deleted after the last step of its kind, at `end`, or at the deadline. While an operation waits
 * for the user, no share or secret is held.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { OperationStep, SealedShare, ShareContext, WalletPurpose } from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import type { Clock } from '../../clock.ts'
import type { SecretBytes } from '../keys/secret-bytes.ts'
import { generateVaultKey, type VaultKey } from '../shares/sealing.ts'

/**
 * Encodes to whole base64url characters. Differs from the length of the entropy, which the tests that search
 * for secrets replace.
 */
const ID_BYTES = 18

/** The vault's requests that open inputs sealed for a step. */
export type StepRequest =
  | 'create'
  | 'recover'
  | 'unlock'
  | 'recoverUnlocked'
  | 'recoverByPasskey'
  | 'reshare'
  | 'confirm'
  | 'sign'
  | 'proveSolanaAddress'
  | 'farcasterSigner'

type KindRule = {
  steps: number
  /**
   * The requests of a step, in order, each once. A step has two if the second needs the server's response to
   * the output of the first. A step without requests opens nothing, and `enter` completes it.
   */
  requests: readonly StepRequest[]
  /** The purpose for which a released share must be sealed. */
  purpose: WalletPurpose
}

/** The kinds of operations. The first step of an operation sets its kind. */
export const operationKinds = {
  create: { steps: 1, requests: [], purpose: 'create' },
  /** Imports a private key. */
  import: { steps: 1, requests: ['create'], purpose: 'import' },
  connect: { steps: 1, requests: [], purpose: 'connect' },
  recover: { steps: 1, requests: ['recover'], purpose: 'recover' },
  sign: { steps: 1, requests: ['sign'], purpose: 'sign' },
  'set-delegate': { steps: 1, requests: ['sign'], purpose: 'set-delegate' },
  'solana-address': { steps: 1, requests: ['proveSolanaAddress'], purpose: 'solana-address' },
  'farcaster-signer': { steps: 1, requests: ['farcasterSigner'], purpose: 'farcaster-signer' },
  'farcaster-sign': { steps: 1, requests: ['farcasterSigner'], purpose: 'farcaster-sign' },
  'create-with-password': { steps: 1, requests: ['create'], purpose: 'create' },
  'import-with-password': { steps: 1, requests: ['create'], purpose: 'import' },
  /**
   * The server releases the shares after it has verified the access key, which the vault derives from the
   * password.
   */
  'recover-with-password': { steps: 1, requests: ['unlock', 'recoverUnlocked'], purpose: 'recover' },
  /** The second request reads the stored share back from the server and tests it. */
  'set-password': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
  'set-file': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
  'create-with-passkey': { steps: 1, requests: ['create'], purpose: 'create' },
  'import-with-passkey': { steps: 1, requests: ['create'], purpose: 'import' },
  'recover-with-passkey': { steps: 1, requests: ['recoverByPasskey'], purpose: 'recover' },
  'set-passkey': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
} as const satisfies Readonly<Record<string, KindRule>>
export type OperationKind = keyof typeof operationKinds

/** Opens a share that the server released for one step. */
export type OpenReleased = (
  sealed: SealedShare,
  context: ShareContext,
  /** The digest to sign, if the share was released for a signature. */
  digest?: string | null,
) => Promise<SecretBytes>

/** Opens an input that another page sealed for one step: a password, a passkey secret, or a private key. */
export type OpenSealed = (sealed: SealedShare) => Promise<SecretBytes>

/** The sealed inputs of one call. Opening the first one consumes the request. */
export type SealedInputs = {
  openReleased: OpenReleased
  openPassword: OpenSealed
  openPasskey: OpenSealed
  openImported: OpenSealed
  /** Stores a key for the next request of this step, if there is one. It is deleted with the operation. */
  storeKey: (key: CryptoKey) => void
  /** Returns the key that the previous request stored. */
  storedKey: () => CryptoKey
}

type Operation<Kind> = {
  key: VaultKey
  expiresAtMs: number
  stopDeadline: () => void
  kind: Kind | undefined
  stepsDone: number
  lastStep: number
  /** The current step, after its first request was consumed, and the request that must follow. */
  pendingStep: { step: number; next: StepRequest } | undefined
  /** A non-exportable key for the next request. */
  storedKey: CryptoKey | undefined
}
export type Operations<Kind> = {
  begin: () => Promise<{ operationId: string; publicKey: string }>
  end: (operationId: string) => void
  /** Returns the public key of an open operation. */
  getPublicKey: (operationId: string) => string
  /** Throws if the step cannot be done, before the server is called for it. Returns the key to seal to. */
  enter: (step: OperationStep, kind: Kind) => { publicKey: string }
  getInputs: (step: OperationStep, kind: Kind, request: StepRequest) => SealedInputs
  /** Returns how long an operation may still be open; 0 if none is. */
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

  /** Checks the deadline too, because a timer may be late, for example after the machine slept. */
  function findOperation({ id, step }: OperationStep, kind: Kind): Operation<Kind> {
    const operation = open.get(id)
    if (!operation || operation.expiresAtMs <= clock.nowMs()) throw unknownOperation()
    if (step <= operation.lastStep || (operation.kind ?? kind) !== kind) throw unknownOperation()
    if (operation.pendingStep && operation.pendingStep.step !== step) throw unknownOperation()
    operation.kind = kind
    return operation
  }

  function finish({ id, step }: OperationStep, kind: Kind, operation: Operation<Kind>): void {
    operation.pendingStep = undefined
    operation.lastStep = step
    operation.stepsDone += 1
    if (operation.stepsDone >= kinds[kind].steps) end(id)
  }

  /** Consumes the request. */
  function consume(step: OperationStep, kind: Kind, request: StepRequest) {
    const operation = findOperation(step, kind)
    const { requests } = kinds[kind]
    if (request !== (operation.pendingStep?.next ?? requests[0])) throw unknownOperation()
    const { key, storedKey } = operation
    const next = requests[requests.indexOf(request) + 1]
    if (next === undefined) finish(step, kind, operation)
    else operation.pendingStep = { step: step.step, next }
    return { key, storedKey, next }
  }

  return {
    async begin() {
      const key = await generateVaultKey()
      const operationId = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(ID_BYTES)))
      open.set(operationId, {
        key,
        expiresAtMs: clock.nowMs() + walletLimits.operationMs,
        stopDeadline: clock.after(walletLimits.operationMs, () => end(operationId)),
        kind: undefined,
        stepsDone: 0,
        lastStep: 0,
        pendingStep: undefined,
        storedKey: undefined,
      })
      return { operationId, publicKey: key.publicKey }
    },
    end,
    getPublicKey(operationId) {
      const operation = open.get(operationId)
      if (!operation || operation.expiresAtMs <= clock.nowMs()) throw unknownOperation()
      return operation.key.publicKey
    },
    enter(step, kind) {
      const operation = findOperation(step, kind)
      if (kinds[kind].requests.length === 0) finish(step, kind, operation)
      return { publicKey: operation.key.publicKey }
    },
    getInputs(step, kind, request) {
      let consumed: ReturnType<typeof consume> | undefined
      const consumeOnce = () => {
        consumed ??= consume(step, kind, request)
        return consumed
      }
      const { purpose } = kinds[kind]
      return {
        openReleased: async (sealed, context, digest = null) =>
          consumeOnce().key.open(sealed, context, { operation: step, purpose, digest }),
        openPassword: async (sealed) => consumeOnce().key.openPassword(sealed, step),
        openPasskey: async (sealed) => consumeOnce().key.openPasskey(sealed, step),
        openImported: async (sealed) => consumeOnce().key.openImported(sealed, step),
        storeKey(key) {
          // Throws if the operation ended meanwhile.
          if (consumeOnce().next !== undefined) findOperation(step, kind).storedKey = key
        },
        storedKey() {
          const { storedKey } = consumeOnce()
          if (!storedKey) throw unknownOperation()
          return storedKey
        },
      }
    },
    openForMs: () =>
      Math.max(0, ...[...open.values()].map(({ expiresAtMs: diesAtMs }) => diesAtMs - clock.nowMs())),
  }
}

const unknownOperation = () =>
  new LatchkeyError('vault_operation_unknown', 'The vault has no such open step; begin another operation')
