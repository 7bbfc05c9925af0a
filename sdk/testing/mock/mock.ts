/**
 * A loader client without a dialog, for unit tests of apps. Its calls, events and provider are the loader's own
 * code. Only the dialog and its user are simulated.
 */
import { LatchkeyError } from '@latchkey/loader'
import { createFake, type IncomingCall } from '@latchkey/loader/fake'
import { createChain } from './chain.ts'
import { createAnswers } from './dialog.ts'
import { type Ask, createFlows } from './flows.ts'
import { createPerson, untilAborted } from './person.ts'
import { createSession } from './session.ts'
import { createTokens, mockKeySet } from './tokens.ts'
import type {
  CallName,
  ChangesOf,
  Control,
  MockLatchkey,
  MockOptions,
  MockStatus,
  ProviderRequest,
  RecordedCall,
} from './types.ts'

export type {
  CallName,
  ChainRequest,
  Control,
  MockKeySet,
  MockLatchkey,
  MockOptions,
  MockPerson,
  MockStatus,
  MockUser,
  MockWallet,
  OpenCall,
  ProviderRequest,
  RecordedCall,
} from './types.ts'

const unreachable = () => new LatchkeyError('server_unreachable', 'The dialog cannot be reached')

export function mockLatchkey(options: MockOptions = {}): MockLatchkey {
  const {
    appId = 'lkmock0000000000000000001',
    dialogUrl = 'https://dialog.example',
    user: visitor,
    loggedIn = visitor !== undefined,
    wallets = ['ethereum'],
    privateKey,
    chains = [1],
    person: firstPerson = 'approves',
    status: firstStatus = 'ready',
    now = Date.now,
  } = options
  const nowSeconds = () => Math.floor(now() / 1_000)

  const calls: RecordedCall[] = []
  const requests: ProviderRequest[] = []
  const chain = createChain(chains, options.chain)
  const tokens = createTokens({ appId, issuer: dialogUrl, now })
  const tell: Control['tell'] = (name, event) => fake.emit(name, event)
  const person = createPerson(firstPerson, {
    show() {
      tell('open', {})
      tell('drawn', {})
    },
    hide: () => tell('close', {}),
  })
  const session = createSession(visitor, { appId, wallets, privateKey, nowSeconds, tokens, tell })

  const ask: Ask = (name, asked, run) => {
    const question = { name, call: getRecordedCall(asked), isForUser: true, signal: asked.signal }
    return person.decide(question, (changes) => run(changes as ChangesOf<typeof name>))
  }
  const flows = createFlows({ session, chain, ask, visitor: () => session.visitor })
  const recorded = new WeakMap<IncomingCall, RecordedCall>()
  const getRecordedCall = (asked: IncomingCall): RecordedCall =>
    recorded.get(asked) ?? ({ name: asked.name, args: asked.args } as RecordedCall)

  const fake = createFake(appId, {
    login: flows.logIn,
    logout: session.logOut,
    user: session.user,
    accessToken: session.token,
    configure() {},
    answers: createAnswers({
      appId,
      session,
      chain,
      flows,
      ask,
      tell,
      nowSeconds,
      closeOpen(names) {
        for (const call of person.waiting()) if (names.includes(call.name)) void call.approve()
      },
    }),
    onCall: (name, args) => void calls.push({ name, args } as RecordedCall),
    onRequest(asked, request) {
      const call: RecordedCall = { name: 'request', args: [request] }
      recorded.set(asked, call)
      calls.push(call)
      requests.push(request)
    },
    async serve<Answer>(asked: IncomingCall, answer: () => Answer): Promise<Awaited<Answer>> {
      await untilAborted(available(), asked.signal)
      const { name, refusal, signal } = asked
      // Calls with a prompt show it in their answer, once it is known that one is needed.
      if (name === undefined || refusal !== undefined) return await answer()
      return person.decide({ name, call: getRecordedCall(asked), isForUser: false, signal }, answer)
    },
  })

  let status: MockStatus = firstStatus
  let wasReady = false
  let arrival = createArrival()
  function available(): Promise<void> {
    if (status === 'unreachable') return Promise.reject(unreachable())
    return status === 'ready' ? Promise.resolve() : arrival.promise
  }
  /** Emits the initial events, as on a page whose listeners exist by then. */
  function becomeReady() {
    arrival.arrive()
    if (wasReady) return
    wasReady = true
    queueMicrotask(() => {
      const user = session.user()
      const token = session.token()
      if (user) tell('user', { user })
      if (token !== null) tell('token', { type: 'granted', token })
      tell('ready', { authenticated: user !== null })
    })
  }

  if (loggedIn) session.enter(session.visitor)
  if (status === 'ready') becomeReady()

  const control: Control = {
    calls,
    callsOf: <Name extends CallName>(name: Name) =>
      calls.flatMap((call) => (call.name === name ? [call.args as never] : [])),
    requests,
    next: person.next,
    get waiting() {
      return person.waiting()
    },
    setPerson: person.be,
    async logIn(user = session.visitor) {
      session.logIn(user)
    },
    async logOut() {
      session.logOut()
    },
    get user() {
      return session.user()
    },
    async updateUser({ mfaMethods, ...change }) {
      const verifiedAt = nowSeconds()
      session.change({
        ...change,
        ...(mfaMethods && { mfaMethods: mfaMethods.map((type) => ({ type, verifiedAt })) }),
      })
    },
    async setStatus(next) {
      if (next === status) return
      const isBack = status === 'unreachable' && wasReady
      status = next
      if (next === 'unreachable') {
        arrival.fail(unreachable())
        arrival = createArrival()
        tell('error', { error: unreachable() })
      }
      if (next === 'ready') {
        becomeReady()
        // Stores that follow the state learn of it now, and not at their next retry.
        if (isBack) tell('user', { user: session.user() })
      }
    },
    async switchChain(chainId) {
      if (!chain.has(chainId))
        throw new TypeError(`The app has no chain ${chainId}. Add it with mockLatchkey({ chains })`)
      if (chainId === chain.current()) return
      chain.move(chainId)
      tell('chainChanged', { chainId })
    },
    tell,
    keySet: mockKeySet(),
  }

  const members = Object.getOwnPropertyDescriptors(fake.handle)
  // Tests may replace members by their own functions.
  for (const member of Object.values(members)) {
    member.configurable = true
    if ('value' in member) member.writable = true
  }
  return Object.defineProperties({}, { ...members, control: { value: control } }) as MockLatchkey
}

/** Creates the promise that calls wait for while the dialog loads. */
function createArrival() {
  let arrive = () => {}
  let fail: (error: LatchkeyError) => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    arrive = resolve
    fail = reject
  })
  // Without a waiting call, a failure must not be unhandled.
  promise.catch(() => {})
  return { promise, arrive, fail }
}
