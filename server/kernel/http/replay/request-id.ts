/** The request id header and the hash that identifies a repeated request. */
import { hash } from 'node:crypto'
import { LatchkeyError, product } from '@latchkey/protocol'

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

export const isRequestId = (header: string): boolean => requestIdPattern.test(header)

export function parseRequestId(header: string | undefined): string | undefined {
  if (header === undefined || isRequestId(header)) return header
  throw new LatchkeyError('invalid_data', 'Not a request id', {
    details: { path: product.headers.requestId },
  })
}

export const hashRequest = (parts: readonly (string | undefined)[]): string =>
  hash('sha256', parts.map(prefixLength).join(''), 'base64url')

const prefixLength = (part: string | undefined) =>
  part === undefined ? '-\n' : `${Buffer.byteLength(part)}:${part}\n`

/** The outcome is returned only for the identical request: method, path, body, browser and session. */
export type RequestKey = { appId: string; requestId: string; requestHash: string }

export const requestIdConflict = () =>
  new LatchkeyError('invalid_data', 'This request id belongs to another request', {
    details: { path: product.headers.requestId },
  })
