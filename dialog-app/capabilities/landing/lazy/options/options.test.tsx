import { LatchkeyError, type LoginMethod } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { defineCapability } from '../../../../contract/capability.ts'
import type { MethodInProgress, OfferedMethod } from '../../../../contract/login.ts'
import { type ShownElement, showElement } from '../../../../flow/screen.ts'
import { settle } from '../../../../testing/clock.ts'
import {
  type Browser,
  type FixtureOptions,
  makeBrowser,
  makeFixture,
  watch,
} from '../../../../testing/fixture.ts'
import { visitorUser } from '../../../../testing/fixtures.ts'
import { renderDialog } from '../../../../testing/page.tsx'
import { OptionRow } from '../../../../ui/group.tsx'
import { capabilities } from '../../../index.ts'
import { texts } from './texts.arb'

type Methods = {
  /** Resolves when the method has started. */
  start: (name: LoginMethod) => Promise<void>
  resumed: (name: LoginMethod) => void
  started: (progress: MethodInProgress) => void
  /** The wallets that are found, a row each. */
  wallets: readonly string[]
}
const startAtOnce: Methods = {
  start: async () => {},
  started() {},
  resumed() {},
  wallets: ['Rainbow', 'Metamask'],
}

/** A method that logs in when it is pressed. */
const loginMethod = (
  methods: Methods,
  name: LoginMethod,
  appSetting: OfferedMethod['appSetting'],
  shows: OfferedMethod['shows'],
): OfferedMethod => ({
  method: name,
  appSetting,
  shows,
  load: async () => ({
    account: { type: 'email', idOf: () => undefined, unlink: () => Promise.reject(new Error('Not here')) },
    loadEntry: async () => {},
    async start(progress) {
      await methods.start(name)
      if (shows === 'wallets') methods.started(progress)
      const login = { user: visitorUser, isNewUser: false, loginMethod: name, loginAccount: null }
      const row = (label: string): ShownElement =>
        showElement(<OptionRow label={label} onPress={() => progress.complete(login)} />, texts)
      return {
        entry: row(name),
        ...(shows === 'wallets' && {
          rows: () => methods.wallets.map((wallet) => ({ ...row(wallet), key: wallet })),
        }),
        resume: () => methods.resumed(name),
      }
    },
  }),
})
const manyMethods = (methods: Methods) =>
  defineCapability({
    name: 'many',
    loadedFor: 'visitors',
    bring: () => ({
      login: [
        loginMethod(methods, 'google', 'googleOauth', 'row'),
        loginMethod(methods, 'apple', 'appleOauth', 'row'),
        loginMethod(methods, 'discord', 'discordOauth', 'row'),
        loginMethod(methods, 'github', 'githubOauth', 'row'),
        loginMethod(methods, 'wallet', 'walletAuth', 'wallets'),
        loginMethod(methods, 'passkey', 'passkeyAuth', 'link'),
      ],
    }),
  })
const everything = {
  googleOauth: true,
  appleOauth: true,
  discordOauth: true,
  githubOauth: true,
  passkeyAuth: true,
  walletAuth: true,
}

const others = capabilities.filter(({ name }) => !['oauth', 'passkey', 'siwe'].includes(name))

const email = 'E-mail'
const lastUsed = 'Last used'

async function atLanding(options: FixtureOptions = {}, methods: Partial<Methods> = {}) {
  const capabilities = [...others, manyMethods({ ...startAtOnce, ...methods })]
  const fixture = await makeFixture({ app: everything, ...options, capabilities })
  const login = watch(fixture.login())
  const page = renderDialog(fixture)
  await settle()
  return {
    fixture,
    page,
    login,
    /** Presses a row or an opener. */
    choose: (label: string) => page.press(new RegExp(`^${label}`)),
    shown: () => page.controls().map(({ name }) => name),
    busy: () => page.controls().flatMap(({ name, isBusy }) => (isBusy ? [name] : [])),
    /** Returns the rows and openers with the mark of the last method. */
    marked: () => page.controls().flatMap(({ name, text }) => (text.includes(lastUsed) ? [name] : [])),
  }
}

describe('LANDING with many methods', () => {
  test('shows the first ones, and the rest in overflow views', async () => {
    const { shown, choose, fixture } = await atLanding()
    expect(shown()).toEqual([email, 'google', 'apple', 'Other socials', 'Continue with a wallet', 'passkey'])
    await choose('Other socials')
    expect(fixture.screen()).toBe('LANDING/web2-overflow')
    expect(shown()).toEqual(['discord', 'github'])
  })

  // spec L2.24
  test('is shown again after Back from each overflow view', async () => {
    const { shown, choose, fixture } = await atLanding()
    const first = shown()
    for (const opener of ['Other socials', 'Continue with a wallet']) {
      await choose(opener)
      expect(fixture.view()?.header.back).toBe(true)
      await fixture.back()
      expect(fixture.screen()).toBe('LANDING')
      expect(shown()).toEqual(first)
    }
  })

  // spec L2.23
  test('lists each wallet in its overflow view, where the user can choose one', async () => {
    const { shown, choose, login } = await atLanding()
    await choose('Continue with a wallet')
    expect(shown()).toEqual(['Rainbow', 'Metamask'])
    await choose('Metamask')
    expect(login.value).toMatchObject({ loginMethod: 'wallet' })
  })

  test('leads from one overflow view to the next, and back', async () => {
    const { shown, choose, fixture } = await atLanding({
      config: { loginMethodsAndOrder: { primary: ['google'], overflow: ['apple', 'wallet'] } },
    })
    await choose('More options')
    expect(shown()).toEqual(['apple', 'Continue with a wallet'])
    await choose('Continue with a wallet')
    expect(shown()).toEqual(['Rainbow', 'Metamask'])
    await fixture.back()
    expect(shown()).toEqual(['apple', 'Continue with a wallet'])
    await fixture.back()
    expect(shown()).toEqual(['google', 'More options'])
  })

  test('adds a wallet that is found later, without moving the focus', async () => {
    const wallets = ['Rainbow']
    const progress = Promise.withResolvers<MethodInProgress>()
    const { shown, page } = await atLanding(
      { app: { ...everything, showWalletLoginFirst: true } },
      { wallets, started: progress.resolve },
    )
    page.focus('Rainbow')
    wallets.push('Metamask')
    ;(await progress.promise).refreshRows()
    await page.see('Metamask')
    expect(shown().slice(0, 2)).toEqual(['Rainbow', 'Metamask'])
    expect(page.hasFocus('Rainbow')).toBe(true)
  })

  // spec L3.22
  test('starts with wallets if the host or, without its setting, the app requests it', async () => {
    const web3 = ['Rainbow', 'Metamask', email, 'google', 'apple', 'Other socials', 'passkey']
    const first = async (options: FixtureOptions) => (await atLanding(options)).shown()
    expect(await first({ app: { ...everything, showWalletLoginFirst: true } })).toEqual(web3)
    expect(await first({ config: { appearance: { loginGroupPriority: 'web3-first' } } })).toEqual(web3)
    const both = { loginGroupPriority: 'web2-first' } as const
    const web2 = await first({
      app: { ...everything, showWalletLoginFirst: true },
      config: { appearance: both },
    })
    expect(web2[0]).toBe(email)
  })
})

describe('a button of LANDING', () => {
  // spec L2.18
  test("opens the overflow for 'More options'", async () => {
    const { shown, choose, fixture } = await atLanding({
      config: { loginMethodsAndOrder: { primary: ['google'], overflow: ['apple', 'discord'] } },
    })
    expect(shown()).toEqual(['google', 'More options'])
    await choose('More options')
    expect(fixture.screen()).toBe('LANDING/more')
    expect(shown()).toEqual(['apple', 'discord'])
  })

  // spec L2.20, L2.22
  test("opens the web2-overflow view for 'Other socials'", async () => {
    const { shown, choose, fixture } = await atLanding({
      config: { loginMethods: ['google', 'apple', 'discord', 'github', 'email'] },
    })
    expect(shown()).toEqual([email, 'google', 'apple', 'Other socials'])
    await choose('Other socials')
    expect(fixture.screen()).toBe('LANDING/web2-overflow')
    expect(shown()).toEqual(['discord', 'github'])
  })

  // spec L2.19
  test.each([
    ['Continue with a wallet', 'web2-first', 'google,Continue with a wallet', 'one,two,three,four,five'],
    ['Other wallets', 'web3-first', 'one,two,three,Other wallets,google', 'four,five'],
  ] as const)("that reads '%s' opens the wallet list", async (label, priority, first, listed) => {
    const { shown, choose, fixture, page } = await atLanding(
      { config: { loginMethods: ['google', 'wallet'], appearance: { loginGroupPriority: priority } } },
      { wallets: ['one', 'two', 'three', 'four', 'five'] },
    )
    expect(shown().join()).toBe(first)
    await choose(label)
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    await page.see('Choose a wallet')
    expect(shown().join()).toBe(listed)
  })
})

describe('the overflow methods of LANDING', () => {
  const stands = [email, 'google', 'apple', 'Other socials', 'Continue with a wallet', 'passkey']

  /** Opens LANDING with its own methods loaded. The overflow methods load only after `arrive()`. */
  async function whileItIsAway(options: Partial<Methods> = {}) {
    const idle: (() => void)[] = []
    const begun: LoginMethod[] = []
    const away = Promise.withResolvers<void>()
    const start = async (name: LoginMethod) => {
      begun.push(name)
      if (['discord', 'github', 'wallet'].includes(name)) await away.promise
    }
    const landing = await atLanding({ whenIdle: (run) => void idle.push(run) }, { start, ...options })
    const becomeIdle = () => {
      for (const run of idle.splice(0)) run()
    }
    async function arrive() {
      away.resolve()
      await settle()
    }
    return { ...landing, begun, becomeIdle, arrive }
  }

  test('load when the browser is idle, without delaying LANDING', async () => {
    const resumed: LoginMethod[] = []
    const { shown, begun, becomeIdle, arrive, choose, fixture } = await whileItIsAway({
      resumed: (name) => void resumed.push(name),
    })
    expect(shown()).toEqual(stands)
    expect(begun.sort()).toEqual(['apple', 'google', 'passkey'])
    expect(resumed.sort()).toEqual(['apple', 'google', 'passkey'])
    becomeIdle()
    await settle()
    expect(begun).toHaveLength(6)
    await arrive()
    expect(shown()).toEqual(stands)
    expect(resumed).toHaveLength(6)
    await choose('Continue with a wallet')
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(shown()).toEqual(['Rainbow', 'Metamask'])
  })

  test('load when their button is pressed, which shows progress and opens one view', async () => {
    const { shown, choose, arrive, busy, fixture } = await whileItIsAway()
    await choose('Other socials')
    await choose('Other socials')
    await choose('Continue with a wallet')
    expect([fixture.screen(), ...busy()]).toEqual(['LANDING', 'Other socials'])
    await arrive()
    expect(fixture.screen()).toBe('LANDING/web2-overflow')
    expect(shown()).toEqual(['discord', 'github'])
    await fixture.back()
    expect([fixture.screen(), ...busy()]).toEqual(['LANDING'])
  })

  test('do not open their view if the user chose another method meanwhile', async () => {
    const { choose, arrive, login } = await whileItIsAway()
    await choose('Other socials')
    await choose('apple')
    await arrive()
    expect(login.value).toMatchObject({ loginMethod: 'apple' })
  })

  test('show an error if they fail to load, and load with the next press', async () => {
    let isDown = true
    const start = async (name: LoginMethod) => {
      if (isDown && name === 'github') throw new LatchkeyError('server_unreachable', 'Not now')
    }
    const { fixture, choose, shown, becomeIdle } = await whileItIsAway({ start })
    becomeIdle()
    await settle()
    expect([fixture.screen(), shown()]).toEqual(['LANDING', stands])
    await choose('Other socials')
    expect(fixture.screen()).toBe('ERROR_SCREEN')
    isDown = false
    await fixture.back()
    await choose('Other socials')
    expect(shown()).toEqual(['discord', 'github'])
  })

  test('show the wallet method instead of an empty view if there are no wallets', async () => {
    const { choose, arrive, shown, fixture } = await whileItIsAway({ wallets: [] })
    await choose('Continue with a wallet')
    await arrive()
    expect(fixture.screen()).toBe('LANDING')
    expect(shown()).toEqual([email, 'google', 'apple', 'Other socials', 'wallet', 'passkey'])
  })

  test('exclude wallets if those come first, which load with LANDING', async () => {
    const { begun } = await whileItIsAway()
    expect(begun).not.toContain('wallet')
    const first: LoginMethod[] = []
    await atLanding(
      { app: { ...everything, showWalletLoginFirst: true }, whenIdle() {} },
      { start: async (name) => void first.push(name) },
    )
    expect(first).toContain('wallet')
  })
})

describe('the method that this browser used last', () => {
  /** Logs in with a method, on LANDING itself or in an overflow view. */
  async function logInWith(browser: Browser, ...way: readonly string[]) {
    const landing = await atLanding({ browser })
    expect(landing.marked()).toEqual([])
    for (const each of way) await landing.choose(each)
    const [loginMethod] = way.at(-1) === 'Rainbow' ? ['wallet'] : way.slice(-1)
    expect(landing.login.value).toMatchObject({ loginMethod })
  }
  const logInWithApple = (browser: Browser) => logInWith(browser, 'apple')

  test('is the only marked one at the next login', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    expect((await atLanding({ browser })).marked()).toEqual(['apple'])
  })

  test('comes first among the visible ones, and is marked as the last', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    const { shown, marked } = await atLanding({ browser })
    expect(shown()).toEqual(['apple', email, 'google', 'Other socials', 'Continue with a wallet', 'passkey'])
    expect(marked()).toEqual(['apple'])
    const web3First = { appearance: { loginGroupPriority: 'web3-first' as const } }
    const other = await atLanding({ browser, config: web3First })
    expect(other.shown().slice(0, 3)).toEqual(['apple', 'Rainbow', 'Metamask'])
  })

  test('keeps its position if the host ordered the methods, but has the mark', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    const loginMethodsAndOrder = { primary: ['google', 'apple'], overflow: ['discord'] }
    const landing = await atLanding({ browser, config: { loginMethodsAndOrder } })
    expect(landing.shown()).toEqual(['google', 'apple', 'More options'])
    expect(landing.marked()).toEqual(['apple'])
    const behind = { primary: ['google'], overflow: ['discord', 'apple', 'wallet'] }
    const other = await atLanding({ browser, config: { loginMethodsAndOrder: behind } })
    expect(other.marked()).toEqual(['More options'])
    await other.choose('More options')
    expect(other.shown()).toEqual(['discord', 'apple', 'Continue with a wallet'])
    expect(other.marked()).toEqual(['apple'])
  })

  test('stays in its overflow view, and the button of that view has the mark too', async () => {
    const browser = makeBrowser()
    await logInWith(browser, 'Other socials', 'github')
    const landing = await atLanding({ browser })
    expect(landing.shown()).toEqual([
      email,
      'google',
      'apple',
      'Other socials',
      'Continue with a wallet',
      'passkey',
    ])
    expect(landing.marked()).toEqual(['Other socials'])
    await landing.choose('Other socials')
    expect(landing.shown()).toEqual(['discord', 'github'])
    expect(landing.marked()).toEqual(['github'])
  })

  test('marks the button for all wallets if it is a wallet, but not the button for the other wallets', async () => {
    const browser = makeBrowser()
    await logInWith(browser, 'Continue with a wallet', 'Rainbow')
    expect((await atLanding({ browser })).marked()).toEqual(['Continue with a wallet'])
    const config = { appearance: { loginGroupPriority: 'web3-first' as const } }
    const many = await atLanding({ browser, config }, { wallets: ['one', 'two', 'three', 'four', 'five'] })
    expect(many.shown()).toContain('Other wallets')
    expect(many.marked()).toEqual([])
    const ordered = await atLanding({
      browser,
      config: { loginMethodsAndOrder: { primary: ['google'], overflow: ['wallet'] } },
    })
    expect(ordered.marked()).toEqual(['More options'])
    await ordered.choose('More options')
    expect(ordered.marked()).toEqual(['Continue with a wallet'])
  })

  test('is marked in this app only', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    const app = { ...everything, id: 'lkdemo0000000000000000002' }
    expect((await atLanding({ browser, app })).marked()).toEqual([])
  })

  test('is not marked if it is the only method', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    expect((await atLanding({ browser, config: { loginMethods: ['apple'] } })).marked()).toEqual([])
  })
})

test('LANDING with fields alone has no options to lay out', async () => {
  const { shown } = await atLanding({ config: { loginMethods: ['email'] } })
  expect(shown()).toEqual([email])
})
