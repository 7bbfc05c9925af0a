import { LatchkeyError, type LoginMethod } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { defineCapability } from '../../../../contract/capability.ts'
import type { OfferedMethod } from '../../../../contract/login.ts'
import { definePart, type PartProps } from '../../../../flow/screen.ts'
import { settle } from '../../../../testing/clock.ts'
import {
  type Browser,
  type FixtureOptions,
  makeBrowser,
  makeFixture,
  watch,
} from '../../../../testing/fixture.ts'
import { visitorUser } from '../../../../testing/fixtures.ts'
import { pressIn, readCard } from '../../../../testing/read-screen.ts'
import { EmailEntry } from '../../../email/email-entry.tsx'
import { capabilities } from '../../../index.ts'
import type { ShownOption } from './options-view.tsx'

type Named = { name: string }
type NamedEvents = { choose: readonly [] }
const row = definePart({
  texts: async () => (await import('../../texts.arb')).texts,
  component: async () => (_: PartProps<Named, NamedEvents>) => null,
})

type Coming = {
  /** Resolves when one has come. */
  comes: (name: LoginMethod) => Promise<void>
  resumed: (name: LoginMethod) => void
  wallets: readonly string[]
}
const atOnce: Coming = { comes: async () => {}, resumed() {}, wallets: ['Rainbow', 'Metamask'] }

/** Methods that log in when they are chosen. */
const method = (
  { comes, resumed, wallets }: Coming,
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
      await comes(name)
      let chosen = 0
      const choose = () => {
        chosen += 1
        progress.refreshEntry()
        const login = { user: visitorUser, isNewUser: false, loginMethod: name, loginAccount: null }
        if (chosen > 1) progress.complete(login)
      }
      const shown = (what: string) =>
        progress.entry(row, { name: `${what}${'!'.repeat(chosen)}` }, { choose })
      return {
        entry: () => shown(name),
        ...(shows === 'wallets' && { rows: () => wallets.map(shown) }),
        resume: () => resumed(name),
      }
    },
  }),
})
const many = (coming: Coming) =>
  defineCapability({
    name: 'many',
    loadedFor: 'visitors',
    bring: () => ({
      login: [
        method(coming, 'google', 'googleOauth', 'row'),
        method(coming, 'apple', 'appleOauth', 'row'),
        method(coming, 'discord', 'discordOauth', 'row'),
        method(coming, 'github', 'githubOauth', 'row'),
        method(coming, 'wallet', 'walletAuth', 'wallets'),
        method(coming, 'passkey', 'passkeyAuth', 'link'),
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

async function atLanding(given: FixtureOptions = {}, coming: Partial<Coming> = {}) {
  const capabilities = [...others, many({ ...atOnce, ...coming })]
  const fixture = await makeFixture({ app: everything, ...given, capabilities })
  const login = watch(fixture.login())
  await settle()
  const name = (option: ShownOption) => {
    if (!('part' in option)) return option.says
    return ('draw' in option.part && (option.part.state as Partial<Named>).name) || option.key
  }
  async function choose(wanted: string) {
    const found = fixture.options().find((option) => name(option) === wanted)
    if (!found) throw new Error(`There is no ${wanted}`)
    if (!('part' in found)) await fixture.openOptions(found.opens)
    else if ('draw' in found.part) pressIn(found.part, 'choose', [])
    await settle()
  }
  return { fixture, login, choose, options: fixture.options, shown: () => fixture.options().map(name) }
}

describe('LANDING with many methods', () => {
  test('shows the first ones, and the rest in overflow views', async () => {
    const { shown, choose, fixture } = await atLanding()
    expect(shown()).toEqual(['email', 'google', 'apple', 'otherSocials', 'aWallet', 'passkey'])
    await choose('otherSocials')
    expect(fixture.screen()).toBe('LANDING/web2-overflow')
    expect(shown()).toEqual(['discord', 'github'])
  })

  // spec L2.24
  test('is shown again after Back from each overflow view', async () => {
    const { shown, choose, fixture } = await atLanding()
    const first = shown()
    for (const opener of ['otherSocials', 'aWallet']) {
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
    await choose('aWallet')
    expect(shown()).toEqual(['Rainbow', 'Metamask'])
    await choose('Rainbow')
    expect(shown()).toEqual(['Rainbow!', 'Metamask!'])
    await choose('Metamask!')
    expect(login.value).toMatchObject({ loginMethod: 'wallet' })
  })

  test('keeps a hidden view up to date', async () => {
    const { shown, choose, fixture } = await atLanding({
      config: { loginMethodsAndOrder: { primary: ['google'], overflow: ['apple', 'wallet'] } },
    })
    await choose('moreOptions')
    await choose('apple')
    await choose('aWallet')
    await choose('Rainbow')
    await fixture.back()
    expect(shown()).toEqual(['apple!', 'aWallet'])
    await fixture.back()
    expect(shown()).toEqual(['google', 'moreOptions'])
  })

  // spec L3.22
  test('starts with wallets if the host or, without its setting, the app requests it', async () => {
    const web3 = ['Rainbow', 'Metamask', 'email', 'google', 'apple', 'otherSocials', 'passkey']
    const first = async (options: FixtureOptions) => (await atLanding(options)).shown()
    expect(await first({ app: { ...everything, showWalletLoginFirst: true } })).toEqual(web3)
    expect(await first({ config: { appearance: { loginGroupPriority: 'web3-first' } } })).toEqual(web3)
    const both = { loginGroupPriority: 'web2-first' } as const
    const web2 = await first({
      app: { ...everything, showWalletLoginFirst: true },
      config: { appearance: both },
    })
    expect(web2[0]).toBe('email')
  })
})

const title = 'Log in or sign up'

describe('a button of LANDING', () => {
  // spec L2.18
  test("opens the overflow for 'More options'", async () => {
    const { shown, choose, fixture } = await atLanding({
      config: { loginMethodsAndOrder: { primary: ['google'], overflow: ['apple', 'discord'] } },
    })
    expect(readCard(fixture)).toEqual([title, 'More options'])
    expect(shown()).toEqual(['google', 'moreOptions'])
    await choose('moreOptions')
    expect(fixture.screen()).toBe('LANDING/more')
    expect(shown()).toEqual(['apple', 'discord'])
  })

  // spec L2.20, L2.22
  test("opens the web2-overflow view for 'Other socials'", async () => {
    const { shown, choose, fixture } = await atLanding({
      config: { loginMethods: ['google', 'apple', 'discord', 'github', 'email'] },
    })
    expect(readCard(fixture)).toEqual([title, 'Other socials'])
    expect(shown()).toEqual(['email', 'google', 'apple', 'otherSocials'])
    await choose('otherSocials')
    expect(fixture.screen()).toBe('LANDING/web2-overflow')
    expect(shown()).toEqual(['discord', 'github'])
  })

  // spec L2.19
  test.each([
    ['Continue with a wallet', 'web2-first', 'google aWallet', 'aWallet', 'one two three four five'],
    ['Other wallets', 'web3-first', 'one two three otherWallets google', 'otherWallets', 'four five'],
  ] as const)("that reads '%s' opens the wallet list", async (label, priority, first, button, listed) => {
    const { shown, choose, fixture } = await atLanding(
      { config: { loginMethods: ['google', 'wallet'], appearance: { loginGroupPriority: priority } } },
      { wallets: ['one', 'two', 'three', 'four', 'five'] },
    )
    expect(readCard(fixture)).toEqual([title, label])
    expect(shown().join(' ')).toBe(first)
    await choose(button)
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(readCard(fixture)).toEqual(['Choose a wallet'])
    expect(shown().join(' ')).toBe(listed)
  })
})

describe('the overflow methods of LANDING', () => {
  const stands = ['email', 'google', 'apple', 'otherSocials', 'aWallet', 'passkey']

  /** Opens LANDING with its own methods loaded. The overflow methods load only after `arrive()`. */
  async function whileItIsAway(options: Partial<Coming> = {}) {
    const idle: (() => void)[] = []
    const begun: LoginMethod[] = []
    const away = Promise.withResolvers<void>()
    const comes = async (name: LoginMethod) => {
      begun.push(name)
      if (['discord', 'github', 'wallet'].includes(name)) await away.promise
    }
    const landing = await atLanding({ whenIdle: (run) => void idle.push(run) }, { comes, ...options })
    const becomeIdle = () => {
      for (const run of idle.splice(0)) run()
    }
    async function arrive() {
      away.resolve()
      await settle()
    }
    return { ...landing, begun, becomeIdle, arrive, opening: landing.fixture.openingOptions }
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
    await choose('aWallet')
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(shown()).toEqual(['Rainbow', 'Metamask'])
  })

  test('load when their button is pressed, which shows progress and opens one view', async () => {
    const { shown, choose, arrive, opening, fixture } = await whileItIsAway()
    await choose('otherSocials')
    await choose('otherSocials')
    await choose('aWallet')
    expect([fixture.screen(), opening()]).toEqual(['LANDING', 'web2-overflow'])
    await arrive()
    expect(fixture.screen()).toBe('LANDING/web2-overflow')
    expect(shown()).toEqual(['discord', 'github'])
    await fixture.back()
    expect([fixture.screen(), opening()]).toEqual(['LANDING', undefined])
  })

  test('do not open their view if the user chose another method meanwhile', async () => {
    const { choose, arrive, login } = await whileItIsAway()
    await choose('otherSocials')
    await choose('apple')
    await choose('apple!')
    await arrive()
    expect(login.value).toMatchObject({ loginMethod: 'apple' })
  })

  test('show an error if they fail to load, and load with the next press', async () => {
    let isDown = true
    const comes = async (name: LoginMethod) => {
      if (isDown && name === 'github') throw new LatchkeyError('server_unreachable', 'Not now')
    }
    const { fixture, choose, shown, becomeIdle } = await whileItIsAway({ comes })
    becomeIdle()
    await settle()
    expect([fixture.screen(), shown()]).toEqual(['LANDING', stands])
    await choose('otherSocials')
    expect(fixture.screen()).toBe('ERROR_SCREEN')
    isDown = false
    await fixture.back()
    await choose('otherSocials')
    expect(shown()).toEqual(['discord', 'github'])
  })

  test('show the wallet method instead of an empty view if there are no wallets', async () => {
    const { choose, arrive, shown, fixture } = await whileItIsAway({ wallets: [] })
    await choose('aWallet')
    await arrive()
    expect(fixture.screen()).toBe('LANDING')
    expect(shown()).toEqual(['email', 'google', 'apple', 'otherSocials', 'wallet', 'passkey'])
  })

  test('exclude wallets if those come first, which load with LANDING', async () => {
    const { begun } = await whileItIsAway()
    expect(begun).not.toContain('wallet')
    const first: LoginMethod[] = []
    await atLanding(
      { app: { ...everything, showWalletLoginFirst: true }, whenIdle() {} },
      { comes: async (name) => void first.push(name) },
    )
    expect(first).toContain('wallet')
  })
})

describe('the method that this browser used last', () => {
  const marked = ({ options }: Awaited<ReturnType<typeof atLanding>>) =>
    options().flatMap((option) => (option.isLastUsed ? ['part' in option ? option.key : option.says] : []))
  /** Logs in with a method, on LANDING itself or in an overflow view. */
  async function logInWith(browser: Browser, ...way: readonly string[]) {
    const landing = await atLanding({ browser })
    expect(marked(landing)).toEqual([])
    for (const each of way) await landing.choose(each)
    await landing.choose(`${way.at(-1)}!`)
    const [loginMethod] = way.at(-1) === 'Rainbow' ? ['wallet'] : way.slice(-1)
    expect(landing.login.value).toMatchObject({ loginMethod })
  }
  const logInWithApple = (browser: Browser) => logInWith(browser, 'apple')

  test('is the only marked one at the next login', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    expect(marked(await atLanding({ browser }))).toEqual(['apple'])
  })

  test('comes first among the visible ones, and is marked as the last', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    const { shown, fixture } = await atLanding({ browser })
    expect(shown()).toEqual(['apple', 'email', 'google', 'otherSocials', 'aWallet', 'passkey'])
    expect(readCard(fixture)).not.toContain('Last used')
    const web3First = { appearance: { loginGroupPriority: 'web3-first' as const } }
    const other = await atLanding({ browser, config: web3First })
    expect(other.shown().slice(0, 3)).toEqual(['apple', 'Rainbow', 'Metamask'])
  })

  test('keeps its position if the host ordered the methods, but has the mark', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    const loginMethodsAndOrder = { primary: ['google', 'apple'], overflow: ['discord'] }
    const landing = await atLanding({ browser, config: { loginMethodsAndOrder } })
    expect(landing.shown()).toEqual(['google', 'apple', 'moreOptions'])
    expect(marked(landing)).toEqual(['apple'])
    const behind = { primary: ['google'], overflow: ['discord', 'apple', 'wallet'] }
    const other = await atLanding({ browser, config: { loginMethodsAndOrder: behind } })
    expect(readCard(other.fixture)).toEqual([title, 'More options', 'Last used'])
    await other.choose('moreOptions')
    expect(other.shown()).toEqual(['discord', 'apple', 'aWallet'])
    expect(marked(other)).toEqual(['apple'])
  })

  test('stays in its overflow view, and the button of that view has the mark too', async () => {
    const browser = makeBrowser()
    await logInWith(browser, 'otherSocials', 'github')
    const landing = await atLanding({ browser })
    expect(landing.shown()).toEqual(['email', 'google', 'apple', 'otherSocials', 'aWallet', 'passkey'])
    expect(marked(landing)).toEqual(['otherSocials'])
    expect(readCard(landing.fixture)).toEqual([title, 'Other socials', 'Last used', 'Continue with a wallet'])
    await landing.choose('otherSocials')
    expect(landing.shown()).toEqual(['discord', 'github'])
    expect(marked(landing)).toEqual(['github'])
  })

  test('marks the button for all wallets if it is a wallet, but not the button for the other wallets', async () => {
    const browser = makeBrowser()
    await logInWith(browser, 'aWallet', 'Rainbow')
    expect(marked(await atLanding({ browser }))).toEqual(['aWallet'])
    const config = { appearance: { loginGroupPriority: 'web3-first' as const } }
    const many = await atLanding({ browser, config }, { wallets: ['one', 'two', 'three', 'four', 'five'] })
    expect(many.shown()).toContain('otherWallets')
    expect(marked(many)).toEqual([])
    const ordered = await atLanding({
      browser,
      config: { loginMethodsAndOrder: { primary: ['google'], overflow: ['wallet'] } },
    })
    expect(marked(ordered)).toEqual(['moreOptions'])
    await ordered.choose('moreOptions')
    expect(marked(ordered)).toEqual(['aWallet'])
  })

  test('is marked in this app only', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    const app = { ...everything, id: 'lkdemo0000000000000000002' }
    expect(marked(await atLanding({ browser, app }))).toEqual([])
  })

  test('is not marked if it is the only method', async () => {
    const browser = makeBrowser()
    await logInWithApple(browser)
    expect(marked(await atLanding({ browser, config: { loginMethods: ['apple'] } }))).toEqual([])
  })
})

test('LANDING with fields alone has no options to lay out', async () => {
  const { fixture } = await atLanding({ config: { loginMethods: ['email'] } })
  const entries = fixture.state('LANDING').methods.entries()
  expect(entries.map((entry) => 'element' in entry && entry.element.type)).toEqual([EmailEntry])
})
