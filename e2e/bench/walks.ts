/**
 * `npm run bench -- walks`: walks through each login method on the demo at human speed. Prints how long each
 * step takes, from the press to the next usable screen. Stores the rendered frames and a picture of each walk
 * in `.cache/walks`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Inbox, openInbox, openPhone } from '@latchkey/sandbox'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import { fullBrowser } from '../../scripts/local/chromium.ts'
import { HostPage } from '../pages/host-page.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { addDevice } from '../pages/passkey-device.ts'
import { PhoneEntry } from '../pages/phone-entry.ts'
import { installWallet } from '../pages/wallet.ts'
import { FarcasterPhones } from '../phones/farcaster.ts'
import { phoneWallet } from '../phones/wallet.ts'
import { appId, type Stack, startStack } from '../stack/stack.ts'
import { telegramOn } from '../stack/ways-in.ts'
import { collectStamps, type Moment, type Stamps } from './stamps.ts'
import { heading, plain } from './statistics.ts'

const folder = join(import.meta.dirname, '../../.cache/walks')
const settings = [
  ...['sms', 'wallet', 'passkey', 'farcaster'].map((method) => `${method}_auth=true`),
  ...['google', 'discord'].map((provider) => `${provider}_oauth=true`),
  ...telegramOn,
  'wallet_connect_cloud_project_id=0123456789abcdef0123456789abcdef',
]

/** Human reaction times. */
const human = { toButtonSteps: 25, restMs: 150, keyMs: 80, readingMs: 1_000 } as const
const viewport = { width: 1024, height: 768 }

type Frame = { atMs: number; jpeg: Buffer }
type Step = { name: string; fromMs: number; untilMs: number }

/** A walk through one login method. */
class Walk {
  readonly stack: Stack
  readonly page: Page
  readonly host: HostPage
  readonly #stamps: Stamps
  readonly frames: Frame[] = []
  readonly steps: Step[] = []
  /** The number of closed cards before this walk. */
  #freesBefore = 0

  constructor(stack: Stack, page: Page, stamps: Stamps) {
    this.stack = stack
    this.page = page
    this.host = new HostPage(page, stack)
    this.#stamps = stamps
  }

  /** Records every frame that the page renders from now on. */
  async begin() {
    this.#freesBefore = this.#stamps.count('free')
    await this.record(this.page)
  }

  async record(page: Page) {
    const tools = await page.context().newCDPSession(page)
    tools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      const atMs = (metadata.timestamp ?? 0) * 1_000
      this.frames.push({ atMs, jpeg: Buffer.from(data, 'base64') })
      // A page that closes accepts no acknowledgements.
      tools.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
    })
    await tools.send('Page.startScreencast', { format: 'jpeg', quality: 70, ...bounds })
  }

  /**
   * Runs an action and waits for its result. The step starts with the last press, unless `act` returns its
   * start.
   */
  async step(name: string, act: () => Promise<number | undefined>, next: Locator, last: Moment = 'clicked') {
    const began = await act()
    const untilMs = await readableAt(next)
    this.steps.push({ name, fromMs: began ?? this.#stamps.last(last), untilMs })
  }

  press = async (button: Locator): Promise<undefined> => {
    await button.waitFor()
    const box = await button.boundingBox()
    const page = button.page()
    if (box) {
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y, { steps: human.toButtonSteps })
    }
    await page.waitForTimeout(human.restMs)
    await button.click()
  }

  async type(text: string, page = this.page): Promise<undefined> {
    await page.keyboard.type(text, { delay: human.keyMs })
  }

  /** Waits until the card is gone and the page usable. */
  async untilFree(name: string) {
    const fromMs = this.steps.at(-1)?.untilMs ?? 0
    this.steps.push({ name, fromMs, untilMs: await this.#stamps.until('free', this.#freesBefore + 1) })
  }
}

const bounds = { maxWidth: viewport.width, maxHeight: viewport.height }

/** Returns when an element became readable: no ancestor is below half opacity. */
async function readableAt(next: Locator): Promise<number> {
  await next.waitFor({ timeout: 60_000 })
  return next.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const measure = () => {
          let opacity = 1
          for (let one: Element | null = element; one; one = one.parentElement) {
            opacity *= Number(getComputedStyle(one).opacity)
          }
          // An element that was replaced had been readable.
          if (opacity > 0.5 || !element.isConnected) resolve(performance.timeOrigin + performance.now())
          else requestAnimationFrame(measure)
        }
        measure()
      }),
  )
}

const title = (walk: Walk, name: RegExp) => walk.host.shown.getByRole('heading', { name })
const ready = /^(Welcome|All set!)$/

async function toLanding(walk: Walk) {
  await walk.step('Log in', () => walk.press(walk.host.byTestId('login')), walk.host.emailField)
}

/** Opens the row of a method that is not on LANDING itself. */
async function choose(walk: Walk, name: string, next: Locator) {
  const row = walk.host.methodRow(name)
  const others = walk.host.dialog.getByRole('button', { name: /^(Other socials|More options)$/ })
  await row.or(others).first().waitFor()
  if (!(await row.isVisible())) await walk.step('Other socials', () => walk.press(others), row)
  await walk.step(name, () => walk.press(row), next)
}

/** Types the six digits and waits for the end of the login. */
async function enterCode(walk: Walk, inbox: Inbox) {
  const code = await inbox.nextCode()
  await walk.page.waitForTimeout(human.readingMs)
  await walk.step('the last digit', () => walk.type(code), title(walk, ready), 'digit')
  await walk.untilFree('Welcome, until the page is free')
}

/** Confirms the person in the provider's window. */
async function confirmElsewhere(walk: Walk, name: string) {
  const opening = walk.page.waitForEvent('popup')
  const waiting = title(walk, /^Waiting for/)
  await choose(walk, name, waiting)
  const window = await opening
  const field = window.getByRole('textbox', { name: 'Somebody else' })
  await walk.step(`${name}, its own page`, async () => walk.steps.at(-1)?.fromMs, field)
  await walk.press(field)
  await walk.type('Mira of the walk', window)
  const go = window.getByRole('button', { name: 'Continue', exact: true })
  await walk.step(`Continue at ${name}`, () => walk.press(go), title(walk, /^(Connected to|Verifying)/))
  await walk.step('from there to Welcome', async () => walk.steps.at(-1)?.untilMs, title(walk, ready))
  await walk.untilFree('Welcome, until the page is free')
}

async function toWallets(walk: Walk, wallet: RegExp) {
  await toLanding(walk)
  const row = walk.host.dialog.getByRole('button', { name: wallet })
  const wallets = walk.host.dialog.getByRole('button', { name: 'Continue with a wallet' })
  await walk.step('Continue with a wallet', () => walk.press(wallets), row)
  return row
}

type Way = {
  /** Runs before the walk. */
  prepare?: (walk: Walk) => Promise<void>
  go: (walk: Walk) => Promise<void>
}

const ways: Readonly<Record<string, Way>> = {
  email: {
    async go(walk) {
      const inbox = openInbox(walk.stack.sandboxUrl)
      await toLanding(walk)
      await walk.type(inbox.address)
      const submit = walk.host.dialog.getByRole('button', { name: 'Submit e-mail address' })
      await walk.step('the address', () => walk.press(submit), walk.host.codeFields.first())
      await enterCode(walk, inbox)
    },
  },
  sms: {
    async go(walk) {
      const phone = openPhone(walk.stack.sandboxUrl)
      const entry = new PhoneEntry(walk.host)
      await toLanding(walk)
      const opener = walk.host.dialog.getByRole('button', { name: /^(Continue with SMS|SMS)/ })
      await entry.field.or(opener).first().waitFor()
      if (await opener.isVisible())
        await walk.step('Continue with SMS', () => walk.press(opener), entry.field)
      await walk.press(entry.field)
      await walk.type(phone.address.slice('+1'.length))
      await walk.step('the number', () => walk.press(entry.submit), walk.host.codeFields.first())
      await enterCode(walk, phone)
    },
  },
  google: {
    async go(walk) {
      await toLanding(walk)
      await confirmElsewhere(walk, 'Google')
    },
  },
  discord: {
    async go(walk) {
      await toLanding(walk)
      await confirmElsewhere(walk, 'Discord')
    },
  },
  telegram: {
    async go(walk) {
      await toLanding(walk)
      await confirmElsewhere(walk, 'Telegram')
    },
  },
  farcaster: {
    async go(walk) {
      await toLanding(walk)
      const code = walk.host.dialog.getByRole('img', { name: 'Code that opens your Farcaster app' })
      await choose(walk, 'Farcaster', code)
      const approve = async () => {
        await walk.page.waitForTimeout(human.readingMs)
        await new FarcasterPhones(walk.stack).phone('Mira of the walk')
        return Date.now()
      }
      await walk.step('approved on the phone', approve, title(walk, /^(Connected to|Verifying|Welcome)/))
      await walk.untilFree('from there, until the page is free')
    },
  },
  passkey: {
    async prepare({ page, host, stack }) {
      await addDevice(page)
      await host.openOneLine()
      await logInByEmail({ page, host, inbox: openInbox(stack.sandboxUrl) })
      const linked = await beginCall(page, 'linkPasskey')
      await host.dialog.getByRole('button', { name: 'Add new passkey' }).click()
      await linked()
      await host.dialogCloses()
      await page.evaluate('latchkey.logout()')
    },
    async go(walk) {
      await toLanding(walk)
      const entry = walk.host.dialog.getByRole('button', { name: /^I have a passkey/ })
      await walk.step('I have a passkey', () => walk.press(entry), title(walk, /^Success$/))
      await walk.untilFree('Success, until the page is free')
    },
  },
  'wallet of an extension': {
    async prepare({ page }) {
      await installWallet(page, { name: 'MetaMask', rdns: 'io.metamask' })
    },
    async go(walk) {
      const row = await toWallets(walk, /^MetaMask/)
      await walk.step('MetaMask', () => walk.press(row), title(walk, /^Successfully connected$/))
      await walk.untilFree('Successfully connected, until the page is free')
    },
  },
  'wallet on a phone': {
    prepare: ({ stack }) => phoneWallet(stack.sandboxUrl).reset(),
    async go(walk) {
      const phone = phoneWallet(walk.stack.sandboxUrl)
      const row = await toWallets(walk, /^WalletConnect/)
      const copy = walk.host.dialog.getByRole('button', { name: 'Copy the link in the code' })
      await walk.step('WalletConnect', () => walk.press(row), copy)
      const approve = async () => {
        await walk.page.waitForTimeout(human.readingMs)
        await phone.says('approve')
        return Date.now()
      }
      await phone.join((await copy.getAttribute('title')) ?? '')
      await walk.step('connected on the phone', approve, title(walk, /^Sign to verify$/))
      await walk.step('signed on the phone', approve, title(walk, /^Successfully connected$/))
      await walk.untilFree('Successfully connected, until the page is free')
    },
  },
}

export async function recordWalks(firstPort: number): Promise<void> {
  const stack = await startStack(firstPort, { scheme: 'http' })
  try {
    await walkThrough(stack)
  } finally {
    await stack.stop()
  }
}

async function walkThrough(stack: Stack) {
  await stack.app('set', appId, ...settings)
  rmSync(folder, { recursive: true, force: true })
  const browser = await chromium.launch({
    ...fullBrowser(),
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  })
  try {
    for (const [name, way] of Object.entries(ways)) {
      const context = await browser.newContext({ viewport })
      try {
        await recordWalk(stack, context, name, way, browser)
      } finally {
        await context.close()
      }
    }
  } finally {
    await browser.close()
  }
  console.log(`\nFrames and a picture of each walk: ${folder}`)
}

async function recordWalk(
  stack: Stack,
  context: BrowserContext,
  name: string,
  { prepare, go }: Way,
  browser: Browser,
) {
  const stamps = await collectStamps(context)
  const page = await context.newPage()
  const walk = new Walk(stack, page, stamps)
  await prepare?.(walk)
  await walk.host.open()
  await walk.host.byTestId('login').waitFor()
  await page.waitForLoadState('networkidle')
  await walk.begin()
  page.on('popup', (window) => void walk.record(window).catch(() => {}))
  heading(`Logging in: ${name}`)
  try {
    await go(walk)
  } finally {
    for (const step of walk.steps) plain(step.name, step.untilMs - step.fromMs, 'ms')
    await saveWalk(walk, join(folder, name.replaceAll(' ', '-')), browser)
  }
}

/** The number of frames shown per step: the first is the press, the last its result. */
const shownOfStep = 6

async function saveWalk({ frames, steps }: Walk, into: string, browser: Browser) {
  mkdirSync(into, { recursive: true })
  const [first] = frames
  for (const [position, { atMs, jpeg }] of frames.entries()) {
    const ms = Math.round(atMs - (first?.atMs ?? atMs))
    const file = `${String(position + 1).padStart(4, '0')}-${String(ms).padStart(6, '0')}ms.jpg`
    writeFileSync(join(into, file), jpeg)
  }
  /** The frame visible at a time is the last one rendered before it. */
  const seenAt = (atMs: number) => frames.findLast((frame) => frame.atMs <= atMs) ?? first
  const rows = steps.map(({ name, fromMs, untilMs }) => {
    const moments = Array.from(
      { length: shownOfStep },
      (_, at) => fromMs + ((untilMs + lastDrawnMs - fromMs) * at) / (shownOfStep - 1),
    )
    const pictures = moments.map((atMs) => {
      const data = seenAt(atMs)?.jpeg.toString('base64') ?? ''
      return `<figure><img src="data:image/jpeg;base64,${data}"><figcaption>${Math.round(atMs - fromMs)} ms</figcaption></figure>`
    })
    return `<h2>${name}: ${Math.round(untilMs - fromMs)} ms</h2><div>${pictures.join('')}</div>`
  })
  const sheet = await browser.newPage({ viewport: { width: 1_960, height: 600 } })
  await sheet.setContent(`<style>body{margin:16px;background:#e9e7e3;font:14px system-ui}h2{font-size:15px;margin:16px 0 6px}
    div{display:flex;gap:8px}figure{margin:0}img{display:block;width:312px}</style>${rows.join('')}`)
  await sheet.waitForFunction(() => [...document.images].every((image) => image.complete))
  await sheet.screenshot({ path: join(into, 'walk.png'), fullPage: true })
  await sheet.close()
}
/** The screencast delivers a frame shortly after it is shown. */
const lastDrawnMs = 250
