/** Whom the server asks, and which variable names them: what an operator may have mistyped, or a firewall keep back. */
import { connect } from 'node:net'

export type ThirdParty = {
  /** The variable of the environment, by which the log names the third party. */
  variable: string
  /** The log names the host of this alone: addresses carry keys and passwords. */
  url: string
  /** Rejects where the party is another one than the variable means; without it, a connection is enough. */
  check?: (signal: AbortSignal) => Promise<void>
}

/** Somebody answered, and not as whom the variable names. The message is for the log. */
export class WrongParty extends Error {
  override readonly name = 'WrongParty'
}

const usualPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'smtp:': 587,
  'smtps:': 465,
}

/** Opens a connection and closes it again: nothing is asked, so no key is used and nothing is counted. */
export function canConnect(url: string, signal: AbortSignal): Promise<void> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) || (usualPorts[protocol] ?? 443), signal })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}
