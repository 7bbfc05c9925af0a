/**
 * Cloudflare Turnstile: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
 *
 * Its script must come from its own origin and runs in this page, so it loads only when a captcha is shown.
 */
import { captchaLimits } from '@latchkey/protocol'
import type { Widget, WidgetResult, WidgetSettings, Widgets } from './widget.ts'

type Parameters = {
  sitekey: string
  action: string
  cData: string
  language: string
  theme: 'light' | 'dark'
  size: 'normal' | 'compact'
  execution: 'execute'
  appearance: 'interaction-only'
  retry: 'never'
  'refresh-expired': 'never'
  'response-field': false
  callback: (token: string) => void
  'before-interactive-callback': () => void
  'after-interactive-callback': () => void
  /** `true` says that the page shows the failure itself. */
  'error-callback': () => true
  'timeout-callback': () => void
  'unsupported-callback': () => void
}
type Turnstile = {
  render: (place: Element, parameters: Parameters) => string
  execute: (id: string) => void
  reset: (id: string) => void
  remove: (id: string) => void
}

/** The wide widget has 300 px, and would be cut off in a narrower place. */
const wideWidgetPx = 300

const loading = new Map<string, Promise<Widgets>>()

export function loadTurnstile(origin: string): Promise<Widgets> {
  const widgets = loading.get(origin) ?? loadScript(origin).then(createWidgets)
  loading.set(origin, widgets)
  widgets.catch(() => loading.delete(origin))
  return widgets
}

async function loadScript(origin: string): Promise<Turnstile> {
  allowScriptsFrom(origin)
  const script = document.createElement('script')
  const { promise: loaded, resolve, reject } = Promise.withResolvers<unknown>()
  script.addEventListener('load', resolve)
  script.addEventListener('error', () => reject(new Error('The script of the captcha did not load')))
  script.src = `${origin}/turnstile/v0/api.js?render=explicit`
  document.head.append(script)
  try {
    await loaded
  } catch (error) {
    script.remove()
    throw error
  }
  const turnstile: Turnstile | undefined = Reflect.get(globalThis, 'turnstile')
  if (!turnstile) throw new Error('The script of the captcha defines no global')
  return turnstile
}

type Policies = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string | null }) => unknown
}
let isAllowed = false

/**
 * The provider's script names no Trusted Types policy, so the default policy allows scripts of its origin only. The
 * page's own headers name the same origin.
 */
function allowScriptsFrom(origin: string): void {
  const policies: Policies | undefined = Reflect.get(globalThis, 'trustedTypes')
  if (!policies || isAllowed) return
  policies.createPolicy('default', {
    createScriptURL: (url) => (URL.parse(url, location.href)?.origin === origin ? url : null),
  })
  isAllowed = true
}

const createWidgets = (turnstile: Turnstile): Widgets => ({
  open: (place, settings) => openWidget(turnstile, place, settings),
})

function openWidget(turnstile: Turnstile, place: Element, settings: WidgetSettings): Widget {
  let result: WidgetResult = { type: 'none yet' }
  const fail = () => {
    result = { type: 'failed' }
  }
  const id = turnstile.render(place, {
    sitekey: settings.siteKey,
    action: captchaLimits.action,
    cData: settings.appId,
    language: settings.language,
    theme: getComputedStyle(place).colorScheme === 'dark' ? 'dark' : 'light',
    size: (place.parentElement?.clientWidth ?? 0) < wideWidgetPx ? 'compact' : 'normal',
    execution: 'execute',
    appearance: 'interaction-only',
    retry: 'never',
    'refresh-expired': 'never',
    'response-field': false,
    callback(token) {
      result = { type: 'passed', token }
    },
    'before-interactive-callback'() {
      result = { type: 'asking' }
    },
    'after-interactive-callback'() {
      if (result.type === 'asking') result = { type: 'none yet' }
    },
    'error-callback': () => {
      fail()
      return true
    },
    'timeout-callback': fail,
    'unsupported-callback': fail,
  })
  let isExecuted = false
  return {
    execute() {
      result = { type: 'none yet' }
      if (isExecuted) turnstile.reset(id)
      isExecuted = true
      turnstile.execute(id)
    },
    result: () => result,
    remove: () => turnstile.remove(id),
  }
}
