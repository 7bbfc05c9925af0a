import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeFixture, watch } from '../../testing/fixture.ts'
import { walletAddress } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { connectDapp } from './connect-dapp.ts'
import type { Offer, Proposed } from './connections.ts'
import { refusals } from './refusals.ts'
import { uri } from './testing.ts'

const requester = { name: 'Tide Market', url: 'https://market.tides.example' }

async function start(proposed?: Proposed | Promise<Proposed>, change: Partial<Offer> = {}) {
  const fixture = await makeFixture({})
  const links: string[] = []
  const answers: string[] = []
  const offer: Offer = {
    requester,
    address: walletAddress,
    chainIds: [1, 8453],
    expiresAtMs: fixture.clock.nowMs() + 300_000,
    async accept() {
      answers.push('accept')
      return { id: 'session-1', ...requester, sinceMs: 0, lastUsedMs: undefined }
    },
    refuse: () => void answers.push('refuse'),
    ...change,
  }
  const call = connectDapp(fixture, {
    async propose(link) {
      links.push(link.uri)
      return (await proposed) ?? { is: 'offer', offer }
    },
  })
  const outcome = watch(fixture.stage.begin(call))
  const page = renderDialog(fixture)
  async function paste(link: string) {
    await page.type('Link', link)
    await page.press('Continue')
  }
  return { ...fixture, offer, answers, links, outcome, page, paste }
}

describe('the link of a dapp', () => {
  test.each([
    ['https://market.tides.example', /^This is not a WalletConnect link\./],
    ['wc:8a5e5bdc@1?bridge=b&key=41', /^This link is for version 1 /],
    [`${uri}&expiryTimestamp=1`, /^This link has expired\./],
  ])('is rejected with its problem, without a request: %s', async (link, problem) => {
    const { paste, page, links } = await start()
    await paste(link)
    await page.see(problem)
    expect(links).toEqual([])
    await page.type('Link', ' ')
    expect(page.has(problem)).toBe(false)
  })

  test('can be tried again if the dapp does not respond', async () => {
    const { paste, page, links } = await start({ is: 'problem', problem: 'silent' })
    await paste(uri)
    await page.see(/^The site did not respond\./)
    await page.press('Continue')
    await page.see(/^The site did not respond\./)
    expect(links).toEqual([uri, uri])
  })

  test('is paired once, even if the button is pressed twice', async () => {
    const { paste, page, links } = await start(new Promise(() => {}))
    await paste(uri)
    await page.see('Contacting the site')
    await page.press(/Continue|Contacting/)
    expect(links).toEqual([uri])
  })

  test('connects nothing if the user left before the dapp responded', async () => {
    const proposed = Promise.withResolvers<Proposed>()
    const { paste, page, outcome, offer, answers } = await start(proposed.promise)
    await paste(uri)
    await page.press('Cancel')
    expect(outcome).toMatchObject({ settled: true, value: undefined })
    proposed.resolve({ is: 'offer', offer })
    await settle()
    expect(answers).toEqual(['refuse'])
  })

  test('fails with the error of the wallet', async () => {
    const error = new LatchkeyError('embedded_wallet_not_found', 'No wallet')
    const proposed = Promise.withResolvers<Proposed>()
    const { paste, outcome } = await start(proposed.promise)
    await paste(uri)
    proposed.reject(error)
    await settle()
    expect(outcome.error).toBe(error)
  })
})

describe('a dapp that wants the wallet', () => {
  async function startOffer(change: Partial<Offer> = {}) {
    const fixture = await start(undefined, change)
    await fixture.paste(uri)
    await fixture.page.see('Connect your wallet?')
    return fixture
  }

  test('is shown with its claimed name and permissions, and is connected once the user agrees', async () => {
    const { page, answers, outcome } = await startOffer()
    expect(page.texts()).toContain('Tide Market')
    expect(page.texts()).toContain('Ethereum and Base')
    expect(page.texts().join(' ')).toContain('It says it is market.tides.example. Nobody has verified that')
    expect(answers).toEqual([])
    await page.press('Connect')
    expect(answers).toEqual(['accept'])
    expect(outcome).toMatchObject({ value: 'Tide Market' })
  })

  test.each(['Cancel', 'Close'])('is refused if the user presses %s', async (button) => {
    const { page, answers, outcome } = await startOffer()
    await page.press(button)
    expect(answers).toEqual(['refuse'])
    expect(outcome.settled).toBe(true)
  })

  test('has the call rejected if the user closes the dialog', async () => {
    const { page, outcome } = await startOffer()
    await page.press('Close')
    expect(outcome.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('can be connected until its offer expires, then with another link', async () => {
    const { page, clock, answers } = await startOffer()
    await clock.advance(299_999)
    expect(page.has('Connect your wallet?')).toBe(true)
    await clock.advance(1)
    await page.see('The site is no longer waiting')
    expect(document.activeElement?.textContent).toBe('The site is no longer waiting')
    expect(page.hasButton('Connect')).toBe(false)
    await page.press('Use another link')
    await page.see('Connect with a link')
    expect(answers).toEqual([])
  })

  test('is not refused once its offer has expired', async () => {
    const { page, clock, answers } = await startOffer()
    await clock.advance(300_000)
    await page.see('The site is no longer waiting')
    await page.press('Close')
    expect(answers).toEqual([])
  })

  test('is accepted once, and cannot be left or expire meanwhile', async () => {
    const accepted = Promise.withResolvers<Awaited<ReturnType<Offer['accept']>>>()
    let count = 0
    const { page, clock, outcome } = await startOffer({
      accept() {
        count += 1
        return accepted.promise
      },
    })
    await page.press('Connect')
    await page.see('Connecting')
    await page.press(/Connect/)
    expect(page.hasButton('Close')).toBe(false)
    expect(page.hasButton('Cancel')).toBe(false)
    await clock.advance(300_000)
    expect(page.has('Connecting')).toBe(true)
    accepted.resolve({ id: 'session-1', ...requester, sinceMs: 0, lastUsedMs: undefined })
    await settle()
    expect(outcome).toMatchObject({ value: 'Tide Market' })
    expect(count).toBe(1)
  })

  test('is not refused after the user accepted, even if the dialog is lost', async () => {
    const { page, stage, answers } = await startOffer({ accept: () => new Promise(() => {}) })
    await page.press('Connect')
    stage.lose(new LatchkeyError('channel_closed', 'The frame is gone'))
    await settle()
    expect(answers).toEqual([])
  })

  test('is reported as not connected if it does not respond', async () => {
    const { page, answers } = await startOffer({ accept: () => Promise.reject(new Error('No connection')) })
    await page.press('Connect')
    await page.see('The site was not connected')
    await page.press('Use another link')
    await page.see('Connect with a link')
    expect(answers).toEqual([])
  })

  test('reads which feature the wallet lacks', async () => {
    const { paste, page, outcome } = await start({
      is: 'impossible',
      requester,
      lack: 'chains',
      names: ['eip155:250'],
      refusal: refusals.chains,
    })
    await paste(uri)
    await page.see('It needs networks that this app does not support: eip155:250.')
    await page.press('Cancel')
    expect(outcome).toMatchObject({ settled: true, value: undefined })
  })
})
