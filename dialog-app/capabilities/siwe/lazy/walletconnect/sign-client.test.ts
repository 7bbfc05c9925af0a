/** The connector with the official client, over real sockets to the relay and the phone of the sandbox. */
import { LatchkeyError } from '@latchkey/protocol'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { browserClock } from '../../../../browser/ports.ts'
import { makeFakeClock } from '../../../../testing/clock.ts'
import { startSandbox } from '../../../../walletconnect/testing/sandbox.ts'
import { openLink } from './sign-client.ts'
import { createWalletConnect, type WalletConnectSettings } from './walletconnect.ts'

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())
const connectors: ReturnType<typeof open>[] = []
afterEach(async () => {
  for (const connector of connectors.splice(0)) await connector.disconnect?.()
  await sandbox.fault('none')
})

const settings = (): WalletConnectSettings => ({
  appId: 'lkapp',
  projectId: '0123456789abcdef0123456789abcdef',
  relayUrl: sandbox.relayUrl,
  asker: { name: 'Fieldnotes', url: 'https://fieldnotes.example', icon: undefined },
  chainIds: [8453, 1],
})
const open = (changed: Partial<WalletConnectSettings> = {}, clock = browserClock) =>
  createWalletConnect({ ...settings(), ...changed }, { clock, openLink })

function start(changed: Partial<WalletConnectSettings> = {}, clock = browserClock) {
  const connector = open(changed, clock)
  connectors.push(connector)
  const leaving = new AbortController()
  const shown = Promise.withResolvers<string>()
  const connecting = connector.connect({ signal: leaving.signal, onUri: shown.resolve })
  connecting.catch(() => {})
  return { connector, leaving, connecting, shown: shown.promise, asker: { signal: leaving.signal } }
}
async function connected() {
  const made = start()
  expect(await sandbox.phone.join(await made.shown)).toBe(204)
  await sandbox.phone.says('approve')
  return { ...made, account: await made.connecting }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof LatchkeyError ? error.code : String(error)),
  )

test('connects a phone, and returns a valid signature', async () => {
  const { connector, account, asker } = await connected()
  const { address } = await sandbox.phone.state()
  expect(account).toEqual({
    address,
    chainId: 8453,
    peer: { name: 'Sandbox phone' },
    appLink: 'https://phone.sandbox.example/app',
  })
  const message = 'fieldnotes.example wants you to sign in with your Ethereum account:\n…'
  const signing = connector.sign(message, account.address, asker)
  expect(await sandbox.phone.says('approve')).toMatchObject({ type: 'sign', message })
  const signature = await signing
  expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
  expect(await verifyMessage({ address: hexOf(account.address), message, signature: hexOf(signature) })).toBe(
    true,
  )
})

test('rejects with user_rejected_request for a rejected session and a rejected message', async () => {
  const { connecting, shown } = start()
  await sandbox.phone.join(await shown)
  await sandbox.phone.says('reject')
  expect(await codeOf(connecting)).toBe('user_rejected_request')

  const { connector, account, asker } = await connected()
  const signing = connector.sign('text', account.address, asker)
  signing.catch(() => {})
  await sandbox.phone.says('reject')
  expect(await codeOf(signing)).toBe('user_rejected_request')
})

test('requests another signature after a rejected one in the same session', async () => {
  const { connector, account, asker } = await connected()
  const first = connector.sign('text', account.address, asker)
  first.catch(() => {})
  await sandbox.phone.says('reject')
  await codeOf(first)
  const again = await connector.connect({ ...asker, onUri: () => expect.unreachable('it has joined') })
  expect(again).toEqual(account)
  const second = connector.sign('text', account.address, asker)
  await sandbox.phone.says('approve')
  expect(await second).toMatch(/^0x/)
})

test('switches to a chain that the phone supports, and rejects for an unsupported one', async () => {
  const { connector, account, asker } = await connected()
  const known = connector.switchChain?.(31_337, asker)
  await sandbox.phone.says('approve')
  await known
  const signing = connector.sign('text', account.address, asker)
  expect(await sandbox.phone.says('approve')).toMatchObject({ type: 'sign', chain: 'eip155:31337' })
  await signing
  const unknown = connector.switchChain?.(1_337, asker) ?? expect.unreachable()
  unknown.catch(() => {})
  await sandbox.phone.says('approve')
  expect(await codeOf(unknown)).toBe('unsupported_chain_id')
})

test('ends the session on the phone when the connector disconnects', async () => {
  const { connector } = await connected()
  expect((await sandbox.phone.state()).sessions).toMatchObject([{ name: 'Fieldnotes' }])
  await connector.disconnect?.()
  await expect.poll(async () => (await sandbox.phone.state()).sessions).toEqual([])
  await expect.poll(async () => (await sandbox.relay()).connections).toBe(1)
  expect(Object.keys(globalThis).filter((name) => /^_walletConnectCore_lkapp-\d+$/.test(name))).toEqual([])
})

test('rejects a pending request with user_rejected_request if the phone ends the session', async () => {
  const { connector, account, asker } = await connected()
  const signing = connector.sign('text', account.address, asker)
  signing.catch(() => {})
  await expect.poll(async () => (await sandbox.phone.state()).asked).toHaveLength(1)
  await sandbox.phone.leave()
  expect(await codeOf(signing)).toBe('user_rejected_request')
})

test('cancels the pairing on abort, so that a phone that joins later gets no request', async () => {
  const { connecting, shown, leaving } = start()
  const uri = await shown
  leaving.abort(new LatchkeyError('exited_auth_flow', 'Closed'))
  expect(await codeOf(connecting)).toBe('exited_auth_flow')
  // The remaining connection belongs to the phone.
  await expect.poll(async () => (await sandbox.relay()).connections).toBe(1)
  await sandbox.phone.join(uri)
  await expect.poll(sandbox.phone.state).toMatchObject({ asked: [], sessions: [] })
})

test.each([
  ['that is invalid', { projectId: 'nobody' }, 'none'],
  ['that is unknown to the relay', {}, 'unknown-project'],
])('rejects a project %s immediately', async (_, changed, fault) => {
  await sandbox.fault(fault)
  const { connecting } = start(changed)
  expect(await codeOf(connecting)).toBe('generic_connect_wallet_error')
})

test('times out if the relay is unreachable or refuses connections', async () => {
  const clock = makeFakeClock()
  const nobody = start({ relayUrl: 'ws://127.0.0.1:1' }, clock)
  await sandbox.fault('refuse')
  const refusing = start({}, clock)
  const codes = Promise.all([codeOf(nobody.connecting), codeOf(refusing.connecting)])
  // The timers start after the client's code has loaded.
  await expect.poll(() => clock.waiting().length).toBeGreaterThan(1)
  await expect.poll(() => passedUntilNothingWaits(clock, 1_000)).toBe(0)
  expect(await codes).toEqual(['generic_connect_wallet_error', 'generic_connect_wallet_error'])
})

test('does not reconnect an abandoned pairing while another wallet connects and signs', async () => {
  const clock = makeFakeClock()
  const projectId = 'f'.repeat(32)
  const { connecting, shown } = start({ projectId }, clock)
  await shown
  // Disconnecting closes the connection, and the client would reconnect.
  await sandbox.fault('refuse')
  const failed = codeOf(connecting)
  const { connections } = await sandbox.relay()
  await clock.advance(300_000)
  await expect.poll(async () => (await sandbox.relay()).connections, { interval: 10 }).toBe(connections - 1)
  await expect.poll(() => passedUntilNothingWaits(clock, 2_000)).toBe(0)
  expect(await failed).toBe('client_request_timeout')
  await sandbox.fault('none')
  const before = (await sandbox.relay()).attempts[projectId]
  const { connector, account, asker } = await connected()
  const signing = connector.sign('text', account.address, asker)
  await sandbox.phone.says('approve')
  await signing
  expect((await sandbox.relay()).attempts[projectId]).toBe(before)
})

test('times out when the pairing URI expires', async () => {
  const clock = makeFakeClock()
  const { connecting, shown } = start({}, clock)
  await shown
  const failed = codeOf(connecting)
  await clock.advance(300_000)
  await expect.poll(() => passedUntilNothingWaits(clock, 2_000)).toBe(0)
  expect(await failed).toBe('client_request_timeout')
})

async function passedUntilNothingWaits(clock: ReturnType<typeof makeFakeClock>, ms: number) {
  await clock.advance(ms)
  return clock.waiting().length
}

const hexOf = (text: string): `0x${string}` => `0x${text.replace(/^0x/, '')}`
