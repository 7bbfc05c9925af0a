/**
 * A handle whose dialog is a fake, for tests of pages where no frame can be. What a page calls is parsed, shared, taken
 * back and refused by the loader's own code, and so is what it is answered; the provider and its events are the loader's
 * own too. The fake begins where the frame would: it gets the calls of the contract, and has to answer every one.
 *
 * `@latchkey/testing` alone imports this, at the version of this package. It has no declarations for hosts.
 */
import {
  type ClientConfig,
  callNames,
  descriptorOfAccount,
  embeddedWallet,
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
  ethereumMethod,
  type ethereumMethods,
  exportCalls,
  farcasterSignerCalls,
  forkCalls,
  fundingCalls,
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
  readParams,
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
import { callOf, readAnswer } from '../lazy/calls.ts'
import { serveProvider } from '../lazy/provider/provider.ts'
import { checkListener } from '../start/check-listener.ts'
import type { EthereumProvider, LatchkeyEvents } from '../types/options.ts'
import { createEventTarget } from './event-target.ts'

export type { EthereumAnswer, HostCallAnswer, LoginResult } from '@latchkey/protocol/host'
export { callNames, embeddedWallet, type HostUserRecord as UserRecord, toUser }

/** The calls of a handle, without what is no call. */
export type CallName = Exclude<keyof Latchkey, 'appId' | 'ready' | 'on' | 'destroy'>

/** A call as it comes to the fake. */
export type Asked = {
  /** The call that the page made; undefined where a provider asks. */
  name: CallName | undefined
  args: readonly unknown[]
  /** What it means that a person closes the card of this call; nothing where nobody is asked. */
  refusal: AnyRow['refusal']
  /** Whoever asked takes it back. */
  signal: AbortSignal | undefined
}

type Answers = {
  [Name in HostCallName]: (
    data: HostCallData<Name>,
    asked: Asked,
  ) => HostCallAnswer<Name> | Promise<HostCallAnswer<Name>>
}

/** A call of the contract that has no answer here does not compile. */
export type FakeDialog = {
  login: (asked: Asked) => Promise<LoginResult>
  logout: (asked: Asked) => void
  user: (asked: Asked) => User | null
  accessToken: (asked: Asked) => string | null
  configure: (config: ClientConfig) => void
  answers: Answers
  /** The page calls, and nothing of it is answered yet. */
  onCall: (name: CallName, args: readonly unknown[]) => void
  /** A provider of the page was asked this. */
  onRequest: (asked: Asked, request: { method: string; params: readonly unknown[] }) => void
  /** Around every answer: the dialog may not be there yet, or not at all. */
  serve: <Answer>(asked: Asked, answer: () => Answer) => Promise<Awaited<Answer>>
}

/** Calls of the contract that are no capability's. */
type OwnCall = Exclude<DialogCall, (typeof ways)[number]>
const ways = ['more', 'read', 'moreForUser'] as const
const isOwn = (name: DialogCall): name is OwnCall => !ways.some((way) => way === name)

export type Fake = {
  handle: Latchkey
  /** Listeners of the handle and of its provider are told, in the order in which they came. */
  tell: <Name extends keyof LatchkeyEvents>(name: Name, event: LatchkeyEvents[Name]) => void
}

const rowsOfCalls: { [Name in HostCallName]: HostCallRow } = {
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

/** What a page asked of a provider by that; undefined for what a provider asks by itself. */
function requestIn(name: HostCallName, read: unknown) {
  const { method, params, message } = Object(read)
  switch (name) {
    case 'ethereumRequest':
    case 'ethereumRead':
    case 'ethereumRequestForUser':
    case 'connectedWalletRequest':
      return { method, params }
    case 'signSolanaMessage':
      return { method: 'signMessage', params: [message] }
    default:
      return undefined
  }
}

/** The second file tells these of the wallets that it connects. */
const toldByConnections: readonly string[] = ['walletConnected', 'walletDisconnected']

/** Two fakes of one app share nothing, whatever the second file keeps by app. */
let fakes = 0

export function createFake(appId: string, dialog: FakeDialog): Fake {
  fakes += 1
  const events = createEventTarget()
  /** Apart, because what the second file does at `ready` is for pages: it waits, and tidies their storage. */
  const ofLibraries = createEventTarget()
  for (const name of toldByConnections)
    ofLibraries.addEventListener(name, (event) => {
      if (event instanceof CustomEvent) dispatch(events, name, event.detail)
    })

  const provider = {} as EthereumProvider
  const page: PageWithProvider = {
    appId: `${appId} ${fakes}`,
    events: ofLibraries,
    provider,
    implement: (methods) => void Object.assign(provider, methods),
    // No library of a test looks for wallets in a page.
    announce() {},
    ask: async (way, data, signal) =>
      answer(data(), {
        name: undefined,
        args: [],
        refusal: way === 'moreForUser' ? 'user_rejected_request' : undefined,
        signal,
      }),
  }
  serveProvider(page)

  async function answer({ call, data }: CapabilityCall, asked: Asked): Promise<unknown> {
    if (!Object.hasOwn(rowsOfCalls, call))
      throw new LatchkeyError('method_not_found', `There is no call ${call}`)
    const name = call as HostCallName
    const read = parse(rowsOfCalls[name].input, data, 'invalid_data')
    const request = requestIn(name, read)
    if (request) dialog.onRequest(asked, request)
    return dialog.serve(asked, () => dialog.answers[name](read as never, asked))
  }

  const runs = new Map(Object.entries(calls).map(([name, row]) => [name, runOf(name as CallName, row)]))

  function runOf(name: CallName, { run, shared, refusal }: AnyRow) {
    const askedBy = (args: readonly unknown[], signal: AbortSignal): Asked => ({
      name,
      args,
      refusal,
      signal,
    })
    if (!run)
      return async (signal: AbortSignal, args: readonly unknown[]) =>
        readAnswer(name, await answer(await callOf(name, args), askedBy(args, signal)), page)
    const runRow = (signal: AbortSignal, args: readonly unknown[]) =>
      run(dialogFor(askedBy(args, signal)), ...(args as never[]))
    return shared ? merge((signal) => runRow(signal, [])) : runRow
  }

  /** The calls that every page may make, as rows that ask the dialog. */
  const dialogFor = (asked: Asked): Dialog => {
    const own: { [Name in OwnCall]: () => unknown } = {
      login: () => dialog.login(asked),
      logout: () => dialog.logout(asked),
      user: () => ({ user: dialog.user(asked) }),
      accessToken: () => dialog.accessToken(asked),
    }
    return {
      async ask(name) {
        if (!isOwn(name)) throw new LatchkeyError('method_not_found', `No page makes the call ${name}`)
        return (await dialog.serve(asked, own[name])) as never
      },
      getToken: () => dialog.serve(asked, () => dialog.accessToken(asked)),
      dropToken() {},
      configure: (config) => dialog.serve(asked, () => dialog.configure(config)),
    }
  }

  function tell<Name extends keyof LatchkeyEvents>(name: Name, event: LatchkeyEvents[Name]) {
    dispatch(events, name, event)
    if (name !== 'ready' && !toldByConnections.includes(name)) dispatch(ofLibraries, name, event)
  }

  const client = {
    events,
    async call(name: string, args: readonly unknown[], signal: AbortSignal) {
      const run = runs.get(name)
      if (!run) throw new LatchkeyError('method_not_found', `There is no call ${name}`)
      dialog.onCall(name as CallName, args)
      return run(signal, args)
    },
  }
  const release = () =>
    dispatch(ofLibraries, 'error', {
      error: new LatchkeyError('client_destroyed', 'This client was destroyed'),
    })
  return { handle: createHandle(appId, { client, release }, checkListener), tell }
}

const dispatch = (target: EventTarget, name: string, detail: unknown) =>
  target.dispatchEvent(new CustomEvent(name, { detail }))

/** The code with which a call ends that its user closes; undefined where it asks nobody. */
export const refusalOf = (name: CallName): AnyRow['refusal'] => calls[name]?.refusal

/** What tells an account from others of its type: its address, number, subject. */
export function idOfAccount(account: HostAccount): string {
  const field = descriptorOfAccount(account.type)?.idField ?? 'customUserId'
  return String(Reflect.get(account, field))
}

type Rows = typeof ethereumMethods
type WalletMethod = {
  [Name in EthereumMethod]: Rows[Name]['by'] extends 'wallet' ? Name : never
}[EthereumMethod]

/**
 * What a provider asks, read by the row of its method as the dialog reads it. A method that the wallet answers has to be
 * answered by a fake; whatever reads the chain is one case.
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
  const params = readParams(method, given)
  const isOfChain = ethereumMethod(method)?.by === 'chain'
  return (isOfChain ? { method: 'chain', asked: method, params } : { method, params }) as EthereumRequest
}
