/** Connects the capabilities: the contributions of each are ports of the others. */
import { LatchkeyError, unsupportedSiteKeyMessage } from '@latchkey/protocol'
import { loadScreen } from '../app/screen.ts'
import type { DialogServices } from '../app/services.ts'
import { loadable, loadWithRetries } from '../browser/loadable.ts'
import type { Stage } from '../flow/stage.ts'
import {
  type HostCallContext,
  type LogIn,
  methodNotFound,
  type NamedCall,
  serveByName,
} from '../host/host-calls.ts'
import type { HostFlows } from '../host/serve.ts'
import { getHostMethods, requiresCaptcha } from '../host/settings.ts'
import type { Language } from '../i18n/languages.ts'
import type { Capability, CapabilityPorts, Contributions } from './capability.ts'
import { isOn, type OfferedMethod } from './login.ts'

export type Dialog = HostFlows & {
  /** Preloads code that is likely to be needed. */
  loadFor: (whom: Capability['loadedFor']) => Promise<void>
  /** Sends unsolicited messages to the host page. Runs again after the host settings change. */
  meetPage: () => void
  /**
   * Resumes the post-login steps that a closed tab left undone, up to the first one that needs the user. Without a user,
   * runs the `onStart` contributions.
   */
  catchUp: () => Promise<void>
  runStandalone: () => Promise<void>
}

export type LoadCapabilities = () => Promise<readonly Capability[]>

/** `first` is present at once. `withUser` loads for a user, or with the first request for one of its contributions. */
export function createDialog(
  { first, withUser }: { first: readonly Capability[]; withUser: LoadCapabilities },
  { language, ...flowPorts }: DialogServices & { stage: Stage; language: () => Language },
): Dialog {
  const contributions = new Map<Capability, Contributions>()
  const everything = () => [...contributions.values()]
  const load = <T>(code: () => Promise<T>) => loadWithRetries(flowPorts.clock, code)
  const bringRest = loadable(async () => bring(await load(withUser))).load

  const logIn: LogIn = async (context) => required((each) => each.logIn)(context)
  async function callByName(asked: NamedCall, context: HostCallContext) {
    const part = await findAnywhere((each) =>
      each.hostCalls?.names.includes(asked.call) ? each.hostCalls : undefined,
    )
    if (!part) throw methodNotFound(asked.call)
    return serveByName({ ...part, load: () => load(part.load) }, asked, context)
  }
  async function findAnywhere<T>(pick: (one: Contributions) => T | undefined): Promise<T | undefined> {
    const contribution = find(pick)
    if (contribution !== undefined) return contribution
    await bringRest()
    return find(pick)
  }
  function find<T>(pick: (one: Contributions) => T | undefined): T | undefined {
    return everything()
      .map(pick)
      .find((picked) => picked !== undefined)
  }

  async function remedies() {
    await bringRest()
    const contributions = everything().map(({ remedies }) => remedies && load(remedies))
    return (await Promise.all(contributions)).flatMap((some) => some ?? [])
  }

  const ports: CapabilityPorts = {
    ...flowPorts,
    remedies,
    async captchaPass(card) {
      const pass = find((each) => each.captchaPass)
      if (pass) return pass(card)
      // The host page requires a captcha, but the app has no captcha key.
      if (requiresCaptcha(ports.settings()))
        throw new LatchkeyError('captcha_disabled', unsupportedSiteKeyMessage)
      return {}
    },
    async chooseRecovery(...given) {
      await bringRest()
      await required((each) => each.chooseRecovery)(...given)
    },
    async addFunds(...given) {
      await bringRest()
      await required((each) => each.addFunds)(...given)
    },
    payFromWallet: (...given) => required((each) => each.payFromWallet)(...given),
    makeWallet: (own) => required((each) => each.makeWallet)(own),
    confirmOnPage: {
      isPossible: () => required((each) => each.confirmOnPage).isPossible(),
      awaitDecision: (...given) => required((each) => each.confirmOnPage).awaitDecision(...given),
      explain: (card) => required((each) => each.confirmOnPage).explain(card),
    },
    connectedWallets: {
      find: (...given) => required((each) => each.connectedWallets).find(...given),
      ask: (...given) => required((each) => each.connectedWallets).ask(...given),
    },
    dapps: {
      list: () => required((each) => each.dapps).list(),
      end: (id) => required((each) => each.dapps).end(id),
      connect: (screens) => required((each) => each.dapps).connect(screens),
      onChange: (listener) => required((each) => each.dapps).onChange(listener),
    },
    async logInAgain(...given) {
      await bringRest()
      await required((each) => each.logInAgain)(...given)
    },
    async showNotices() {
      await bringRest()
      await required((each) => each.showNotices)()
    },
    refusals: {
      hasOwnScreen: (code) => refusals().hasOwnScreen(code),
      show: (card, error) => refusals().show(card, error),
      tell: (error) => refusals().tell(error),
    },
    loginMethods: () => [...listedMethods(), ...namedMethods()],
    loginMethod: (name) => listedMethods().find(({ method }) => method === name) ?? methodNamed(name),
    afterLogin: () => everything().flatMap(({ afterLogin = [] }) => afterLogin),
    account: () => everything().flatMap(({ account = [] }) => account),
    logIn,
    callByName: async (name, data, context) => (await callByName({ call: name, data }, context)) as never,
    load,
  }
  const getMethods = (capability: Capability) => contributions.get(capability)?.login?.filter(isOnHere) ?? []
  /** Code of disabled login methods is not loaded. */
  const isOnHere = (method: OfferedMethod) => isOn(flowPorts.settings().app, method)
  const listedMethods = () => everything().flatMap(({ login = [] }) => login)
  const methodsByName = new Map<string, OfferedMethod>()
  function methodNamed(name: string): OfferedMethod | undefined {
    const method = methodsByName.get(name) ?? find((each) => each.loginNamed?.(name))
    if (!method || methodsByName.has(name)) return method
    const loadedOnce = withCodeOnce(method)
    methodsByName.set(name, loadedOnce)
    return loadedOnce
  }
  const namedMethods = () =>
    [...new Set(getHostMethods(flowPorts.settings().config))].flatMap((name) => methodNamed(name) ?? [])
  const withCodeOnce = (one: OfferedMethod): OfferedMethod => ({
    ...one,
    load: loadable(() => load(one.load)).load,
  })
  const refusals = () => required((each) => each.refusals)
  function required<T>(pick: (one: Contributions) => T | undefined): T {
    const contribution = find(pick)
    if (contribution === undefined)
      throw new LatchkeyError('internal_error', 'No capability brings what this one needs')
    return contribution
  }
  function bring(capabilities: readonly Capability[]) {
    for (const capability of capabilities) {
      const { login, ...rest } = capability.bring(ports)
      const loadedOnce = login?.map(withCodeOnce)
      contributions.set(capability, { ...rest, ...(loadedOnce && { login: loadedOnce }) })
    }
  }
  bring(first)

  return {
    logIn,
    callByName,
    async loadFor(whom) {
      if (whom === 'users') await bringRest().catch(() => {})
      const preloaded = [...contributions.keys()].filter(
        (each) => each.loadedFor === whom && (contributions.get(each)?.login?.some(isOnHere) ?? true),
      )
      const loading = preloaded.flatMap((capability) => [
        contributions.get(capability)?.load?.(),
        ...getMethods(capability).map(async (method) => (await method.load()).loadEntry?.()),
        capability.screens?.().then((all) => Promise.all(all.map((each) => loadScreen(each, language())))),
      ])
      const ofPage = whom === 'visitors' ? namedMethods() : []
      const loadingNamed = ofPage.map(async (method) => (await method.load()).loadEntry?.())
      // Code that failed to load is requested again when it is needed.
      await Promise.allSettled([...loading, ...loadingNamed])
    },
    meetPage() {
      for (const each of everything()) each.meetPage?.().catch(() => {})
    },
    async catchUp() {
      if (ports.session.state().status !== 'authenticated') {
        for (const each of everything()) await each.onStart?.()
        return
      }
      await takeSilentSteps(ports)
    },
    async hostLogin() {
      await bringRest()
      return required((each) => each.hostLogin)()
    },
    async runStandalone() {
      await (await findAnywhere((each) => each.standalone))?.()
    },
    async resume(parameters) {
      await Promise.allSettled(everything().map((each) => each.resume?.(parameters)))
    },
  }
}

/** Takes the post-login steps that are due, up to the first one that needs the user. */
export async function takeSilentSteps({
  session,
  afterLogin,
}: Pick<CapabilityPorts, 'session' | 'afterLogin'>): Promise<void> {
  for (const step of afterLogin()) {
    const state = session.state()
    if (state.status !== 'authenticated') return
    if (!step.isDue(state.user)) continue
    if (!step.catchUp) return
    await step.catchUp()
  }
}
