/** Third parties that the server calls, with the variable that configures each one. */
import { connect } from 'node:net'

export type ThirdParty = {
  /** The environment variable, by which the log names the third party. */
  variable: string
  /** Only its host is logged, because addresses may contain keys and passwords. */
  url: string
  /** Rejects if the variable names the wrong party. Without it, a successful connection is sufficient. */
  check?: (signal: AbortSignal) => Promise<void>
}

/** Thrown if a server responds, but is not the configured third party. The message is logged. */
export class WrongThirdPartyError extends Error {
  override readonly name = 'WrongThirdPartyError'
}

const usualPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'smtp:': 587,
  'smtps:': 465,
}

/** Opens and closes a TCP connection. Sends no request, so no API key is used and no quota is consumed. */
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
