import { channelLimits } from '@latchkey/protocol'
import type { Channel } from '@latchkey/protocol/channel'
import { type DialogCalls, loaderMessages } from '@latchkey/protocol/host'
import type { HostLogin } from '../types/options.ts'
import type { ClientConfig } from '../types/published.ts'
import type { ColorScheme, Frame } from './frame.ts'
import { loaderVersion } from './version.ts'
import { warnOnce } from './warn-once.ts'

/** The messages that send page data to the dialog: hello, and updates of configuration and color scheme. */
export type Hello = {
  /** Sends hello. Every dialog document receives it before any other call. */
  send(): Promise<void>
  /** Settles with the response to the last hello. */
  answered(): Promise<void>
  configure(): Promise<void>
  sendColorScheme(): void
}

export function createHello(
  channel: Channel<DialogCalls>,
  frame: Frame,
  {
    config,
    hostLogin,
    parameters,
  }: { config(): ClientConfig; hostLogin(): HostLogin | undefined; parameters: string },
): Hello {
  let last: Promise<void> | undefined
  let sentColorScheme: ColorScheme | undefined

  const settings = (colorScheme: ColorScheme) => ({
    config: config(),
    colorScheme,
    hasHostLogin: hostLogin() !== undefined,
  })

  async function hello() {
    sentColorScheme = undefined
    const colorScheme = frame.colorScheme()
    const { warnings } = await channel.call('hello', {
      protocol: channelLimits.protocolVersion,
      loader: loaderVersion,
      capabilities: Object.keys(loaderMessages.calls),
      ...settings(colorScheme),
      parameters,
    })
    sentColorScheme = colorScheme
    warnings.forEach(warnOnce)
  }

  async function configure() {
    const colorScheme = frame.colorScheme()
    sentColorScheme = colorScheme
    const { warnings } = await channel.call('configure', settings(colorScheme))
    warnings.forEach(warnOnce)
  }

  return {
    send() {
      last = hello()
      return last
    },
    async answered() {
      // The handshake sends hello before other callers continue.
      await channel.ready
      await last
    },
    configure,
    sendColorScheme() {
      if (sentColorScheme === undefined || sentColorScheme === frame.colorScheme()) return
      configure().catch(() => {})
    },
  }
}
