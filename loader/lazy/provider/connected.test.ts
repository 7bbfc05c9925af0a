import { LatchkeyError } from '@latchkey/protocol'
import { askWallet } from '@latchkey/protocol/host-page'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeClient, resolvedCalls } from '../../testing/client.ts'

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const relayed = {
  type: 'wallet',
  address,
  chainType: 'ethereum',
  chainId: 'eip155:10',
  walletClientType: 'rainbow',
  connectorType: 'wallet_connect',
}

beforeEach(() => vi.stubGlobal('document', Object.assign(new EventTarget(), { prerendering: false })))
afterEach(() => vi.unstubAllGlobals())

async function connected(data: typeof relayed = relayed) {
  const setup = makeClient()
  const received: string[] = []
  setup.handle.on('walletConnected', ({ wallet }) => received.push(`connected ${wallet.address}`))
  setup.handle.on('walletDisconnected', ({ wallet }) => received.push(`disconnected ${wallet.address}`))
  const connecting = setup.handle.connectWallet()
  const [asked] = await resolvedCalls(setup.opened[0])
  asked?.resolve({ wallet: data })
  const wallet = await connecting
  const last = async () => (await resolvedCalls(setup.opened[0])).at(-1)
  return { ...setup, received, wallet, last }
}

it('a connected wallet keeps its data, and has a provider and a disconnect method', async () => {
  const { wallet, received } = await connected()
  expect({ ...wallet }).toEqual(relayed)
  expect(JSON.parse(JSON.stringify(wallet))).toEqual(relayed)
  expect(wallet.meta).toEqual({ id: 'rainbow', name: 'rainbow' })
  expect(received).toEqual([`connected ${address}`])
  expect(await wallet.provider.request({ method: 'eth_accounts' })).toEqual([address])
  expect(await wallet.provider.request({ method: 'eth_chainId' })).toBe('0xa')
})

it('a relayed wallet signs through the dialog and returns its response', async () => {
  const { wallet, last } = await connected()
  const signing = wallet.provider.request({ method: 'personal_sign', params: ['0x6869', address] })
  const asked = await last()
  expect(asked).toMatchObject({
    name: 'moreForUser',
    data: {
      call: 'connectedWalletRequest',
      data: { address, method: 'personal_sign', params: ['0x6869', address] },
    },
  })
  asked?.resolve({ result: '0xabcd' })
  expect(await signing).toBe('0xabcd')
})

it('a relayed wallet emits the chain that it was switched to', async () => {
  const { wallet, last } = await connected()
  const chains: string[] = []
  wallet.provider.on('chainChanged', (chainId) => chains.push(chainId))
  const moving = wallet.provider.request({
    method: 'wallet_switchEthereumChain',
    params: [{ chainId: '0x2105' }],
  })
  ;(await last())?.resolve({ result: null })
  await moving
  expect(chains).toEqual(['0x2105'])
  expect(await wallet.provider.request({ method: 'eth_chainId' })).toBe('0x2105')
})

it('a relayed wallet rejects an unknown method with the message that libraries match', async () => {
  const { wallet, opened } = await connected()
  await expect(wallet.provider.request({ method: 'eth_getLogs' })).rejects.toMatchObject({
    code: -32_601,
    message: 'The method "eth_getLogs" does not exist / is not available.',
  })
  expect(opened[0]?.calls).toHaveLength(1)
})

it.each([
  [
    'the page disconnects it',
    async ({ wallet, last }: Awaited<ReturnType<typeof connected>>) => {
      const ending = wallet.disconnect()
      const asked = await last()
      expect(asked).toMatchObject({ name: 'more', data: { call: 'disconnectWallet', data: { address } } })
      asked?.resolve({})
      await ending
    },
  ],
  [
    'the dialog is lost',
    async ({ opened }: Awaited<ReturnType<typeof connected>>) => {
      opened[0]?.onLost(new LatchkeyError('frame_unresponsive', 'gone'))
    },
  ],
  [
    'the wallet has ended it',
    async ({ wallet, last }: Awaited<ReturnType<typeof connected>>) => {
      const asking = wallet.provider.request({ method: 'personal_sign', params: ['0x00', address] })
      ;(await last())?.reject(new LatchkeyError('channel_closed', 'It is no longer connected'))
      await expect(asking).rejects.toMatchObject({ code: 4900 })
    },
  ],
])('when %s, a wallet emits walletDisconnected once and rejects further requests', async (_, end) => {
  const setup = await connected()
  const { wallet, received } = setup
  let disconnects = 0
  wallet.provider.on('disconnect', ({ code }) => {
    expect(code).toBe(4900)
    disconnects += 1
  })
  await end(setup)
  expect(received).toEqual([`connected ${address}`, `disconnected ${address}`])
  expect(disconnects).toBe(1)
  await expect(wallet.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
})

it('a wallet of the page is called in the page, and has its announced name and icon', async () => {
  const request = vi.fn(async () => [address])
  const target = new EventTarget()
  for (const name of ['addEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, target[name].bind(target))
  vi.stubGlobal('ethereum', { request })
  await askWallet({ wallet: 'injected', method: 'eth_accounts', params: [] })
  const { wallet } = await connected({ ...relayed, walletClientType: 'metamask', connectorType: 'injected' })
  expect(wallet.meta).toEqual({ id: 'injected', name: 'Browser wallet' })
  expect(await wallet.provider.request({ method: 'eth_accounts' })).toEqual([address])
  expect(request).toHaveBeenCalledTimes(2)
})
