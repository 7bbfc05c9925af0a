/** A key that goes to its user: what the dialog asks and hands on, and what it never has. */
import { LatchkeyError } from '@latchkey/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Noticed } from '../../core/gate.ts'
import { seenFrom, tapped } from '../../testing/approval.ts'
import { settle } from '../../testing/clock.ts'
import { loadDecision, makeApprovingPage, makeConfirmPage } from '../../testing/confirm-page.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { makeWorld, type World, type WorldOptions, watch } from '../../testing/world.ts'
import type { WalletChannel } from '../../wallet/frame.ts'

const screen = 'EMBEDDED_WALLET_KEY_EXPORT_SCREEN'
beforeAll(loadDecision)
/** The handle of what its user approved. */
const confirmation = 'h'.repeat(43)
const verify = 'MFA_VERIFY_CODE_SCREEN'

type Answers = { readonly [name: string]: (data: Record<string, unknown>) => unknown }

/** What the frame is asked by the flow itself, and tokens that say what they are for. */
function frameOf(answers: Answers = {}) {
  const asked: [name: string, data: Record<string, unknown>][] = []
  const tokens: unknown[] = []
  let step = 0
  const channel = {
    async call(name: string, data: Record<string, unknown>) {
      asked.push([name, data])
      return answers[name]?.(data) ?? (name === 'page:begin' ? { publicKey: 'key-of-the-page' } : {})
    },
  } as unknown as WalletChannel
  const wallet: WorldOptions['wallet'] = {
    async begin() {
      step = 0
      const nextStep = () => ({ id: 'operation_1', step: ++step })
      return { id: 'operation_1', publicKey: 'key-of-the-frame', channel, nextStep }
    },
    async tokenFor({ publicKey, nextStep }, purpose, address, { confirmation = null } = {}) {
      const operation = nextStep()
      tokens.push({ publicKey, purpose, address, confirmation: confirmation?.handle, step: operation.step })
      return {
        purpose,
        address,
        confirmation,
        askedAtMs: 0,
        data: { accessToken: `token-${operation.step}`, operation },
      }
    },
  }
  return { asked, tokens, wallet, names: () => asked.map(([name]) => name) }
}

async function world(frame = frameOf(), change: WorldOptions = {}, user = walletUser) {
  const { answers, capabilities } = makeApprovingPage()
  const made = await makeWorld({
    capabilities,
    ...change,
    answers: { logout: () => ({ success: true }), me: () => user, ...answers, ...change.answers },
    wallet: { ...frame.wallet, ...change.wallet },
  })
  made.session.accept(makeAuthAnswer({ user }))
  return made
}
async function come() {
  for (let turn = 0; turn < 10; turn += 1) await settle()
}
async function ask(made: World) {
  const exporting = watch(made.more('exportWallet', {}))
  await come()
  return exporting
}
async function notice(made: World, all: readonly Noticed[]) {
  for (const noticed of all) if (made.screen() === screen) await made.press(screen, 'notice', noticed)
  await come()
}
async function approve(made: World) {
  await made.press(screen, 'pageOpened', 'open')
  await come()
}
async function toReview(made: World) {
  const exporting = await ask(made)
  await made.clock.advance(1_000)
  await come()
  return exporting
}
const state = (made: World) => made.state(screen)

describe('an export', () => {
  // spec W2.25, W2.26, W2.27
  test('is approved, and then the page is shown that alone is given the key', async () => {
    const frame = frameOf()
    const made = await world(frame)
    const exporting = await toReview(made)
    expect(state(made)).toMatchObject({ status: 'review', address: walletAddress })
    expect(frame.asked).toEqual([])
    await approve(made)
    expect(state(made)).toEqual({
      status: 'page',
      address: walletAddress,
      pageUrl: 'https://wallet.example/export',
    })
    expect(frame.asked).toEqual([
      ['page:begin', { page: 'export' }],
      [
        'wallet:export',
        { accessToken: 'token-1', operation: { id: 'operation_1', step: 1 }, address: walletAddress },
      ],
    ])
    // The release is sealed to the page's key, and not to that of the frame.
    expect(frame.tokens).toEqual([
      { publicKey: 'key-of-the-page', purpose: 'export', address: walletAddress, confirmation, step: 1 },
    ])
    expect(exporting.settled).toBe(false)
    await made.press(screen, 'leave')
    expect(exporting.value).toEqual({})
    expect(made.view()?.open).toBe(false)
    const told = made.events.filter((name) => name === 'embedded_wallet_key_export_completed')
    expect(told).toHaveLength(1)
  })

  // spec W4.6
  test('stays at its connecting screen for a second from its start, however quick the wallet is', async () => {
    const made = await world()
    await ask(made)
    expect(made.wallet.log).toContain('connect')
    await made.clock.advance(999)
    await come()
    expect(state(made)).toMatchObject({ status: 'connecting' })
    await made.clock.advance(1)
    await come()
    expect(state(made)).toMatchObject({ status: 'review' })
  })

  test('on a device without its share recovers the wallet first', async () => {
    const made = await world(frameOf(), {
      wallet: {
        connect: async () => {
          throw new LatchkeyError('wallet_not_on_device', 'No share')
        },
      },
    })
    await toReview(made)
    expect(made.wallet.log).toContain('recover')
    expect(state(made)).toMatchObject({ status: 'review' })
  })

  // spec W6.1
  test('is not for a visitor, nor for a user without a wallet', async () => {
    const visitor = await makeWorld({})
    expect((await ask(visitor)).error).toMatchObject({ code: 'must_be_authenticated' })
    const without = await world(frameOf(), {}, visitorUser)
    expect((await ask(without)).error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })

  test('that is closed before it was approved is a refusal', async () => {
    const frame = frameOf()
    const made = await world(frame)
    const exporting = await toReview(made)
    await made.close()
    expect(exporting.error).toMatchObject({ code: 'user_rejected_request' })
    expect(frame.asked).toEqual([])
  })

  describe('on the page', () => {
    async function onPage() {
      const page = makeConfirmPage()
      const frame = frameOf()
      const { answers, capabilities } = page
      const made = await world(frame, {
        answers: { logout: () => ({ success: true }), me: () => walletUser, ...answers },
        capabilities,
      })
      const exporting = await toReview(made)
      expect(state(made)).toMatchObject({
        status: 'review',
        approval: { by: 'page', isReady: true, reason: 'browser' },
      })
      // What is pressed on the card approves nothing.
      await notice(made, [...seenFrom(0), ...tapped(710)])
      expect(frame.tokens).toEqual([])
      await made.press(screen, 'pageOpened', 'open')
      await come()
      expect(page.opened).toHaveLength(1)
      expect(made.screen()).toBe(confirmOnPageScreen)
      const decide = async (decision: Parameters<typeof page.decide>[0]) => {
        page.decide(decision)
        await made.clock.advance(1_000)
        await come()
      }
      return { made, frame, exporting, decide }
    }

    test('is approved on a page of its own, and goes on from there', async () => {
      const { made, frame, decide } = await onPage()
      await decide('approved')
      expect(state(made)).toMatchObject({ status: 'page' })
      expect(frame.tokens).toMatchObject([{ purpose: 'export', confirmation: 'h'.repeat(43) }])
    })

    test('is refused there as it is on the card', async () => {
      const { frame, exporting, decide } = await onPage()
      await decide('refused')
      expect(exporting.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
      expect(frame.tokens).toEqual([])
    })

    test('that nobody decided can be asked for again', async () => {
      const { made, decide } = await onPage()
      await decide('expired')
      expect(state(made)).toMatchObject({ status: 'failed' })
    })
  })

  test('that fails says so, can be tried again, and asks for another approval then', async () => {
    let tries = 0
    const frame = frameOf({
      'wallet:export': () => {
        tries += 1
        if (tries === 1) throw new LatchkeyError('share_mismatch', 'Another wallet')
      },
    })
    const made = await world(frame)
    const exporting = await toReview(made)
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'failed', problem: 'failed' })
    expect(exporting.settled).toBe(false)
    await made.press(screen, 'retry')
    await made.clock.advance(1_000)
    await come()
    expect(state(made)).toMatchObject({ status: 'review' })
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'page' })
  })

  test('that failed and is left is told with its cause', async () => {
    const frame = frameOf({
      'page:begin': () => {
        throw new LatchkeyError('frame_unresponsive', 'No page')
      },
    })
    const made = await world(frame)
    const exporting = await toReview(made)
    await approve(made)
    await made.close()
    expect(exporting.error).toMatchObject({
      code: 'unknown_embedded_wallet_error',
      details: { cause: 'frame_unresponsive' },
    })
  })

  test('is over when its user logs out', async () => {
    const made = await world()
    const exporting = await toReview(made)
    await approve(made)
    expect(state(made)).toMatchObject({ status: 'page' })
    await made.session.logout()
    await come()
    expect(made.view()?.open).toBe(false)
    expect(exporting.error).toMatchObject({ code: 'must_be_authenticated' })
  })
})

describe('the second factor of an export', () => {
  const verifiedUser = { ...walletUser, mfaMethods: [{ type: 'totp' as const, verifiedAt: 1 }] }

  // spec W4.21
  test('is asked for before there is a page, and is for the operation of the release', async () => {
    const frame = frameOf()
    const made = await world(frame, {}, verifiedUser)
    await toReview(made)
    await approve(made)
    expect(made.screen()).toBe(verify)
    expect(frame.asked).toEqual([])
    await made.press(verify, 'submit', '123456')
    await come()
    await made.clock.advance(10_000)
    await come()
    expect(frame.names()).toEqual(['mfa:verify', 'page:begin', 'wallet:export'])
    expect(frame.asked[0]?.[1]).toMatchObject({ mfaMethod: 'totp', mfaCode: '123456' })
    expect(frame.tokens).toEqual([
      { publicKey: 'key-of-the-frame', purpose: 'export', address: walletAddress, confirmation, step: 1 },
      { publicKey: 'key-of-the-page', purpose: 'export', address: walletAddress, confirmation, step: 2 },
    ])
    expect(state(made)).toMatchObject({ status: 'page' })
  })

  test('that was added elsewhere since is asked for when the server says so', async () => {
    let isVerified = false
    const frame = frameOf({
      'mfa:verify': () => {
        isVerified = true
      },
      'wallet:export': () => {
        if (!isVerified) throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
      },
    })
    const made = await world(frame, { answers: { me: () => verifiedUser } })
    await toReview(made)
    await approve(made)
    expect(made.screen()).toBe(verify)
    await made.press(verify, 'submit', '123456')
    await come()
    await made.clock.advance(10_000)
    await come()
    expect(state(made)).toMatchObject({ status: 'page' })
    expect(frame.names()).toEqual([
      'page:begin',
      'wallet:export',
      'mfa:verify',
      'page:begin',
      'wallet:export',
    ])
  })
})
