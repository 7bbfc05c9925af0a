import { LatchkeyError } from '@latchkey/protocol'
import { looked, seenFrom, tapped } from '@latchkey/protocol/browser/testing'
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import { beforeAll, describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import {
  confirmedIn,
  type Fixture,
  type FixtureOptions,
  makeFixture,
  refused,
  watch,
} from '../../testing/fixture.ts'
import { makeAuthAnswer, startSeconds, walletUser } from '../../testing/fixtures.ts'
import { type Page, renderDialog } from '../../testing/page.tsx'
import { capabilities } from '../index.ts'
import { confirmIn } from './confirm.ts'

beforeAll(() => import('./decision.ts'))

const confirmScreen = 'CONFIRM_ON_PAGE_SCREEN'
const message = 'I agree.'
const handle = 'h'.repeat(43)

async function fixture(change: FixtureOptions = {}, userAgent = 'Firefox/140.0') {
  const states: (ConfirmationState | LatchkeyError)[] = []
  const made = await makeFixture({
    answers: {
      logout: () => ({ success: true }),
      decideConfirmation: () => ({ state: 'refused' }),
      confirmationStatus() {
        const state = states.shift() ?? 'open'
        if (state instanceof LatchkeyError) throw state
        return { state }
      },
    },
    wallet: { confirm: async () => confirmedIn('page') },
    capabilities: [...capabilities.filter(({ name }) => name !== 'confirm'), confirmIn({ userAgent })],
    ...change,
  })
  made.session.accept(makeAuthAnswer({ user: walletUser }))
  const page = renderDialog(made)
  const signing = watch(made.signMessage({ message }))
  await settle()
  return { ...made, page, states, signing }
}
async function second(made: Pick<Fixture, 'clock'>) {
  await made.clock.advance(1_000)
  await settle()
}
async function openPage({ page }: { page: Page }, state: 'open' | 'unknown' = 'open') {
  await page.openWalletWindow(state)
  await settle()
}
const buttonHash = ({ page }: { page: Page }) => new URL(page.walletButtonUrl() ?? '').hash
const opened = 'Confirm on the page that opened'
const mayBeBlocked = /If you don’t see the page, your browser may have blocked it/
const failure = 'Unable to sign'

describe('a request that is confirmed on a page', () => {
  test('has only the wallet origin’s button, and is signed after the approval on the page that it opens', async () => {
    const made = await fixture()
    await made.page.see(/^This is more than you can approve here today/)
    expect(buttonHash(made)).toBe(`#${handle}`)
    // The card has no button that approves.
    expect(made.page.gate()).toBeUndefined()
    expect(made.wallet.log).not.toContain(`sign ${message}`)
    expect(made.transport.calls('confirmationStatus')).toEqual([])
    await openPage(made)
    // The request stays visible.
    await made.page.see(opened)
    expect(made.page.has(message)).toBe(true)
    expect(made.page.has(mayBeBlocked)).toBe(false)
    expect(made.wallet.log).toContain(`offer ${handle}`)
    expect(made.transport.calls('confirmationStatus').map(({ body }) => body)).toEqual([{ handle }])
    await second(made)
    expect(made.wallet.log).not.toContain(`sign ${message}`)
    made.states.push('approved')
    await second(made)
    expect(made.transport.calls('confirmationStatus')).toHaveLength(3)
    expect(made.wallet.log.at(-1)).toBe(`sign ${message}`)
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('is polled once if its page is opened twice, and is not requested again meanwhile', async () => {
    const puts: string[] = []
    const confirm = async () => {
      puts.push('put')
      return confirmedIn('page')
    }
    const made = await fixture({ wallet: { confirm } })
    await openPage(made)
    await openPage(made)
    expect(made.transport.calls('confirmationStatus')).toHaveLength(1)
    await made.clock.advance(270_000)
    await settle()
    expect(puts).toHaveLength(1)
  })

  test('rejects with 4001 if the user refuses on the page', async () => {
    const made = await fixture()
    await openPage(made)
    made.states.push('refused')
    await second(made)
    expect(made.signing.error).toMatchObject({
      code: 'user_rejected_request',
      message: 'The user rejected the request',
      details: { code: 4001 },
    })
    expect(made.wallet.log).not.toContain(`sign ${message}`)
  })

  test.each(['cancelPage', 'close'] as const)(
    'rejects with 4001 after %s on the card, and can no longer be confirmed on the page',
    async (by) => {
      const made = await fixture()
      await openPage(made)
      expect(made.transport.calls('decideConfirmation')).toEqual([])
      if (by === 'cancelPage') await made.page.press('Cancel')
      else await made.close()
      await settle()
      expect(made.signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
      await second(made)
      expect(made.transport.calls('confirmationStatus')).toHaveLength(1)
      const { digest } = confirmedIn('page')
      expect(made.transport.calls('decideConfirmation').map(({ body }) => body)).toEqual([
        { handle, digest, decision: 'refuse' },
      ])
    },
  )

  test('is offered to the window that the host page opened, which counts as open', async () => {
    const window = 'w'.repeat(43)
    const offered: unknown[] = []
    const made = await fixture({
      wallet: {
        confirm: async () => confirmedIn('page'),
        offer: async (each) => void offered.push(each),
      },
    })
    const typed = JSON.stringify({
      domain: {},
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: 'hello' },
    })
    await made.close()
    await second(made)
    const signing = watch(
      made.more('signTypedData', { data: typed }, { signal: new AbortController().signal, window }),
    )
    await settle()
    const { digest } = confirmedIn('page')
    expect(offered).toEqual([{ handle, digest, window }])
    await made.page.see(opened)
    expect(made.page.has(mayBeBlocked)).toBe(false)
    made.states.push('approved')
    await second(made)
    expect(signing.value).toMatchObject({ signature: expect.stringMatching(/^0x(?:5e)+$/) })
  })

  test('can be retried with another handle after it expired', async () => {
    const handles = ['a'.repeat(43), 'b'.repeat(43)]
    const confirm = async () => {
      const name = handles.shift() ?? handle
      return confirmedIn('page', { handle: name })
    }
    const made = await fixture({ wallet: { confirm } })
    await openPage(made)
    made.states.push('expired')
    await second(made)
    await made.page.see('It was not confirmed in time. Please try again.')
    await made.page.press('Try again')
    await settle()
    expect(buttonHash(made)).toBe(`#${'b'.repeat(43)}`)
  })

  test('fails after the server’s expiry, not earlier', async () => {
    const made = await fixture()
    await openPage(made)
    await made.clock.advance(299_000)
    await second(made)
    await made.page.see(opened)
    await second(made)
    await made.page.see(failure)
  })

  test('continues after a status call without a response', async () => {
    const made = await fixture()
    await openPage(made)
    made.states.push(new LatchkeyError('server_unreachable', 'No answer'), 'approved')
    await second(made)
    await made.page.see(opened)
    await second(made)
    expect(made.signing.settled).toBe(true)
  })

  test('shows that its window may be blocked, until a window is known to be open', async () => {
    const made = await fixture()
    await openPage(made, 'unknown')
    await made.page.see(mayBeBlocked)
    await openPage(made)
    await made.page.see(opened)
    expect(made.page.has(mayBeBlocked)).toBe(false)
  })

  test('continues if its window is reported as closed', async () => {
    const made = await fixture()
    await openPage(made)
    await made.page.openWalletWindow('closed')
    made.states.push('approved')
    await second(made)
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('has no wallet button in a browser inside an app, explains why, and rejects with a code', async () => {
    const made = await fixture({}, 'Mozilla/5.0 (iPhone) Instagram 300.0')
    await made.page.see('Continue to confirm')
    expect(made.page.walletButtonUrl()).toBeUndefined()
    await made.page.press('Continue to confirm')
    await settle()
    expect(made.screen()).toBe(confirmScreen)
    await made.page.pressText('Close')
    await settle()
    expect(made.signing.error).toMatchObject({ code: 'approval_required_elsewhere' })
  })
})

describe('a request that may be confirmed on the card', () => {
  test('ignores a press before the server’s decision', async () => {
    const placed = Promise.withResolvers<ReturnType<typeof confirmedIn>>()
    const made = await fixture({ wallet: { confirm: () => placed.promise } })
    await made.page.approve()
    expect(made.page.gate()).toBe('arming')
    placed.resolve(confirmedIn('frame'))
    await settle()
    expect(made.page.gate()).toBe('armed')
    await made.page.notice([looked(800), ...tapped(810)])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('ignores a press that began before the server’s decision', async () => {
    const placed = Promise.withResolvers<ReturnType<typeof confirmedIn>>()
    const made = await fixture({ wallet: { confirm: () => placed.promise } })
    await made.page.notice([...seenFrom(0), { type: 'down', by: 'touch', atMs: 710 }])
    placed.resolve(confirmedIn('frame'))
    await settle()
    await made.page.notice([looked(600), { type: 'press', atMs: 610 }])
    expect(made.wallet.log).not.toContain(`sign ${message}`)
    await made.page.notice([looked(900), ...tapped(910)])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('has no page before or after the server’s decision, and is approved on the card', async () => {
    const placed = Promise.withResolvers<ReturnType<typeof confirmedIn>>()
    const made = await fixture({ wallet: { confirm: () => placed.promise } })
    await made.page.see('Sign and continue')
    expect(made.page.walletButtonUrl()).toBeUndefined()
    placed.resolve(confirmedIn('frame'))
    await settle()
    expect(made.page.walletButtonUrl()).toBeUndefined()
    expect(made.transport.calls('confirmationStatus')).toEqual([])
    await made.page.approve()
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('is requested again half a minute before it expires', async () => {
    const puts: string[] = []
    const confirm = async () => {
      puts.push('put')
      return confirmedIn('frame', { expiresAtMs: startSeconds * 1_000 + puts.length * 300_000 })
    }
    const made = await fixture({ wallet: { confirm } })
    await made.clock.advance(269_999)
    expect(puts).toHaveLength(1)
    await made.clock.advance(1)
    expect(puts).toHaveLength(2)
  })

  test('moves to the page if the allowance was used up meanwhile', async () => {
    const places = ['frame', 'page'] as const
    let tries = 0
    const made = await fixture({
      wallet: {
        async confirm() {
          tries += 1
          return confirmedIn(places[tries - 1] ?? 'page')
        },
        signMessage: () => Promise.reject(refused('approval_required_elsewhere', 403)),
      },
    })
    await made.page.approve()
    await made.page.see('Continue to confirm')
    expect(made.page.gate()).toBeUndefined()
  })

  test('fails if the server reports used-up limits after the page’s approval', async () => {
    const made = await fixture({
      wallet: {
        confirm: async () => confirmedIn('page'),
        signMessage: () => Promise.reject(refused('approval_required_elsewhere', 403)),
      },
    })
    made.states.push('approved')
    await openPage(made)
    expect(made.signing.error).toMatchObject({ code: 'approval_required_elsewhere' })
  })

  test('can be retried if the server was unreachable', async () => {
    let isThere = false
    const made = await fixture({
      wallet: {
        async confirm() {
          if (!isThere) throw new LatchkeyError('server_unreachable', 'No answer')
          return confirmedIn('frame')
        },
      },
    })
    await made.page.see(failure)
    isThere = true
    await made.page.press('Try again')
    await made.page.see('Sign and continue')
  })
})

// spec W6.2
describe('a signature for a host without prompts', () => {
  const config = { embeddedWallets: { noPromptOnSignature: true } }

  test('resolves without a screen if the server allows it', async () => {
    const asked: unknown[] = []
    const made = await fixture({
      config,
      wallet: {
        async confirm(_address, _request, asker) {
          asked.push(asker?.place)
          return confirmedIn('silent')
        },
      },
    })
    expect(asked).toEqual(['silent'])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
    expect(made.views.filter(({ open }) => open)).toEqual([])
    expect(made.frame).toEqual([])
  })

  test.each(['frame', 'page'] as const)('shows a review if the server requires the %s', async (place) => {
    const asked: unknown[] = []
    const confirm: Fixture['wallet']['confirm'] = async (_address, _request, asker) => {
      asked.push(asker?.place)
      return confirmedIn(place)
    }
    const made = await fixture({ config, wallet: { confirm } })
    // The review uses the server's answer.
    expect(asked).toEqual(['silent'])
    await made.page.see('Sign message')
    expect(made.page.gate()).toBe(place === 'page' ? undefined : 'waiting')
    expect(made.signing.settled).toBe(false)
  })

  test('rejects without a screen if the silent signature fails', async () => {
    const made = await fixture({
      config,
      wallet: {
        confirm: async () => confirmedIn('silent'),
        signMessage: () => Promise.reject(new LatchkeyError('server_unreachable', 'No answer')),
      },
    })
    expect(made.signing.error).toMatchObject({ code: 'unable_to_sign' })
    expect(made.frame).toEqual([])
  })

  test('asks the user if the allowance is used up before the signature', async () => {
    const asked: unknown[] = []
    let tries = 0
    const made = await fixture({
      config,
      wallet: {
        async confirm(_address, _request, asker) {
          asked.push(asker?.place)
          return confirmedIn(asker?.place === 'silent' ? 'silent' : 'frame')
        },
        async signMessage() {
          tries += 1
          if (tries === 1) throw refused('approval_required_elsewhere', 403)
          return '0xsigned'
        },
      },
    })
    expect(asked).toEqual(['silent', 'frame'])
    await made.page.see('Sign and continue')
    expect(made.signing.settled).toBe(false)
    await made.page.approve()
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('requests a frame confirmation if the host wants prompts', async () => {
    const asked: unknown[] = []
    await fixture({
      wallet: {
        async confirm(_address, _request, asker) {
          asked.push(asker?.place)
          return confirmedIn('frame')
        },
      },
    })
    expect(asked).toEqual(['frame'])
  })
})
