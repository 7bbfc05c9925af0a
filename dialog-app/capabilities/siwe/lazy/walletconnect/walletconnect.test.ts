import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { makeFakeClock, settle } from '../../../../testing/clock.ts'
import type { Link, RelayCall, RelaySession } from './link.ts'
import { createWalletConnect, type WalletConnectSettings } from './walletconnect.ts'

const uri = `wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}`
const address = `0x${'1a'.repeat(20)}`
const settings: WalletConnectSettings = {
  appId: 'app',
  projectId: 'project',
  relayUrl: 'wss://relay.example',
  asker: { name: 'Fieldnotes', url: 'https://app.example', icon: undefined },
  chainIds: [8453, 1],
}
const sessionOn = (...chainIds: readonly number[]): RelaySession => ({
  accounts: chainIds.map((chainId) => ({ chainId, address })),
  methods: ['personal_sign', 'wallet_switchEthereumChain'],
  walletName: 'Phone',
  appLink: undefined,
})

/** The library at its edge: what it was asked, and what the test has it answer. */
function makeFakeLinks() {
  const links: ReturnType<typeof makeFakeLink>[] = []
  function makeFakeLink() {
    const proposing = Promise.withResolvers<void>()
    const approving = Promise.withResolvers<RelaySession>()
    approving.promise.catch(() => {})
    const calls: RelayCall[] = []
    const answers = new Map<string, () => Promise<unknown>>()
    const said: string[] = []
    let session: RelaySession | undefined
    let refuse = (_why: string) => {}
    let proposed: readonly number[] = []
    const link: Link = {
      async propose(chainIds) {
        proposed = chainIds
        await proposing.promise
        return { uri, approved: approving.promise }
      },
      session: () => session,
      async request(call) {
        calls.push(call)
        return answers.get(call.method)?.() ?? new Promise(() => {})
      },
      async end() {
        said.push('end')
      },
      onRefused(listener) {
        refuse = listener
      },
      close: () => void said.push('close'),
    }
    return {
      link,
      calls,
      said,
      proposed: () => proposed,
      isReached: () => proposing.resolve(),
      refuses: (why: string) => refuse(why),
      approves(approved: RelaySession) {
        session = approved
        approving.resolve(approved)
      },
      rejects: (error: unknown) => approving.reject(error),
      has(present: RelaySession | undefined) {
        session = present
      },
      answers: (method: string, answer: () => Promise<unknown>) => void answers.set(method, answer),
    }
  }
  return {
    links,
    async open() {
      const made = makeFakeLink()
      links.push(made)
      return made.link
    },
  }
}

function start(changed: Partial<WalletConnectSettings> = {}) {
  const clock = makeFakeClock()
  const fake = makeFakeLinks()
  const connector = createWalletConnect({ ...settings, ...changed }, { clock, openLink: fake.open })
  const leaving = new AbortController()
  const uris: string[] = []
  const asker = { signal: leaving.signal, onUri: (said: string) => void uris.push(said) }
  const link = () => fake.links.at(-1) ?? expect.unreachable('no link is open')
  /** Settled or not, nothing of it is unhandled. */
  const begin = async () => {
    const connecting = connector.connect(asker)
    connecting.catch(() => {})
    await settle()
    return connecting
  }
  return {
    clock,
    connector,
    leaving,
    uris,
    asker,
    begin,
    link,
    links: fake.links,
    async waiting() {
      const connecting = { promise: begin() }
      connecting.promise.catch(() => {})
      await settle()
      link().isReached()
      await settle()
      return connecting
    },
    async connected(session = sessionOn(8453, 1)) {
      const connecting = begin()
      await settle()
      link().isReached()
      await settle()
      link().approves(session)
      return connecting
    },
  }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof LatchkeyError ? error.code : String(error)),
  )

test('emits the pairing URI, and connects when the user approves', async () => {
  const made = start()
  const { promise } = await made.waiting()
  expect(made.uris).toEqual([uri])
  expect(made.link().proposed()).toEqual([8453, 1])
  made.link().approves(sessionOn(1, 8453))
  expect(await promise).toEqual({ address, chainId: 8453, peer: { name: 'Phone' } })
})

test('connects a wallet on its own chain if it supports none of the requested ones', async () => {
  const made = start()
  expect(await made.connected(sessionOn(10))).toMatchObject({ address, chainId: 10 })
})

test('prefers the wanted account over an account on a wanted chain', async () => {
  const wanted = `0x${'2b'.repeat(20)}`
  const { begin, asker, link } = start()
  Object.assign(asker, { wanted: wanted.toUpperCase().replace('0X', '0x') })
  const connecting = begin()
  await settle()
  link().isReached()
  await settle()
  link().approves({
    ...sessionOn(8453),
    accounts: [
      { chainId: 8453, address },
      { chainId: 10, address: wanted },
    ],
  })
  expect(await connecting).toMatchObject({ address: wanted, chainId: 10 })
})

test('rejects a wallet without an account, and closes the link', async () => {
  const made = start()
  expect(await codeOf(made.connected(sessionOn()))).toBe('generic_connect_wallet_error')
  expect(made.link().said).toEqual(['end', 'close'])
})

test.each([
  [{ code: 5000, message: 'User rejected.' }, 'user_rejected_request'],
  [{ code: 4001, message: 'User rejected the request.' }, 'user_rejected_request'],
  [{ code: 5002, message: 'User rejected methods.' }, 'user_rejected_request'],
  [{ code: 5100, message: 'Unsupported chains.' }, 'unsupported_chain_id'],
  [{ code: 0, message: 'Proposal expired' }, 'client_request_timeout'],
  [new Error('Proposal expired'), 'client_request_timeout'],
  [{ code: 1, message: 'constructor' }, 'generic_connect_wallet_error'],
  [new Error('something'), 'generic_connect_wallet_error'],
  ['something', 'generic_connect_wallet_error'],
])('maps a proposal that fails with %j to %s', async (error, code) => {
  const made = start()
  const { promise } = await made.waiting()
  made.link().rejects(error)
  expect(await codeOf(promise)).toBe(code)
  expect(made.link().said).toEqual(['end', 'close'])
})

test('times out after ten seconds if the relay does not respond', async () => {
  const made = start()
  const failed = codeOf(made.connector.connect(made.asker))
  await made.clock.advance(9_999)
  expect(made.link().said).toEqual([])
  await made.clock.advance(1)
  expect(await failed).toBe('generic_connect_wallet_error')
  expect(made.uris).toEqual([])
  expect(made.link().said).toEqual(['close'])
})

test('rejects immediately if the relay rejects this app, before and after the proposal', async () => {
  const made = start()
  const failed = codeOf(made.connector.connect(made.asker))
  await settle()
  made.link().refuses('Unauthorized: invalid key')
  expect(await failed).toBe('generic_connect_wallet_error')
  expect(made.link().said).toEqual(['close'])
  const { promise } = await made.waiting()
  made.link().refuses('Unauthorized: origin not allowed')
  expect(await codeOf(promise)).toBe('generic_connect_wallet_error')
  expect(made.link().said).toEqual(['end', 'close'])
})

test('times out after five minutes without a phone', async () => {
  const made = start()
  const { promise } = await made.waiting()
  const failed = codeOf(promise)
  await made.clock.advance(299_999)
  expect(made.link().said).toEqual([])
  await made.clock.advance(1)
  expect(await failed).toBe('client_request_timeout')
  expect(made.link().said).toEqual(['end', 'close'])
})

test('cancels the proposal on abort, and leaves no timer', async () => {
  const made = start()
  const { promise } = await made.waiting()
  made.leaving.abort(new LatchkeyError('exited_auth_flow', 'Closed'))
  expect(await codeOf(promise)).toBe('exited_auth_flow')
  expect(made.link().said).toEqual(['end', 'close'])
  expect(made.clock.waiting()).toEqual([])
})

test('waits at most two seconds for a disconnect', async () => {
  const made = start()
  const { promise } = await made.waiting()
  Object.assign(made.link().link, { end: () => new Promise(() => {}) })
  made.leaving.abort()
  const failed = codeOf(promise)
  await made.clock.advance(2_000)
  expect(await failed).toBe('call_cancelled')
  expect(made.link().said).toEqual(['close'])
})

test('signs the unmodified message on the chain of the account', async () => {
  const made = start()
  await made.connected()
  made.link().answers('personal_sign', async () => '0xABcd')
  expect(await made.connector.sign('Grüße', address, made.asker)).toBe('0xABcd')
  expect(made.link().calls).toEqual([
    {
      chainId: 8453,
      method: 'personal_sign',
      params: ['0x4772c3bcc39f65', address],
      deadlineSeconds: 300,
    },
  ])
})

test.each([
  [() => Promise.reject({ code: 4001, message: 'no' }), 'user_rejected_request'],
  [() => Promise.reject({ code: 5000, message: 'no' }), 'user_rejected_request'],
  [() => Promise.reject({ code: 6000, message: 'User disconnected.' }), 'user_rejected_request'],
  [() => Promise.reject(new Error('Request expired. Please try again.')), 'client_request_timeout'],
  [() => Promise.resolve('signed'), 'generic_connect_wallet_error'],
  [() => Promise.resolve({ signature: '0xab' }), 'generic_connect_wallet_error'],
])('maps a failed signature (%s) to an error code', async (answer, code) => {
  const made = start()
  await made.connected()
  made.link().answers('personal_sign', answer)
  expect(await codeOf(made.connector.sign('text', address, made.asker))).toBe(code)
  expect(made.link().said).toEqual([])
})

test('times out after five minutes if the wallet does not answer a signature request', async () => {
  const made = start()
  await made.connected()
  const failed = codeOf(made.connector.sign('text', address, made.asker))
  await made.clock.advance(300_000)
  expect(await failed).toBe('client_request_timeout')
})

test('reuses the session after a rejected signature, without another link', async () => {
  const made = start()
  await made.connected()
  made.link().answers('personal_sign', () => Promise.reject({ code: 4001, message: 'no' }))
  await codeOf(made.connector.sign('text', address, made.asker))
  expect(await made.connector.connect(made.asker)).toEqual({
    address,
    chainId: 8453,
    peer: { name: 'Phone' },
  })
  expect(made.links).toHaveLength(1)
  expect(made.uris).toHaveLength(1)
})

test('rejects signatures after the wallet ended the session, and connects with another link', async () => {
  const made = start()
  await made.connected()
  const [first] = made.links
  made.link().has(undefined)
  expect(await codeOf(made.connector.sign('text', address, made.asker))).toBe('generic_connect_wallet_error')
  expect(await made.connected()).toMatchObject({ address })
  expect(made.links).toHaveLength(2)
  expect(made.uris).toHaveLength(2)
  expect(first?.said).toEqual(['end', 'close'])
})

test('switches to a chain of the session without a request', async () => {
  const made = start()
  await made.connected(sessionOn(8453, 1))
  await made.connector.switchChain?.(1, made.asker)
  made.link().answers('personal_sign', async () => '0xab')
  await made.connector.sign('text', address, made.asker)
  expect(made.link().calls).toMatchObject([{ method: 'personal_sign', chainId: 1 }])
})

test('requests a switch to another chain, and signs on a chain of the session', async () => {
  const made = start()
  await made.connected(sessionOn(1))
  made.link().answers('wallet_switchEthereumChain', async () => null)
  made.link().answers('personal_sign', async () => '0xab')
  await made.connector.switchChain?.(137, made.asker)
  await made.connector.sign('text', address, made.asker)
  made.link().has(sessionOn(1, 137))
  await made.connector.sign('text', address, made.asker)
  expect(made.link().calls).toMatchObject([
    { method: 'wallet_switchEthereumChain', chainId: 1, params: [{ chainId: '0x89' }] },
    { method: 'personal_sign', chainId: 1 },
    { method: 'personal_sign', chainId: 137 },
  ])
})

test('rejects with unsupported_chain_id if the wallet refuses the chain or cannot switch', async () => {
  const made = start()
  await made.connected(sessionOn(1))
  made.link().answers('wallet_switchEthereumChain', () => Promise.reject({ code: 4902, message: 'no' }))
  expect(await codeOf(made.connector.switchChain?.(137, made.asker) ?? expect.unreachable())).toBe(
    'unsupported_chain_id',
  )
  made.link().has({ ...sessionOn(1), methods: ['personal_sign'] })
  expect(await codeOf(made.connector.switchChain?.(137, made.asker) ?? expect.unreachable())).toBe(
    'unsupported_chain_id',
  )
  expect(made.link().calls).toHaveLength(1)
})

test('ends the session and closes the link once on disconnect', async () => {
  const made = start()
  await made.connected()
  await made.connector.disconnect?.()
  await made.connector.disconnect?.()
  expect(made.link().said).toEqual(['end', 'close'])
})

test('closes the link if its code loads after the abort', async () => {
  const clock = makeFakeClock()
  const fake = makeFakeLinks()
  const code = Promise.withResolvers<void>()
  const connector = createWalletConnect(settings, {
    clock,
    openLink: () => code.promise.then(fake.open),
  })
  const leaving = new AbortController()
  const failed = codeOf(connector.connect({ signal: leaving.signal, onUri: () => {} }))
  leaving.abort()
  expect(await failed).toBe('call_cancelled')
  code.resolve()
  await settle()
  expect(fake.links.map(({ said }) => said)).toEqual([['close']])
})

test.each([
  ['https://wallet.example/app', 'https://wallet.example/app'],
  ['http://wallet.example/app', undefined],
  ['javascript:alert(1)', undefined],
  ['no link', undefined],
  [undefined, undefined],
])('returns the app link of a wallet only if it uses https: %j', async (said, link) => {
  const { connected } = start()
  const account = await connected({ ...sessionOn(8453), appLink: said })
  expect(account.appLink).toBe(link)
})
