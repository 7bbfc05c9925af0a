/** A key that goes to its user: what the dialog asks and hands on, and what it never has. */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { makeExportWindows } from '../../testing/wallet-windows/export-windows.ts'
import type { WalletChannel } from '../../wallet/frame.ts'

/** The handle of what its user approved. */
const confirmation = 'h'.repeat(43)
const first = '1'.padStart(43, 'e')
const second = '2'.padStart(43, 'e')
const asking = 'Transfer Wallet'
const shown = 'Your key is in the other window'
const failure = 'Your key could not be shown. Please try again.'

type Answers = { [name: string]: (data: Record<string, unknown>) => unknown }

/** Creates a wallet frame that records its calls, and tokens that name their purpose. */
function frameOf(answers: Answers = {}) {
  const asked: [name: string, data: Record<string, unknown>][] = []
  const tokens: unknown[] = []
  let step = 0
  const channel = {
    async call(name: string, data: Record<string, unknown>) {
      asked.push([name, data])
      return answers[name]?.(data) ?? {}
    },
  } as unknown as WalletChannel
  const wallet: FixtureOptions['wallet'] = {
    async begin() {
      step = 0
      const nextStep = () => ({ id: 'operation_1', step: ++step })
      return { id: 'operation_1', publicKey: 'key-of-the-frame', channel, nextStep }
    },
    async requestToken({ publicKey, window, nextStep }, purpose, address, { confirmation = null } = {}) {
      const operation = nextStep()
      tokens.push({
        publicKey,
        ...(window !== undefined && { window }),
        purpose,
        address,
        confirmation: confirmation?.handle,
        step: operation.step,
      })
      return {
        purpose,
        address,
        confirmation,
        requestedAtMs: 0,
        data: { accessToken: `token-${operation.step}`, operation },
      }
    },
  }
  return { asked, tokens, wallet, names: () => asked.map(([name]) => name) }
}

async function fixture(
  frame = frameOf(),
  change: FixtureOptions = {},
  user = walletUser,
  window = makeExportWindows(),
) {
  const put: unknown[] = []
  const decided: unknown[] = []
  const made = await makeFixture({
    capabilities: window.capabilities,
    ...change,
    answers: {
      logout: () => ({ success: true }),
      me: () => user,
      decideConfirmation(body) {
        decided.push(body)
        return { state: Object(body).decision === 'approve' ? 'approved' : 'refused' }
      },
      ...change.answers,
    },
    wallet: {
      ...frame.wallet,
      ...window.wallet,
      async confirm(address, request, { place } = {}) {
        put.push([address, request, place])
        return confirmedIn('page')
      },
      ...change.wallet,
    },
  })
  made.session.accept(makeAuthAnswer({ user }))
  return { ...made, page: renderDialog(made), window, put, decided }
}
type Made = Awaited<ReturnType<typeof fixture>>
async function ask(made: Made) {
  const exporting = watch(made.more('exportWallet', {}))
  await settle()
  return exporting
}
/** To the button that opens the window. */
async function toButton(made: Made) {
  const exporting = await ask(made)
  await made.clock.advance(1_000)
  await made.page.see(asking)
  return exporting
}
/** To the question in the window. */
async function toWindow(made: Made) {
  const exporting = await toButton(made)
  await made.page.openWalletWindow()
  made.window.come()
  await settle()
  return exporting
}
async function approve(made: Made) {
  made.window.approve()
  await settle()
}
const { digest } = confirmedIn('page')
const approved = { handle: confirmation, digest, decision: 'approve', statement: 'signed by the device' }
const refused = { handle: confirmation, digest, decision: 'refuse' }

describe('an export', () => {
  // spec W2.25, W2.26, W2.27
  test('is approved in a window of the wallet, and only its vault gets the key', async () => {
    const frame = frameOf()
    const made = await fixture(frame)
    const exporting = await toButton(made)
    await made.page.see(/^Never share your private key/)
    expect(made.window.opened()).toEqual([])
    await made.page.openWalletWindow()
    await made.page.see(/^Check the address of the window/)
    expect(made.window.begun).toEqual([{ window: first, address: walletAddress }])
    expect(made.put).toEqual([])
    made.window.come()
    await settle()
    // It is put when there is a window to say yes in.
    expect(made.put).toEqual([[walletAddress, { method: 'export', params: [walletAddress] }, 'page']])
    expect(made.window.confirmed).toEqual([{ window: first, handle: confirmation, digest }])
    expect(frame.asked).toEqual([])
    await approve(made)
    expect(made.decided).toEqual([approved])
    await made.page.see(shown)
    expect(frame.asked).toEqual([
      [
        'wallet:export',
        {
          accessToken: 'token-1',
          operation: { id: 'operation_1', step: 1 },
          address: walletAddress,
          window: first,
        },
      ],
    ])
    // The release is sealed to the window's key, and not to that of the frame.
    expect(frame.tokens).toEqual([
      {
        publicKey: 'key-of-the-window',
        window: first,
        purpose: 'export',
        address: walletAddress,
        confirmation,
        step: 1,
      },
    ])
    expect(exporting.settled).toBe(false)
    await made.page.press('Done')
    expect(exporting.value).toEqual({})
    expect(made.view()?.open).toBe(false)
    // The window goes with the card.
    expect(made.window.ended).toEqual([{ window: first }])
    const told = made.events.filter((name) => name === 'embedded_wallet_key_export_completed')
    expect(told).toHaveLength(1)
  })

  // spec W4.6
  test('shows the connecting screen for at least a second', async () => {
    const made = await fixture()
    await ask(made)
    expect(made.wallet.log).toContain('connect')
    await made.clock.advance(999)
    await made.page.see('Connecting your wallet')
    expect(made.page.has(/^Never share/)).toBe(false)
    await made.clock.advance(1)
    await made.page.see(/^Never share/)
  })

  test('recovers the wallet first on a device without a share', async () => {
    const made = await fixture(frameOf(), {
      wallet: {
        connect: async () => {
          throw new LatchkeyError('wallet_not_on_device', 'No share')
        },
      },
    })
    await toButton(made)
    expect(made.wallet.log).toContain('recover')
    await made.page.see(/^Never share/)
  })

  test.each([
    ['connected', 'share_mismatch', undefined],
    ['recovered', 'wallet_not_on_device', 'server_unreachable'],
  ] as const)('fails if the wallet cannot be %s (spec W8.13)', async (_how, connects, recovers) => {
    const rejects = (code: ErrorCode) => () => Promise.reject(new LatchkeyError(code, 'No'))
    const made = await fixture(frameOf(), {
      wallet: { connect: rejects(connects), ...(recovers && { recover: rejects(recovers) }) },
    })
    const exporting = await toButton(made)
    await made.page.see('Unable to recover wallet')
    await made.page.press('Close')
    expect(exporting.error).toMatchObject({ message: 'Unable to recover wallet' })
  })

  // spec W6.1
  test('is rejected for a visitor and for a user without a wallet', async () => {
    const visitor = await fixture()
    await visitor.session.logout()
    expect((await ask(visitor)).error).toMatchObject({ code: 'must_be_authenticated' })
    const without = await fixture(frameOf(), {}, visitorUser)
    expect((await ask(without)).error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })

  test('is rejected if the card is closed before the window opened', async () => {
    const made = await fixture()
    const exporting = await toButton(made)
    await made.page.press('Close')
    expect(exporting.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
    expect(made.put).toEqual([])
  })

  test('cannot be approved after the card was closed, and its window closes', async () => {
    const frame = frameOf()
    const made = await fixture(frame)
    const exporting = await toWindow(made)
    await made.page.press('Cancel')
    await settle()
    expect(exporting.error).toMatchObject({ code: 'user_rejected_request' })
    expect(made.decided).toEqual([refused])
    expect(made.window.ended).toEqual([{ window: first }])
    expect(frame.tokens).toEqual([])
  })

  test('is rejected if the window is closed before the approval', async () => {
    const frame = frameOf()
    const made = await fixture(frame)
    const exporting = await toWindow(made)
    made.window.close()
    await settle()
    expect(exporting.error).toMatchObject({ code: 'user_rejected_request' })
    expect(made.decided).toEqual([refused])
    expect(frame.tokens).toEqual([])
    expect(made.view()?.open).toBe(false)
  })

  test('ends when the window that showed the key is closed', async () => {
    const made = await fixture()
    const exporting = await toWindow(made)
    await approve(made)
    expect(exporting.settled).toBe(false)
    made.window.close()
    await settle()
    expect(exporting.value).toEqual({})
    expect(made.view()?.open).toBe(false)
  })

  test('shows nothing after a late approval, and can start again', async () => {
    const frame = frameOf()
    const made = await fixture(frame, { answers: { decideConfirmation: () => ({ state: 'expired' }) } })
    await toWindow(made)
    await approve(made)
    await made.page.see(failure)
    expect(frame.tokens).toEqual([])
    expect(made.window.ended[0]).toEqual({ window: first, problem: { code: 'client_request_timeout' } })
  })

  test('shows a failure on the card and in the window, and needs another approval in another window', async () => {
    let tries = 0
    const frame = frameOf({
      'wallet:export': () => {
        tries += 1
        if (tries === 1) throw new LatchkeyError('share_mismatch', 'Another wallet')
      },
    })
    const made = await fixture(frame)
    const exporting = await toWindow(made)
    await approve(made)
    await made.page.see(failure)
    expect(made.window.ended[0]).toEqual({ window: first, problem: { code: 'share_mismatch' } })
    expect(exporting.settled).toBe(false)
    await made.page.press('Try again')
    await made.clock.advance(1_000)
    await made.page.openWalletWindow()
    expect(made.window.opened()).toEqual([first, second])
    made.window.come()
    await settle()
    await approve(made)
    expect(made.put).toHaveLength(2)
    await made.page.see(shown)
  })

  test('rejects with the cause of a failure if the user closes the card', async () => {
    const frame = frameOf({
      'wallet:export': () => {
        throw new LatchkeyError('frame_unresponsive', 'No window')
      },
    })
    const made = await fixture(frame)
    const exporting = await toWindow(made)
    await approve(made)
    await made.page.press('Close')
    expect(exporting.error).toMatchObject({
      code: 'unknown_embedded_wallet_error',
      details: { cause: 'frame_unresponsive' },
    })
  })

  test('ends when the user logs out', async () => {
    const made = await fixture()
    const exporting = await toWindow(made)
    await approve(made)
    await made.page.see(shown)
    await made.session.logout()
    await settle()
    expect(made.view()?.open).toBe(false)
    expect(exporting.error).toMatchObject({ code: 'must_be_authenticated' })
    expect(made.window.ended).toEqual([{ window: first }])
  })
})

describe('the window of an export', () => {
  test('can be opened again after it was blocked, and the card waits for one window', async () => {
    const made = await fixture()
    await toButton(made)
    await made.page.openWalletWindow('unknown')
    await made.page.see(/^It should be open now/)
    await made.page.openWalletWindow()
    await made.page.see(/^Check the address of the window/)
    expect(made.window.ended).toEqual([])
    expect(made.window.opened()).toEqual([first])
  })

  test('can be opened again if it was reported as closed', async () => {
    const made = await fixture()
    await toButton(made)
    await made.page.openWalletWindow()
    await made.page.openWalletWindow('closed')
    await made.page.see('The window was closed.')
    made.window.come()
    await settle()
    await approve(made)
    await made.page.see(shown)
  })

  test('is not opened in a browser inside an app, and the call rejects with the reason', async () => {
    const window = makeExportWindows('Mozilla/5.0 [FBAN/FBIOS]')
    const made = await fixture(frameOf(), {}, walletUser, window)
    const exporting = await toButton(made)
    await made.page.see(/^A browser inside an app cannot open windows/)
    expect(made.page.walletButtonUrl()).toBeUndefined()
    await made.page.press('Close')
    expect(exporting.error).toMatchObject({ details: { cause: 'approval_required_elsewhere' } })
  })

  test('is not opened on a page that isolates its windows, and the call rejects with the reason', async () => {
    const made = await fixture(frameOf(), { app: { crossOriginOpenerPolicy: 'same-origin' } })
    const exporting = await toButton(made)
    await made.page.see(/^This page isolates its windows/)
    expect(made.page.walletButtonUrl()).toBeUndefined()
    await made.page.press('Close')
    expect(exporting.error).toMatchObject({
      code: 'unknown_embedded_wallet_error',
      details: { cause: 'not_supported' },
    })
  })
})

describe('the second factor of an export', () => {
  const verifiedUser = { ...walletUser, mfaMethods: [{ type: 'totp' as const, verifiedAt: 1 }] }
  const released = {
    publicKey: 'key-of-the-window',
    window: first,
    purpose: 'export',
    address: walletAddress,
  }

  async function enter(made: Made) {
    await renderDialog(made).type('Digit 1 of 6', '123456')
    await settle()
    await made.clock.advance(10_000)
    await settle()
  }

  // spec W4.21
  test('is verified on the card before the release, for its operation', async () => {
    const frame = frameOf()
    const made = await fixture(frame, {}, verifiedUser)
    await toWindow(made)
    await approve(made)
    expect(frame.asked).toEqual([])
    await enter(made)
    expect(frame.names()).toEqual(['mfa:verify', 'wallet:export'])
    expect(frame.asked[0]?.[1]).toMatchObject({ mfaMethod: 'totp', mfaCode: '123456' })
    expect(frame.tokens).toEqual([
      { publicKey: 'key-of-the-frame', purpose: 'export', address: walletAddress, confirmation, step: 1 },
      { ...released, confirmation, step: 2 },
    ])
    await made.page.see(shown)
  })

  test('is verified if the server reports a factor that was added in the meantime', async () => {
    let isVerified = false
    const frame = frameOf({
      'mfa:verify': () => {
        isVerified = true
      },
      'wallet:export': () => {
        if (!isVerified) throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
      },
    })
    const made = await fixture(frame, { answers: { me: () => verifiedUser } })
    await toWindow(made)
    await approve(made)
    await enter(made)
    await made.page.see(shown)
    expect(frame.names()).toEqual(['wallet:export', 'mfa:verify', 'wallet:export'])
  })
})
