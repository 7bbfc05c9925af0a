/** A loader and a dialog with a real channel between them. */

import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { type CallInput, openChannel } from '@latchkey/protocol/channel'
import {
  type DialogCalls,
  type DialogMessages,
  type HostEvent,
  hostContract,
  type LoaderMessages,
  loaderMessages,
} from '@latchkey/protocol/host'
import { PortMessenger } from 'penpal'
import { expect } from 'vitest'
import { serveHost } from '../host/serve.ts'
import { createParametersReceiver } from '../host/url-parameters.ts'
import { settle } from './clock.ts'
import { type Answers, type Browser, makeBrowser, makeFakeTransport, makeTab } from './fixture.ts'

export const viewport = { heightPx: 600, offsetTopPx: 0, insets: { top: 0, right: 0, bottom: 0, left: 0 } }
const neverAborted = new AbortController().signal
const opened: { destroy(): void }[] = []
/** Cleans up after each test, because channels have timers. */
export function closeAll() {
  for (const each of opened.splice(0)) each.destroy()
}

export type FlowCall = {
  name: string
  data: unknown
  policy?: string | undefined
  signal: AbortSignal
}

/** `serve` replaces the flows. */
export async function openBoth(
  options: {
    answers?: Answers
    serve?: (call: FlowCall) => unknown
    idleSettings?: () => readonly string[]
    isTold?: (user?: UserRecord) => boolean
    browser?: Browser
  } = {},
) {
  const { port1, port2 } = new MessageChannel()
  const transport = makeFakeTransport({ logout: () => ({ success: true }), ...options.answers })
  const tab = makeTab(options.browser ?? makeBrowser(), transport)
  const events: HostEvent[] = []
  const frame: string[] = []
  const seen: unknown[] = []
  const resumed: string[] = []
  const flowCalls: FlowCall[] = []
  async function serve(made: FlowCall) {
    flowCalls.push(made)
    return options.serve?.(made)
  }
  const link = serveHost({
    target: { messenger: new PortMessenger({ port: port1 }) },
    session: tab.session,
    dialog: async () => ({
      resume: async () => {},
      hostLogin: async () => ({
        follow: async () => void (await serve({ name: 'follow', data: {}, signal: neverAborted })),
        logIn: async ({ signal }) => (await serve({ name: 'hostLogin', data: {}, signal })) as never,
      }),
      logIn: async ({ signal }) => (await serve({ name: 'login', data: {}, signal })) as never,
      callByName: ({ call: name, ...asked }, { signal }) => serve({ name, ...asked, signal }),
    }),
    configure: (config, colorScheme) => seen.push({ config, colorScheme }),
    receiveParameters: createParametersReceiver(
      tab.session,
      (parameters) => void resumed.push(`${parameters}`),
    ),
    setViewport: (value) => seen.push(value),
    ownOrigins: ['https://dialog.example', 'https://wallet.example'],
    isVisible: options.isTold ?? (() => true),
    idleSettings: options.idleSettings ?? (() => []),
  })
  const loader = openChannel<LoaderMessages, DialogMessages>({
    contract: hostContract,
    side: 'parent',
    receives: loaderMessages,
    target: { messenger: new PortMessenger({ port: port2 }) },
    handlers: {
      show: () => {
        frame.push('show')
        return {
          viewport,
        }
      },
      hide: () => {
        frame.push('hide')
        return {}
      },
      event: (event) => {
        events.push(event)
        return {}
      },
      walletRequest: () => {
        throw new LatchkeyError('generic_connect_wallet_error', 'The page has no such wallet')
      },
    },
  })
  opened.push(link, loader)
  await loader.ready
  return {
    resumed,
    ...tab,
    link,
    loader,
    events,
    frame,
    seen,
    transport,
    flowCalls,
  }
}
export const hello: CallInput<DialogCalls['hello']> = {
  protocol: 1,
  loader: '0.1.0',
  capabilities: [],
  config: {},
  colorScheme: 'light',
}
export async function until(isTrue: () => boolean) {
  for (let turn = 0; !isTrue() && turn < 500; turn += 1) await settle()
  expect(isTrue()).toBe(true)
}
export const types = (events: readonly HostEvent[]) => events.map((event) => event.type)
