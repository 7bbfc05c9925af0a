import { LatchkeyError } from '@latchkey/protocol'
import type { ConfirmationToDecide } from '@latchkey/protocol/api'
import { hashMessage, hashTypedData, keccak256, serializeTransaction, sha256, stringToHex } from 'viem'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { loadPart } from '../../../core/screen.ts'
import { createStage } from '../../../core/stage.ts'
import type { View } from '../../../core/view.ts'
import { noHost } from '../../../host/serve.ts'
import { seenFrom, tapped } from '../../../testing/approval.ts'
import { chainUrl, makeFakeChain } from '../../../testing/chain.ts'
import { makeFakeClock, settle } from '../../../testing/clock.ts'
import { appConfig, solanaAddress, walletAddress } from '../../../testing/fixtures.ts'
import { pressIn } from '../../../testing/press.ts'
import { type Answers, makeFakeTransport, refused } from '../../../testing/world.ts'
import { confirmationPage, subjects } from '../../confirm-page.ts'
import { capabilities } from '../../index.ts'

// What the page asks for is there, so that its turns are those of the flow alone.
beforeAll(async () => {
  await Promise.all(Object.values(subjects).map((load) => load()))
  for (const { name, screens } of capabilities.filter((each) => 'screens' in each)) {
    if (!['confirm', 'send', 'sign'].includes(name)) continue
    await Promise.all((await screens()).map((each) => loadPart(each, 'en')))
  }
})

const handle = 'h'.repeat(43)
const message = 'I agree to share my observations.'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const unsigned = serializeTransaction({
  type: 'eip1559',
  chainId: 1,
  nonce: 7,
  to,
  value: 10n ** 17n,
  gas: 21_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
})
const ofMessage: ConfirmationToDecide = {
  state: 'open',
  request: { method: 'personal_sign', params: [stringToHex(message), walletAddress] },
  address: walletAddress,
  account: null,
  digest: hashMessage(message),
  reason: 'plain_message',
  usd: null,
  origin: 'https://app.example',
  expiresInSeconds: 300,
}
const ofTransaction: ConfirmationToDecide = {
  ...ofMessage,
  request: { method: 'eth_signTransaction', params: [unsigned, walletAddress] },
  digest: keccak256(unsigned),
  reason: 'beyond_allowance',
  usd: '250.00',
}

type Decision = { readonly digest: string; readonly decision: 'approve' | 'refuse' }

async function open(record: ConfirmationToDecide, change: Answers = {}) {
  const clock = makeFakeClock()
  const views: View[] = []
  const decisions: Decision[] = []
  const chain = makeFakeChain()
  const transport = makeFakeTransport({
    readConfirmation: () => record,
    decideConfirmation: ({ digest, decision }) => {
      decisions.push({ digest, decision })
      return { state: decision === 'approve' ? 'approved' : 'refused' }
    },
    ...change,
  })
  let leave = () => {}
  let isClosed = false
  const stage = createStage({
    clock,
    host: noHost,
    analytics: () => {},
    standalone: true,
    loading: {
      isLoaded: (screen) => screen.isLoaded('en'),
      load: (screen) => screen.load('en'),
    },
    setView: (view) => views.push(view),
  })
  const page = confirmationPage(
    {
      clock,
      transport,
      subjects,
      load: (code) => code(),
      settings: () => ({
        app: { ...appConfig, rpcUrls: { 1: [chainUrl] } },
        config: {},
        hostColorScheme: 'normal',
        ownOrigins: ['http://dialog.localhost:4000', 'http://wallet.localhost:4000'],
        viewport: undefined,
        hostOrigin: null,
        addresses: {},
      }),
      fetch: chain.fetch,
      onLeave: (run) => {
        leave = run
      },
      closePage: () => {
        isClosed = true
      },
    },
    handle,
  )
  stage.begin(page).catch(() => {})
  const come = async () => {
    for (let turn = 0; turn < 20; turn += 1) await settle()
  }
  await come()
  const screen = () => views.at(-1)?.screen
  return {
    clock,
    transport,
    chain,
    decisions,
    come,
    leave: async () => {
      leave()
      await come()
    },
    isClosed: () => isClosed,
    name: () => screen()?.name,
    state: () => screen()?.state,
    async press(event: string, ...values: readonly unknown[]) {
      const seen = screen()
      if (seen) pressIn(seen, event, values)
      await come()
    },
    async approve() {
      for (const noticed of [...seenFrom(0, { method: 'intersecting' }), ...tapped(710)]) {
        const seen = screen()
        if (seen && seen.name !== 'CONFIRMATION_PAGE') pressIn(seen, 'notice', [noticed])
      }
      await come()
    },
  }
}
const problem = (name: string) => ({ status: 'problem', problem: name })

describe('the page of a confirmation', () => {
  test('shows a message, who asks for it, and tells the server of the digest that it made', async () => {
    const page = await open(ofMessage)
    expect(page.state()).toMatchObject({
      status: 'review',
      content: { kind: 'message', message },
      address: walletAddress,
      origin: 'https://app.example',
      approval: { by: 'press', isOwnPage: true },
    })
    expect(page.transport.sent[0]).toEqual({ name: 'readConfirmation', body: { handle }, token: null })
    await page.approve()
    expect(page.decisions).toEqual([{ digest: hashMessage(message), decision: 'approve' }])
    expect(page.state()).toEqual({ status: 'approved' })
    await page.clock.advance(1_400)
    expect(page.isClosed()).toBe(true)
  })

  test.each([
    ['a character of private use', 'Logo \ue000'],
    ['a control character', 'Bell \u0000'],
    ['another line break', 'One\u0085two'],
    ['what begins as hex does', '0x616263'],
  ])('shows a message for a Solana wallet as it is: %s', async (_name, text) => {
    const digest = sha256(stringToHex(text))
    const page = await open({
      ...ofMessage,
      request: { method: 'signMessage', params: [text, solanaAddress] },
      address: solanaAddress,
      digest,
      reason: 'not_understood',
    })
    // The digest is of the browser, which takes its time.
    await vi.waitFor(() =>
      expect(page.state()).toMatchObject({
        status: 'review',
        content: { kind: 'message', message: text },
        address: solanaAddress,
      }),
    )
    await page.approve()
    expect(page.decisions).toEqual([{ digest, decision: 'approve' }])
    expect(page.state()).toEqual({ status: 'approved' })
  })

  test('has a subject for every request that the server confirms', () => {
    expect(Object.keys(subjects).sort()).toEqual([
      'delete-account',
      'eth_signTransaction',
      'eth_signTypedData_v4',
      'export',
      'personal_sign',
      'remove-method',
      'signMessage',
    ])
  })

  test('shows a transaction as it is signed, with what the server says it is worth', async () => {
    const page = await open(ofTransaction)
    expect(page.state()).toMatchObject({
      status: 'review',
      from: walletAddress,
      to,
      value: 10n ** 17n,
      usd: '250.00',
      // What the page has does not say whether it is sent from here.
      mayBeHandedOver: true,
      action: { kind: 'native-transfer' },
      prepared: { nonce: 7, gasLimit: 21_000n, mostFee: 21_000n * 3_000_000_000n, hasEnough: true },
    })
    await page.approve()
    expect(page.decisions).toEqual([{ digest: keccak256(unsigned), decision: 'approve' }])
  })

  test('shows typed data, whatever the browser can tell of what is seen', async () => {
    const data = {
      types: { EIP712Domain: [], Order: [{ name: 'count', type: 'uint256' }] },
      primaryType: 'Order',
      domain: {},
      message: { count: '5' },
    } as const
    const digest = hashTypedData(data as never)
    const page = await open({
      ...ofMessage,
      request: { method: 'eth_signTypedData_v4', params: [walletAddress, JSON.stringify(data), digest] },
      digest,
      reason: 'not_understood',
    })
    expect(page.state()).toMatchObject({ content: { kind: 'typed-data', findings: [{}, {}] } })
    await page.approve()
    expect(page.decisions).toEqual([{ digest, decision: 'approve' }])
  })

  test.each([
    [{ method: 'export', params: [walletAddress] }, 'export', `["export","${walletAddress}"]`],
    [{ method: 'delete-account', params: [] }, 'delete-account', '["delete-account"]'],
    [{ method: 'remove-method', params: ['totp'] }, 'remove-totp', '["remove-method","totp"]'],
    [{ method: 'remove-method', params: ['sms'] }, 'remove-sms', '["remove-method","sms"]'],
    [{ method: 'remove-method', params: ['passkey'] }, 'remove-passkey', '["remove-method","passkey"]'],
  ] as const)('says in words what is done with an account: %j', async (request, action, text) => {
    const digest = sha256(stringToHex(`latchkey/wallet-proof/account-action/1\n${text}`))
    const record = { ...ofMessage, request, digest, account: 'ada@example.org', reason: 'browser' } as const
    const page = await open(record as ConfirmationToDecide)
    // The digest is of the browser, which takes its time.
    await vi.waitFor(() =>
      expect(page.state()).toMatchObject({
        status: 'review',
        action,
        account: 'ada@example.org',
        address: walletAddress,
        origin: 'https://app.example',
        approval: { by: 'press', isOwnPage: true },
      }),
    )
    await page.approve()
    expect(page.decisions).toEqual([{ digest, decision: 'approve' }])
    expect(page.state()).toEqual({ status: 'approved' })
  })

  test('refuses by its button', async () => {
    const page = await open(ofMessage)
    await page.press('refuse')
    expect(page.decisions).toEqual([{ digest: ofMessage.digest, decision: 'refuse' }])
    expect(page.state()).toEqual({ status: 'refused' })
  })

  test('refuses by being left undecided, and says nothing more once it is decided', async () => {
    const left = await open(ofMessage)
    await left.leave()
    expect(left.decisions).toEqual([{ digest: ofMessage.digest, decision: 'refuse' }])
    const decided = await open(ofMessage)
    await decided.approve()
    await decided.leave()
    expect(decided.decisions).toEqual([{ digest: ofMessage.digest, decision: 'approve' }])
  })

  test.each([
    ['another digest than the server has', { ...ofMessage, digest: `0x${'00'.repeat(32)}` }],
    ['a digest of another transaction', { ...ofTransaction, digest: ofMessage.digest }],
  ])('has no button for %s, and refuses it', async (_name, record) => {
    const page = await open(record)
    expect(page.state()).toEqual(problem('changed'))
    await page.approve()
    expect(page.decisions).toEqual([{ digest: record.digest, decision: 'refuse' }])
  })

  test.each<[string, ConfirmationToDecide['request']]>([
    ['bytes that are no text', { method: 'personal_sign', params: ['0xff', walletAddress] }],
    [
      'typed data that others would make fit',
      { method: 'eth_signTypedData_v4', params: [walletAddress, '{}', ofMessage.digest] },
    ],
    [
      'a transaction with something after it',
      { method: 'eth_signTransaction', params: [`${unsigned}00`, walletAddress] },
    ],
    [
      'a transaction on a chain that the app has not',
      {
        method: 'eth_signTransaction',
        params: [serializeTransaction({ type: 'eip1559', chainId: 10, to, gas: 1n }), walletAddress],
      },
    ],
  ])('has no button for %s', async (_name, request) => {
    const page = await open({ ...ofMessage, request })
    expect(page.state()).toEqual(problem('unreadable'))
    expect(page.decisions).toEqual([])
  })

  test.each([
    ['expired', 'expired'],
    ['approved', 'decided'],
    ['refused', 'decided'],
    ['used', 'decided'],
  ] as const)('says of a request that is %s that there is nothing to decide', async (state, said) => {
    const page = await open(ofMessage, { readConfirmation: () => ({ state }) })
    expect(page.state()).toEqual(problem(said))
  })

  test('says so where the server has no such request', async () => {
    const readConfirmation = () => Promise.reject(refused('not_found', 404))
    expect((await open(ofMessage, { readConfirmation })).state()).toEqual(problem('unknown'))
  })

  test('expires while it is read', async () => {
    const page = await open({ ...ofMessage, expiresInSeconds: 20 })
    await page.clock.advance(19_999)
    expect(page.state()).toMatchObject({ status: 'review' })
    await page.clock.advance(1)
    expect(page.state()).toEqual(problem('expired'))
  })

  test('believes the server of what became of a press', async () => {
    const page = await open(ofMessage, { decideConfirmation: () => ({ state: 'expired' }) })
    await page.approve()
    expect(page.state()).toEqual(problem('expired'))
  })

  test('asks again where the server did not answer', async () => {
    let isThere = false
    const page = await open(ofMessage, {
      readConfirmation: () =>
        isThere ? ofMessage : Promise.reject(new LatchkeyError('server_unreachable', 'No answer')),
    })
    expect(page.state()).toEqual({ status: 'unreachable' })
    isThere = true
    await page.press('retry')
    expect(page.state()).toMatchObject({ status: 'review' })
  })
})
