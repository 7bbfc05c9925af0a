/**
 * A handle whose dialog is a fake, for tests of pages without a frame. The loader's own code parses, shares,
 * cancels and refuses the calls, reads the responses, and implements the provider. The fake replaces the frame:
 * it receives the calls of the contract and must answer each of them.
 *
 * Only `@latchkey/testing` imports this module, in the same version. It has no public declarations.
 */
import {
  type ClientConfig,
  callNames,
  findEmbeddedWallet,
  findLoginMethodByAccount,
  type HostAccount,
  type HostUserRecord,
  LatchkeyError,
  toUser,
  type User,
} from '@latchkey/protocol'
import { parse } from '@latchkey/protocol/channel'
import {
  batchCalls,
  crossAppCalls,
  type EthereumMethod,
  ethereumCalls,
  type ethereumMethods,
  exportCalls,
  farcasterSignerCalls,
  forkCalls,
  fundingCalls,
  getEthereumMethod,
  type HostCallAnswer,
  type HostCallData,
  type HostCallName,
  type HostCallRow,
  importCalls,
  type LoginResult,
  landingCalls,
  linkingCalls,
  mfaCalls,
  type ParamsOf,
  parseParams,
  recoveryCalls,
  sendCalls,
  signCalls,
  siweCalls,
  solanaCalls,
  walletCreateCalls,
} from '@latchkey/protocol/host'
import type { Latchkey } from '../calls/latchkey.ts'
import type { CapabilityCall } from '../calls/row.ts'
import { type AnyRow, calls, type Dialog } from '../client/calls.ts'
import { createHandle } from '../client/handle.ts'
import { merge } from '../client/merge.ts'
import type { PageWithProvider } from '../client/page.ts'
import type { DialogCall } from '../frame/connection.ts'
import { createCall, readAnswer } from '../lazy/calls.ts'
import { serveProvider } from '../lazy/provider/provider.ts'
import { checkListener } from '../start/check-listener.ts'
import type { EthereumProvider, LatchkeyEvents } from '../types/options.ts'
import { createEventTarget } from './event-target.ts'

export type { EthereumAnswer, HostCallAnswer, LoginResult } from '@latchkey/protocol/host'
export { callNames, findEmbeddedWallet, type HostUserRecord as UserRecord, toUser }

/** The names of a handle's calls. */
export type CallName = Exclude<keyof Latchkey, 'appId' | 'ready' | 'on' | 'destroy'>

/** A call that the fake receives. */
export type IncomingCall = {
  /** The page's call, or undefined for a provider request. */
  name: CallName | undefined
  args: readonly unknown[]
  /** The error code if the user closes the card of this call; undefined for a call without a card. */
  refusal: AnyRow['refusal']
  /** Aborts when the caller cancels the call. */
  signal: AbortSignal | undefined
}

type Answers = {
  [Name in HostCallName]: (
    data: HostCallData<Name>,
    asked: IncomingCall,
  ) => HostCallAnswer<Name> | Promise<HostCallAnswer<Name>>
}

/** The fake's behavior. A call of the contract without an answer here does not compile. */
export type FakeDialog = {
  login: (asked: IncomingCall) => Promise<LoginResult>
  logout: (asked: IncomingCall) => void
  user: (asked: IncomingCall) => User | null
  accessToken: (asked: IncomingCall) => string | null
  configure: (config: ClientConfig) => void
  answers: Answers
  /** Called for each call of the page, before its answer. */
  onCall: (name: CallName, args: readonly unknown[]) => void
  /** Called for each provider request of the page. */
  onRequest: (asked: IncomingCall, request: { method: string; params: readonly unknown[] }) => void
  /** Wraps every answer, for a dialog that is loading or unreachable. */
  serve: <Answer>(asked: IncomingCall, answer: () => Answer) => Promise<Awaited<Answer>>
}

/** Calls of the contract that do not belong to a capability. */
type OwnCall = Exclude<DialogCall, (typeof ways)[number]>
const ways = ['more', 'read', 'moreForUser'] as const
const isOwn = (name: DialogCall): name is OwnCall => !ways.some((way) => way === name)

export type Fake = {
  handle: Latchkey
  /**
   * Emits an event to the listeners of the handle and of its provider, in the order in which they were added.
   */
  emit: <Name extends keyof LatchkeyEvents>(name: Name, event: LatchkeyEvents[Name]) => void
}

const callRows: { [Name in HostCallName]: HostCallRow } = {
  ...batchCalls,
  ...crossAppCalls,
  ...ethereumCalls,
  ...exportCalls,
  ...farcasterSignerCalls,
  ...forkCalls,
  ...fundingCalls,
  ...importCalls,
  ...landingCalls,
  ...linkingCalls,
  ...mfaCalls,
  ...recoveryCalls,
  ...sendCalls,
  ...signCalls,
  ...siweCalls,
  ...solanaCalls,
  ...walletCreateCalls,
}

/** Returns the provider request of a call, or undefined for an internal call of a provider. */
function getProviderRequest(name: HostCallName, read: unknown) {
  const { method, params, message, transaction, fields } = Object(read)
  switch (name) {
    case 'ethereumRequest':
    case 'ethereumRead':
    case 'ethereumRequestForUser':
    case 'connectedWalletRequest':
      return { method, params }
    case 'signSolanaMessage':
      return { method: 'signMessage', params: [message] }
    case 'signInSolana':
      return { method: 'signIn', params: [fields] }
    case 'signSolanaTransaction':
      return { method: 'signTransaction', params: [transaction] }
    case 'sendSolanaTransaction':
      return { method: 'signAndSendTransaction', params: [transaction] }
    default:
      return undefined
  }
}

/** Events that the second file emits for the wallets that it connects. */
const connectionEvents: readonly string[] = ['walletConnected', 'walletDisconnected']

/** Makes app ids unique, because the second file stores state by app. */
let fakes = 0

export function createFake(appId: string, dialog: FakeDialog): Fake {
  fakes += 1
  const events = createEventTarget()
  /** Separate, because on `ready` the second file starts timers and cleans up storage of real pages. */
  const libraryEvents = createEventTarget()
  for (const name of connectionEvents)
    libraryEvents.addEventListener(name, (event) => {
      if (event instanceof CustomEvent) dispatch(events, name, event.detail)
    })

  const provider = {} as EthereumProvider
  const page: PageWithProvider = {
    appId: `${appId} ${fakes}`,
    events: libraryEvents,
    provider,
    implement: (methods) => void Object.assign(provider, methods),
    // Tests have no libraries that discover wallets.
    announce() {},
    send: async (way, data, signal) =>
      answer(data(), {
        name: undefined,
        args: [],
        refusal: way === 'moreForUser' ? 'user_rejected_request' : undefined,
        signal,
      }),
  }
  serveProvider(page)

  async function answer({ call, data }: CapabilityCall, asked: IncomingCall): Promise<unknown> {
    if (!Object.hasOwn(callRows, call)) throw new LatchkeyError('method_not_found', `Unknown call ${call}`)
    const name = call as HostCallName
    const read = parse(callRows[name].input, data, 'invalid_data')
    const request = getProviderRequest(name, read)
    if (request) dialog.onRequest(asked, request)
    return dialog.serve(asked, () => dialog.answers[name](read as never, asked))
  }

  const runs = new Map(Object.entries(calls).map(([name, row]) => [name, createRun(name as CallName, row)]))

  function createRun(name: CallName, { run, shared, refusal }: AnyRow) {
    const createIncomingCall = (args: readonly unknown[], signal: AbortSignal): IncomingCall => ({
      name,
      args,
      refusal,
      signal,
    })
    if (!run)
      return async (signal: AbortSignal, args: readonly unknown[]) =>
        readAnswer(name, await answer(await createCall(name, args), createIncomingCall(args, signal)), page)
    const runRow = (signal: AbortSignal, args: readonly unknown[]) =>
      run(dialogFor(createIncomingCall(args, signal)), ...(args as never[]))
    return shared ? merge((signal) => runRow(signal, [])) : runRow
  }

  /** Serves the rows of the first file from the fake. */
  const dialogFor = (asked: IncomingCall): Dialog => {
    const own: { [Name in OwnCall]: () => unknown } = {
      login: () => dialog.login(asked),
      logout: () => dialog.logout(asked),
      user: () => ({ user: dialog.user(asked) }),
      accessToken: () => dialog.accessToken(asked),
    }
    return {
      async send(name) {
        if (!isOwn(name)) throw new LatchkeyError('method_not_found', `Pages cannot call ${name}`)
        return (await dialog.serve(asked, own[name])) as never
      },
      getToken: () => dialog.serve(asked, () => dialog.accessToken(asked)),
      dropToken() {},
      configure: (config) => dialog.serve(asked, () => dialog.configure(config)),
    }
  }

  function emit<Name extends keyof LatchkeyEvents>(name: Name, event: LatchkeyEvents[Name]) {
    dispatch(events, name, event)
    if (name !== 'ready' && !connectionEvents.includes(name)) dispatch(libraryEvents, name, event)
  }

  const client = {
    events,
    async call(name: string, args: readonly unknown[], signal: AbortSignal) {
      const run = runs.get(name)
      if (!run) throw new LatchkeyError('method_not_found', `Unknown call ${name}`)
      dialog.onCall(name as CallName, args)
      return run(signal, args)
    },
  }
  const release = () =>
    dispatch(libraryEvents, 'error', {
      error: new LatchkeyError('client_destroyed', 'This client was destroyed'),
    })
  return { handle: createHandle(appId, { client, release }, checkListener), emit }
}

const dispatch = (target: EventTarget, name: string, detail: unknown) =>
  target.dispatchEvent(new CustomEvent(name, { detail }))

/** Returns the error code of a call that the user closes; undefined for a call without a prompt. */
export const getRefusal = (name: CallName): AnyRow['refusal'] => calls[name]?.refusal

export { type SolanaSignInFields, writeSolanaSignIn } from '@latchkey/protocol/host'

/** Returns the identifying field of an account: its address, phone number or subject. */
export function getAccountId(account: HostAccount): string {
  const field = findLoginMethodByAccount(account.type)?.idField ?? 'customUserId'
  return String(Reflect.get(account, field))
}

type Rows = typeof ethereumMethods
type WalletMethod = {
  [Name in EthereumMethod]: Rows[Name]['by'] extends 'wallet' ? Name : never
}[EthereumMethod]

/**
 * A provider request, parsed by its method's row like in the dialog. Fakes must answer each method of the
 * wallet; all reads of the chain are one case.
 */
export type EthereumRequest =
  | {
      [Name in WalletMethod]: {
        method: Name
        params: ParamsOf<Name>
      }
    }[WalletMethod]
  | { method: 'chain'; asked: string; params: readonly unknown[] }

export function readRequest({
  method,
  params: given,
}: {
  method: string
  params: readonly unknown[]
}): EthereumRequest {
  const params = parseParams(method, given)
  const isChainMethod = getEthereumMethod(method)?.by === 'chain'
  return (isChainMethod ? { method: 'chain', asked: method, params } : { method, params }) as EthereumRequest
}
