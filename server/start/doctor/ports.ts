/** The network and the clocks that `latchkey doctor` uses. Tests replace them. */
import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { canConnect, type ThirdParty } from '../../kernel/third-parties.ts'
import { thirdPartyNowMs } from '../../kernel/third-party-time.ts'
import { doctorLimits } from './limits.ts'

export type Certificate = {
  expiresAtMs: number
  /** The code of OpenSSL or Node, if a browser would reject the certificate. */
  problem?: string
}

export type DoctorPorts = {
  nowMs: () => number
  /** The time in responses of third parties, if one has answered. */
  thirdPartyNowMs: () => number | undefined
  resolve: (hostname: string) => Promise<string[]>
  readCertificate: (hostname: string, port: number, signal: AbortSignal) => Promise<Certificate>
  fetchStatus: (url: string, signal: AbortSignal) => Promise<number>
  reach: (party: ThirdParty, signal: AbortSignal) => Promise<void>
  /** Returns a signal that aborts at the deadline of one wait. */
  createDeadline: () => AbortSignal
}

export const networkPorts: DoctorPorts = {
  nowMs: Date.now,
  thirdPartyNowMs,
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  readCertificate,
  async fetchStatus(url, signal) {
    const response = await fetch(url, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return response.status
  },
  reach: ({ url, check }, signal) => (check ? check(signal) : canConnect(url, signal)),
  createDeadline: () => AbortSignal.timeout(doctorLimits.waitMs),
}

function readCertificate(hostname: string, port: number, signal: AbortSignal): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    // Reads invalid certificates too, to report their problem.
    const socket = connect({ host: hostname, port, servername: hostname, rejectUnauthorized: false })
    const abort = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', reject)
    socket.once('close', () => signal.removeEventListener('abort', abort))
    socket.once('secureConnect', () => {
      const expiresAtMs = Date.parse(socket.getPeerCertificate().valid_to)
      const problem = socket.authorized ? undefined : String(socket.authorizationError)
      socket.destroy()
      resolve({ expiresAtMs, ...(problem !== undefined && { problem }) })
    })
  })
}

/** Rejects with the reason of the signal when it aborts first. */
export async function beforeDeadline<Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work(signal), aborted])
}
