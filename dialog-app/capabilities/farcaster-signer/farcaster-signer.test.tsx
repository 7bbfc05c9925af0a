/** Farcaster signer requests of a host page: the screens, and the calls to wallet and server. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, type FixtureOptions, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import type { WalletChannel } from '../../wallet/frame.ts'
import { capabilities } from '../index.ts'
import { farcasterSignerOn } from './farcaster-signer.ts'

const scan = 'Allow Demo to post to Farcaster'
const unexpected = 'Something went wrong. Please try again.'
const timeout = 'The request timed out. Try again.'
const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const key = `0x${'5a'.repeat(32)}`
const approvalUrl = 'https://farcaster.xyz/signer?token=1'
const hash = Buffer.alloc(20, 9).toString('base64url')
const account = (signerPublicKey?: string) => ({
  type: 'farcaster' as const,
  fid: 7,
  ownerAddress: '0x1',
  ...(signerPublicKey !== undefined && { signerPublicKey }),
  ...times,
})
const owner = (signerPublicKey?: string): UserRecord => ({
  ...walletUser,
  linkedAccounts: [...walletUser.linkedAccounts, account(signerPublicKey)],
})
const pending = { publicKey: key, status: 'pending_approval', signerApprovalUrl: approvalUrl }

type Status = 'pending_approval' | 'approved' | 'revoked'

function makeSigner(inits: readonly object[] = [pending]) {
  const asked: [name: string, data: Record<string, unknown>][] = []
  const tokens: unknown[] = []
  const left = [...inits]
  let status: Status = 'pending_approval'
  let failure: Error | undefined
  const channel = {
    async call(name: string, data: Record<string, unknown>) {
      asked.push([name, data])
      if (failure) throw failure
      if (name === 'farcaster:sign') return { hash, signature: 'A'.repeat(86) }
      return left.length > 1 ? left.shift() : left[0]
    },
  } as unknown as WalletChannel
  const wallet: FixtureOptions['wallet'] = {
    async runStep({ purpose, address }, run) {
      tokens.push([purpose, address])
      const data = { accessToken: `token of ${purpose}`, operation: { id: 'operation_1', step: 1 } }
      return run(channel, data, 'key-of-the-vault')
    },
  }
  const answers: Answers = {
    signerStatus: () => ({ publicKey: key, status, ...(status === 'approved' && { fid: 7 }) }),
    me: () => owner(status === 'approved' ? key : undefined),
  }
  return {
    asked,
    tokens,
    wallet,
    answers,
    now: (said: Status) => {
      status = said
    },
    failing: (error: Error | undefined) => {
      failure = error
    },
  }
}

type Options = { user?: UserRecord; answers?: Answers; onPhone?: boolean }
async function open(signer = makeSigner(), { user = owner(), answers = {}, onPhone = false }: Options = {}) {
  const own = farcasterSignerOn({ isPhone: onPhone })
  const fixture = await makeFixture({
    answers: { logout: () => ({ success: true }), ...signer.answers, ...answers },
    wallet: signer.wallet ?? {},
    capabilities: capabilities.map((each) => (each.name === 'farcaster-signer' ? own : each)),
  })
  fixture.session.accept(makeAuthAnswer({ user }))
  return {
    ...fixture,
    page: renderDialog(fixture),
    polls: () => fixture.transport.calls('signerStatus').length,
  }
}
async function request(signer = makeSigner(), options: Options = {}) {
  const fixture = await open(signer, options)
  const asking = watch(fixture.more('requestFarcasterSigner', {}))
  await settle()
  return { fixture, signer, asking, page: fixture.page }
}

describe('a request for a signer', () => {
  // spec L2.31, L3.28, L4.32, L7.22
  test('waits for the phone, polls every 2 s, and resolves when the account has the key', async () => {
    const { fixture, signer, asking, page } = await request()
    await page.see(scan)
    expect(page.link('Take me to Warpcast')).toBeUndefined()
    expect(signer.asked).toEqual([
      [
        'farcaster:init-signer',
        {
          accessToken: 'token of farcaster-signer',
          operation: { id: 'operation_1', step: 1 },
          address: walletAddress,
        },
      ],
    ])
    await fixture.clock.advance(1_999)
    expect(fixture.polls()).toBe(0)
    await fixture.clock.advance(1)
    expect(fixture.transport.calls('signerStatus')[0]?.body).toEqual({ ed25519PublicKey: key })
    await fixture.clock.advance(2_000)
    expect(fixture.polls()).toBe(2)
    signer.now('approved')
    await fixture.clock.advance(2_000)
    await settle()
    expect(asking.value).toEqual({ publicKey: key, fid: 7 })
    await page.see('Connected to Farcaster')
    await page.see('Demo can now post to your Farcaster account.')
    const state_ = fixture.session.state()
    expect(state_.status === 'authenticated' && state_.user).toEqual(owner(key))
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    await settle()
    expect(fixture.view()?.open).toBe(false)
  })

  test('links to the app on the same device', async () => {
    const { page } = await request(makeSigner(), { onPhone: true })
    await page.see(scan)
    expect(page.link('Take me to Warpcast')).toBe(approvalUrl)
  })

  // spec L4.32, L8.25
  test('shows that it expired after 300 s, and can be tried again', async () => {
    const { fixture, signer, asking, page } = await request()
    await fixture.clock.advance(299_000)
    await page.see(scan)
    await fixture.clock.advance(3_000)
    await page.see(timeout)
    expect(asking.settled).toBe(false)
    await page.press('Retry')
    await page.see(scan)
    signer.now('approved')
    await fixture.clock.advance(2_000)
    await settle()
    expect(asking.value).toEqual({ publicKey: key, fid: 7 })
  })

  // spec L3.28, L8.27
  test('shows a rejection, and rejects the call when the user leaves', async () => {
    const { fixture, signer, asking, page } = await request()
    signer.now('revoked')
    await fixture.clock.advance(2_000)
    await page.see('Request rejected')
    expect(page.hasButton('Retry')).toBe(true)
    await page.press('Close')
    expect(asking.error).toMatchObject({ code: 'user_rejected_request' })
  })

  // spec L8.26
  test('shows a failure, and rejects with its cause', async () => {
    const signer = makeSigner()
    signer.failing(new LatchkeyError('share_mismatch', 'Another wallet'))
    const { asking, page } = await request(signer)
    await page.see(unexpected)
    expect(page.hasButton('Retry')).toBe(true)
    await page.press('Close')
    expect(asking.error).toMatchObject({ code: 'unknown_auth_error', details: { cause: 'share_mismatch' } })
  })

  test('needs no second approval', async () => {
    const signer = makeSigner()
    signer.now('approved')
    const { fixture, asking } = await request(signer, { user: owner(key) })
    expect(asking.value).toEqual({ publicKey: key, fid: 7 })
    expect(signer.asked).toEqual([])
    expect(fixture.view()?.open).not.toBe(true)
  })

  test('creates another key if the account has revoked the first one', async () => {
    const next = `0x${'5b'.repeat(32)}`
    const signer = makeSigner([
      { publicKey: key, status: 'revoked' },
      { ...pending, publicKey: next },
    ])
    signer.now('revoked')
    const { page } = await request(signer, { user: owner(key) })
    expect(signer.asked).toHaveLength(2)
    await page.see(scan)
  })

  test('fails if the next key is revoked too, or has no address for its approval', async () => {
    const revoked = { publicKey: key, status: 'revoked' }
    for (const keys of [[revoked, revoked], [{ publicKey: key, status: 'pending_approval' }]]) {
      const { page, asking } = await request(makeSigner(keys))
      await page.see('Request rejected')
      await page.press('Close')
      expect(asking.error).toMatchObject({ code: 'user_rejected_request' })
    }
  })

  test('connects a key that is already approved when it is created', async () => {
    const { page, asking } = await request(makeSigner([{ publicKey: key, status: 'approved' }]))
    await page.see('Connected to Farcaster')
    expect(asking.value).toEqual({ publicKey: key, fid: 7 })
  })

  test('connects even if the user cannot be reloaded', async () => {
    const signer = makeSigner()
    const answers = { me: () => Promise.reject(refused('internal_error', 500)) }
    const { fixture, asking } = await request(signer, { answers })
    signer.now('approved')
    await fixture.clock.advance(20_000)
    expect(asking.value).toEqual({ publicKey: key, fid: 7 })
  })

  test.each([
    ['client_request_timeout', timeout, true],
    ['linked_account_not_found', unexpected, true],
    ['not_supported', 'Your wallet or this app cannot do this.', false],
    ['too_many_requests', 'Too many requests. Please wait before trying again.', false],
    ['user_rejected_request', 'The request was rejected. Please try again.', true],
  ] as const)('rejects with %s unchanged, after the user read its text', async (code, text, isRetryable) => {
    const signer = makeSigner()
    signer.failing(new LatchkeyError(code, 'Failed'))
    const { page, asking } = await request(signer)
    await page.see(text)
    expect(page.hasButton('Retry')).toBe(isRetryable)
    await page.press(isRetryable ? 'Close' : 'Go back')
    expect(asking.error).toMatchObject({ code })
  })

  test('rejects as refused if the user closes the card during a retry', async () => {
    const signer = makeSigner()
    signer.failing(new LatchkeyError('share_mismatch', 'Another wallet'))
    const { page, asking } = await request(signer)
    await page.see(unexpected)
    signer.failing(undefined)
    await page.press('Retry')
    await page.see(scan)
    await page.press('Close')
    expect(asking.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('continues to poll while the server is unreachable for a short time', async () => {
    let isThere = false
    const signer = makeSigner()
    const { fixture, asking } = await request(signer, {
      answers: {
        signerStatus: () => {
          if (!isThere) throw refused('unavailable', 503)
          return { publicKey: key, status: 'approved', fid: 7 }
        },
      },
    })
    await fixture.clock.advance(2_000)
    await settle()
    isThere = true
    await fixture.clock.advance(2_000)
    await settle()
    expect(asking.value).toEqual({ publicKey: key, fid: 7 })
  })

  test('is rejected if the card is closed, and stops polling', async () => {
    const { fixture, asking, page } = await request()
    await page.press('Close')
    expect(asking.error).toMatchObject({ code: 'user_rejected_request' })
    await fixture.clock.advance(10_000)
    expect(fixture.polls()).toBe(0)
  })

  test('recovers the wallet first on a device without a share', async () => {
    const signer = makeSigner()
    signer.failing(new LatchkeyError('wallet_not_on_device', 'No share'))
    const fixture = await open(signer)
    const asking = watch(fixture.more('requestFarcasterSigner', {}))
    await settle()
    expect(fixture.wallet.log).toContain('recover')
    await fixture.close()
    expect(asking.settled).toBe(true)
  })

  // spec L6.9, W6.1
  test.each<[string, UserRecord | undefined, string]>([
    ['a visitor', undefined, 'must_be_authenticated'],
    ['a user without a Farcaster account', walletUser, 'linked_account_not_found'],
    [
      'a user without a wallet',
      { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, account()] },
      'embedded_wallet_not_found',
    ],
  ])('is refused for %s', async (_name, user, code) => {
    const signer = makeSigner()
    const fixture = await open(signer, user ? { user, answers: { me: () => user } } : {})
    if (!user) await fixture.session.logout()
    const asking = [
      watch<unknown>(fixture.more('requestFarcasterSigner', {})),
      watch<unknown>(fixture.more('signFarcasterMessage', { hash })),
    ]
    await settle()
    expect(asking.map(({ error }) => error)).toMatchObject([{ code }, { code }])
    expect(signer.asked).toEqual([])
  })
})

describe('a Farcaster message', () => {
  test('is signed without a screen, for the account of the user', async () => {
    const signer = makeSigner()
    const fixture = await open(signer, { user: owner(key) })
    const signing = watch(fixture.more('signFarcasterMessage', { hash }))
    await settle()
    expect(signing.value).toEqual({ signature: 'A'.repeat(86) })
    expect(signer.asked.at(-1)).toMatchObject(['farcaster:sign', { payload: { hash }, fid: 7n }])
    expect(signer.tokens).toMatchObject([['farcaster-sign', expect.any(String)]])
    expect(fixture.view()?.open).not.toBe(true)
  })

  test('rejects with a reason if it cannot be signed', async () => {
    const signer = makeSigner()
    signer.failing(new LatchkeyError('not_found', 'No signer was approved'))
    const fixture = await open(signer, { user: owner() })
    const signing = watch(fixture.more('signFarcasterMessage', { hash }))
    await settle()
    expect(signing.error).toMatchObject({ code: 'unable_to_sign', details: { cause: 'not_found' } })
  })
})
