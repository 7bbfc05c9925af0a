/**
 * The cross-app page, on which a user lets another app use their wallet and confirms its requests. It runs at
 * the top of its own window, with its own session, device key and vault, and refuses to run in a frame.
 */
import './cross-app.css'
import { product } from '@latchkey/protocol'
import { providerRoutes } from '@latchkey/protocol/api'
import { base64urlnopad } from '@scure/base'
import { pause, systemClock } from '../clock.ts'
import { name, version } from '../package.json' with { type: 'json' }
import { loadTexts } from '../pages/languages.ts'
import { readPageConfig } from '../pages/page.ts'
import {
  createProvenTransport,
  createPublicTransport,
  createTransport,
  prepareCall,
} from '../shares/transport.ts'
import { type VaultInputs, vaultOutputs } from '../vault/contract.ts'
import vaultUrl from '../vault/worker.ts?worker&url'
import { createVaultClient } from '../vault-client/client.ts'
import { createVaultStarter } from '../vault-client/worker.ts'
import { createAuthorize } from './authorize.ts'
import { createFlow } from './flow.ts'
import { notifyOpener } from './opener.ts'
import { createMemory, parseRequest } from './session/memory.ts'
import { createServerTime, createSession } from './session/session.ts'
import { pageTexts } from './texts.ts'
import { createTransact } from './transact.ts'
import { createView } from './view.ts'
import { createBringWallet } from './wallet/bring-wallet.ts'
import { createFactor } from './wallet/factor.ts'
import { createSteps } from './wallet/steps.ts'

/** How long to wait for the session lock, because the tab that holds it may hang. */
const lockMs = 30_000

async function start() {
  const { appId, dialogOrigin, apiOrigin, clouds, handover, clientId, analyticsId } = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  if (window.top !== window) return
  const request = parseRequest(location.hash.slice(1))
  const search = location.search
  // Removes the request from the browser's history. A reload does not resend the form.
  history.replaceState(null, '', `/apps/${appId}/cross-app${search}`)
  const memory = createMemory(appId, { tab: () => sessionStorage, all: () => localStorage })
  const language = getLanguage(search, memory)
  const { lang, dir, texts } = await loadTexts(`?lang=${language}`, pageTexts)
  Object.assign(document.documentElement, { lang, dir })

  const clock = systemClock
  const time = createServerTime(Date.now)
  const { origin } = location
  const transport = {
    origin,
    appId,
    client: `${name}:${version}`,
    clientId,
    analyticsId,
    async fetch(url: string, init: RequestInit) {
      const response = await fetch(url, init)
      time.learn(response.headers.get('date'))
      return response
    },
    clock,
    pause: (ms: number, signal: AbortSignal) => pause(clock, ms, signal),
    newRequestId: () => crypto.randomUUID(),
  }
  const vault = createVaultClient<VaultInputs, typeof vaultOutputs>({
    outputs: vaultOutputs,
    start: createVaultStarter(vaultUrl),
    clock,
  })
  const view = createView({ document, clock, texts })
  const { show } = view
  const session = createSession({
    appId,
    memory,
    vault,
    api: createProvenTransport(transport),
    time,
    lock: (run) => runLocked(product.storageName(appId, 'cross-app'), run),
  })
  const publicApi = createPublicTransport(transport)
  const methods = () => session.user().mfaMethods.map(({ type }) => type)
  const askFactor = createFactor({
    session,
    methods,
    canAskPasskeys: isAtOrBelow(location.hostname, new URL(dialogOrigin).hostname),
    askPasskey: async (options) =>
      (await (await import('../pages/ask-passkey.ts')).askPasskey(options)).assertion,
    show,
  })
  const steps = createSteps({
    wallet: {
      appId,
      api: createTransport({
        ...transport,
        prove: async (call, signal) => (await vault.call('prove', { ...call, appId }, signal)).proof,
      }),
      vault,
      clouds: { addresses: clouds, fetch: (url, init) => fetch(url, init) },
    },
    session,
    methods,
    askFactor,
  })
  const bringWallet = createBringWallet({
    steps,
    session,
    show,
    async askUser(recovery, bring, signal) {
      const [{ recoverByUser }, { browserAuthenticator }, { createCloudBrowser }] = await Promise.all([
        import('./wallet/user-recovery.ts'),
        import('../recovery-window/passkey.ts'),
        import('../recovery-window/cloud-window.ts'),
      ])
      const browser = createCloudBrowser(window, clock)
      const ports = { origin, session, publicApi, clock, authenticator: browserAuthenticator, browser, show }
      return recoverByUser(ports, recovery, bring, signal)
    },
  })
  const flow = createFlow({
    request,
    handover,
    memory,
    session,
    authorize: createAuthorize({
      session,
      bringWallet,
      clock,
      show,
      finishOrigins: [dialogOrigin, new URL(apiOrigin).origin],
      submit,
    }),
    transact: createTransact({
      appId,
      session,
      vault,
      steps,
      publicApi,
      bringWallet,
      clock,
      show,
      tellOpener: (origins, message) => notifyOpener(window.opener, origins, message),
      writeRejection: async (handle, signal) =>
        prepareCall(transport, providerRoutes.answerCrossAppRequest, await session.caller(signal), {
          handle,
          answer: { type: 'rejected' },
        }),
      newHandle: createSecret,
      closePage: () => window.close(),
    }),
    show,
    newState: createSecret,
    goToLogin(state) {
      const inLanguage = lang === 'en' ? '' : `?lang=${lang}`
      location.assign(`${dialogOrigin}/apps/${appId}/authorize${inLanguage}#${state}`)
    },
  })
  addEventListener('pagehide', flow.close)
  void flow.start()
}

/**
 * Returns the language in the URL, now or when this tab first opened the page; otherwise the browser's
 * language.
 */
function getLanguage(search: string, memory: ReturnType<typeof createMemory>): string {
  const requestedLanguage = new URLSearchParams(search).get('lang')
  try {
    if (requestedLanguage) memory.rememberInTab({ language: requestedLanguage })
  } catch {
    // The flow reports unavailable storage later.
  }
  return requestedLanguage ?? memory.tab().language ?? navigator.language
}

/** Posts the answer and leaves this page for the requesting app. */
function submit(finishUrl: string, secretText: string) {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: finishUrl })
  const field = document.createElement('input')
  Object.assign(field, { type: 'hidden', name: 'secret', value: secretText })
  form.append(field)
  document.body.append(form)
  form.submit()
  form.remove()
}

/**
 * Runs under a lock. Without lock support, or if another tab holds the lock too long, the server resolves the
 * race.
 */
async function runLocked<T>(lockName: string, run: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks
  if (!locks) return run()
  let isRunning = false
  const begin = () => {
    isRunning = true
    return run()
  }
  try {
    return await locks.request(lockName, { signal: AbortSignal.timeout(lockMs) }, begin)
  } catch (error) {
    if (isRunning) throw error
    return run()
  }
}

/** Returns whether a page of this hostname may use passkeys of that relying party. */
const isAtOrBelow = (hostname: string, relyingParty: string) =>
  hostname === relyingParty || hostname.endsWith(`.${relyingParty}`)

const createSecret = () => base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32)))

void start()
