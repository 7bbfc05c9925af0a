import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { watch } from '../../testing/fixture.ts'
import { solanaAddress, visitorUser, walletAddress } from '../../testing/fixtures.ts'
import { openWallet, type Serve } from '../../testing/wallet.ts'

const signature = '5'.repeat(88)
const serve: Serve = (call) => {
  switch (call) {
    case 'solana-wallet:create':
      return { publicKey: solanaAddress, onDevice: true, user: visitorUser }
    case 'solana-wallet:rpc':
      return { publicKey: solanaAddress, response: { data: { signature } } }
    case 'solana-wallet:connect':
    case 'solana-wallet:recover':
      return { publicKey: solanaAddress }
    default:
      return {}
  }
}

test('runs each call as one step, with a token for its purpose and the wallet', async () => {
  const { wallet, steps, tokens, replaced } = openWallet(serve)
  const solana = await wallet.solana()
  expect(await solana.create()).toBe(solanaAddress)
  await solana.connect(solanaAddress)
  await solana.recover(solanaAddress)
  expect(await solana.signMessage(solanaAddress, 'hello')).toBe(signature)
  expect(steps().map(({ call }) => call)).toEqual([
    'solana-wallet:create',
    'solana-wallet:connect',
    'solana-wallet:recover',
    'solana-wallet:rpc',
  ])
  expect(tokens.map(({ purpose, address }) => [purpose, address])).toEqual([
    ['create', null],
    ['connect', solanaAddress],
    ['recover', solanaAddress],
    ['sign', solanaAddress],
  ])
  expect(steps().at(-1)?.data).toMatchObject({
    publicKey: solanaAddress,
    request: { method: 'signMessage', params: { message: 'hello' } },
  })
  expect(replaced).toEqual([visitorUser])
})

test('creates the address of an Ethereum wallet with a token for that wallet', async () => {
  const { wallet, steps, tokens } = openWallet(serve)
  const verification = { mfaMethod: 'totp', mfaCode: '123456' } as const
  const solana = await wallet.solana()
  expect(await solana.create({ ethereumAddress: walletAddress, verification })).toBe(solanaAddress)
  expect(tokens.map(({ purpose, address }) => [purpose, address])).toEqual([
    ['solana-address', walletAddress],
  ])
  expect(steps()[0]?.data).toMatchObject({ ethereumAddress: walletAddress, ...verification })
})

test('signs in with the fields, and has the message of these fields confirmed', async () => {
  const { wallet, steps } = openWallet(serve)
  const fields = { domain: 'app.example', nonce: 'a1b2c3d4' }
  expect(await (await wallet.solana()).signIn(solanaAddress, fields)).toBe(signature)
  expect(steps().at(-1)?.data).toMatchObject({ request: { method: 'signIn', params: { signIn: fields } } })
})

test('signs a transaction in a step of its own request, and returns it signed', async () => {
  const { wallet, steps, confirmations } = openWallet((call, data) =>
    call === 'solana-wallet:rpc'
      ? { publicKey: solanaAddress, response: { data: { transaction: '0x02' } } }
      : serve(call, data),
  )
  expect(await (await wallet.solana()).signTransaction(solanaAddress, '0x01')).toBe('0x02')
  const method = 'solana_signTransaction'
  expect(confirmations).toMatchObject([{ request: { method, params: ['0x01', solanaAddress] } }])
  expect(steps().at(-1)?.data).toMatchObject({ request: { method, params: { transaction: '0x01' } } })
})

test('rejects the answer to another kind of request', async () => {
  const solana = await openWallet(serve).wallet.solana()
  await expect(solana.signTransaction(solanaAddress, '0x01')).rejects.toMatchObject({
    code: 'unable_to_sign',
  })
})

test('signs with the operation and token that were prepared during the review', async () => {
  const { wallet, names, tokens, confirmations } = openWallet(serve)
  const request = { method: 'signMessage', params: ['hello', solanaAddress] as [string, string] } as const
  const confirmation = await wallet.confirm(solanaAddress, request)
  wallet.prepareSign(solanaAddress, { confirmation })
  await settle()
  const before = tokens.length
  await (await wallet.solana()).signMessage(solanaAddress, 'hello', { confirmation })
  expect(confirmations).toHaveLength(1)
  expect(confirmations[0]).toMatchObject({ address: solanaAddress, request })
  expect(before).toBe(1)
  expect(tokens).toHaveLength(1)
  expect(names().filter((name) => name === 'operation:begin')).toHaveLength(1)
})

test('recovers a wallet that was created elsewhere in the meantime', async () => {
  const { wallet, steps } = openWallet((call, data) =>
    call === 'solana-wallet:create'
      ? { publicKey: solanaAddress, onDevice: false, user: null }
      : serve(call, data),
  )
  expect(await (await wallet.solana()).create()).toBe(solanaAddress)
  expect(steps().map(({ call }) => call)).toEqual(['solana-wallet:create', 'solana-wallet:recover'])
})

// spec W9.2
test('waits 15 s for the frame when creating a wallet', async () => {
  const { wallet, clock } = openWallet(serve, () => new Promise(() => {}))
  const solana = await wallet.solana()
  const creating = watch(solana.create())
  await clock.advance(14_999)
  expect(creating.settled).toBe(false)
  await clock.advance(1)
  expect(creating.error).toMatchObject({ code: 'frame_unresponsive' })
})

// spec W9.1
test('waits 30 s for the frame when signing', async () => {
  const { wallet, clock } = openWallet(serve, () => new Promise(() => {}))
  const solana = await wallet.solana()
  const signing = watch(solana.signMessage(solanaAddress, 'hello'))
  await clock.advance(29_999)
  expect(signing.settled).toBe(false)
  await clock.advance(1)
  expect(signing.error).toMatchObject({ code: 'frame_unresponsive' })
})

test('does not send a message that the server would accept as an address proof', async () => {
  const { wallet, names } = openWallet(serve)
  const solana = await wallet.solana()
  await expect(solana.signMessage(solanaAddress, 'latchkey/wallet-proof/1\n')).rejects.toBeInstanceOf(
    LatchkeyError,
  )
  expect(names()).toEqual([])
})
